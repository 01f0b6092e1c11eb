import type { AnyUserArea, Rows } from './area.ts';
import type { AreaName } from './area-names.ts';
import type { Configuration } from './configuration.ts';
import type { ChainMessage, Sections } from './message.ts';
import { occasionOf } from './occasion-of.ts';
import { EffectList } from './emitting.ts';
import { FiredSystems, type Occasion, type Reasons } from './occasion.ts';

/** Some areas that follow each other: from `first` up to, but not including, `end`. */
export interface Span {
  readonly first: number;
  readonly end: number;
}

/** What the areas of a span made of a message. */
export interface AppliedMessage {
  readonly occasion: Occasion;
  /** Holds the effects that came with the message, too. */
  readonly sink: EffectList;
  /** Of the span; null: nobody asked for them. */
  readonly sections: Sections | null;
  readonly rows: readonly Rows[];
}

/**
 * Applies a message to the drafts of a user, one for each area; those of the span are written.
 * @param reasons hears why the rules decide as they do; null: nobody asks. Only without sections
 * @throws AreaError; then the drafts may be half written
 */
export function applyAreas(
  areas: readonly AnyUserArea[],
  { first, end }: Span,
  drafts: readonly unknown[],
  message: ChainMessage,
  configuration: Configuration,
  wantsSections: boolean,
  reasons: Reasons | null = null,
): AppliedMessage {
  let index = first;
  try {
    const occasion = occasionOf(message, configuration);
    const fired = wantsSections ? new FiredSystems() : null;
    const sink = new EffectList(occasion, configuration, fired ?? reasons, message.effects);
    for (; index < end; index++) {
      const area = areas[index] as AnyUserArea;
      requireAreas(area, message, areas, first, index);
      area.apply(drafts[index], occasion, configuration, sink);
    }
    const applied = { occasion, effects: sink.effects, configuration, fired: fired?.systems ?? NOTHING_FIRED };
    const sections: Record<string, unknown> | null = wantsSections ? {} : null;
    const rows: Rows[] = [];
    for (index = first; index < end; index++) {
      const area = areas[index] as AnyUserArea;
      const section = sections && (sections[area.name] = area.section(drafts[index], applied));
      rows.push(area.rows(drafts[index], applied, section));
    }
    return { occasion, sink, sections, rows };
  } catch (cause) {
    throw new AreaError(index, cause);
  }
}

/** The message as the areas of the span leave it to those behind. */
export function messageAfter(
  { record, areas: before, sections }: ChainMessage,
  areas: readonly { readonly name: AreaName }[],
  { first, end }: Span,
  applied: AppliedMessage,
): ChainMessage {
  const names = [...before, ...areas.slice(first, end).map(({ name }) => name)];
  return {
    record,
    areas: names,
    user: names.includes('users') ? applied.occasion.user : null,
    effects: applied.sink.effects,
    sections: { ...sections, ...applied.sections },
  };
}

/**
 * What an area works out without the effects that it needs would be wrong for good.
 * @param own areas of this process, of which those from `first` up to `end` apply the message before it
 * @throws Error if an area that it needs has not applied the message
 */
export function requireAreas(
  { name, needs }: { readonly name: AreaName; readonly needs: readonly AreaName[] },
  { record, areas }: ChainMessage,
  own: readonly { readonly name: AreaName }[] = [],
  first = 0,
  end = own.length,
): void {
  for (const needed of needs) {
    let isApplied = areas.includes(needed);
    for (let index = first; index < end && !isApplied; index++) isApplied = own[index]?.name === needed;
    if (!isApplied)
      throw new Error(`${name} needs ${needed}, which has not applied the record at position ${record.position}`);
  }
}

/** An area could not apply a message; `cause` says why. */
export class AreaError extends Error {
  override readonly name = 'AreaError';
  /** The area's place among those that were to apply it. */
  readonly index: number;

  constructor(index: number, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.index = index;
  }
}

const NOTHING_FIRED: ReadonlySet<string> = new Set();
