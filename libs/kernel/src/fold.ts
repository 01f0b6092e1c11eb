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

/** What an event made of a user. */
export interface Step {
  readonly occasion: Occasion;
  /** Holds the effects that came with the message, too. */
  readonly sink: EffectList;
  /** Of the areas that applied it; null: nobody asked for them. */
  readonly sections: Sections | null;
  readonly rows: readonly Rows[];
}

/** What {@link Fold.apply} is asked for beside effects and rows. */
interface FoldOptions {
  /** The areas that apply the message; absent: all. */
  readonly span?: Span;
  /** Whether the answer's sections are made. */
  readonly sections?: boolean;
  /** Hears why the rules decide as they do; only without sections. */
  readonly reasons?: Reasons | null;
}

/**
 * The fold of one user: the states of the areas, and the only place where events are applied to them. It knows nothing of time, storage or
 * other users, so the same events give the same states, effects and rows wherever they are folded: in a batch, in a service, in a rebuild,
 * in a correction, in an explanation (ADR 0030).
 */
export class Fold {
  readonly #areas: readonly AnyUserArea[];
  readonly #all: Span;
  /** One for each area. Applying writes into those of the areas that apply. */
  readonly states: readonly unknown[];

  /** @param states which nobody else reads or writes from now on */
  constructor(areas: readonly AnyUserArea[], states: readonly unknown[]) {
    this.#areas = areas;
    this.#all = { first: 0, end: areas.length };
    this.states = states;
  }

  /**
   * A fold that goes on from states that stay as they are.
   * @param span the areas that will apply messages; the states of the others are not copied
   * @throws AreaError if an area cannot copy its state
   */
  static from(
    areas: readonly AnyUserArea[],
    states: readonly unknown[],
    configuration: Configuration,
    { first, end }: Span = { first: 0, end: areas.length },
  ): Fold {
    const copies = areas.map((area, index) => {
      if (index < first || index >= end) return states[index];
      try {
        return area.draft(states[index], configuration);
      } catch (cause) {
        throw new AreaError(index, cause);
      }
    });
    return new Fold(areas, copies);
  }

  /** The fold of a user of whom nothing is recorded. */
  static ofNobody(areas: readonly AnyUserArea[], configuration: Configuration): Fold {
    return Fold.from(
      areas,
      areas.map((area) => area.initial()),
      configuration,
    );
  }

  /** A fold of its own, with the states as they are now. */
  copy(configuration: Configuration): Fold {
    return Fold.from(this.#areas, this.states, configuration);
  }

  /** @throws AreaError; the states may be half written then, and the fold is of no use */
  apply(message: ChainMessage, configuration: Configuration, options: FoldOptions = NOTHING_ELSE): Step {
    const { span: { first, end } = this.#all, sections: wantsSections = false, reasons = null } = options;
    const areas = this.#areas;
    let index = first;
    try {
      const occasion = occasionOf(message, configuration);
      const fired = wantsSections ? new FiredSystems() : null;
      const sink = new EffectList(occasion, configuration, fired ?? reasons, message.effects);
      for (; index < end; index++) {
        const area = areas[index] as AnyUserArea;
        requireAreas(area, message, areas, first, index);
        area.apply(this.states[index], occasion, configuration, sink);
      }
      const applied = { occasion, effects: sink.effects, configuration, fired: fired?.systems ?? NOTHING_FIRED };
      const sections: Record<string, unknown> | null = wantsSections ? {} : null;
      const rows: Rows[] = [];
      for (index = first; index < end; index++) {
        const area = areas[index] as AnyUserArea;
        const section = sections && (sections[area.name] = area.section(this.states[index], applied));
        rows.push(area.rows(this.states[index], applied, section));
      }
      return { occasion, sink, sections, rows };
    } catch (cause) {
      throw new AreaError(index, cause);
    }
  }
}

const NOTHING_ELSE: FoldOptions = {};

/** The message as the areas of the span leave it to those behind. */
export function messageAfter(
  { record, areas: before, sections }: ChainMessage,
  areas: readonly { readonly name: AreaName }[],
  { first, end }: Span,
  applied: Step,
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
