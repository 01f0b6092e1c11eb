import type { AnyUserArea, Rows } from './area.ts';
import type { AreaName } from './area-names.ts';
import type { Configuration } from './configuration.ts';
import type { Effect } from './effects.ts';
import { newMessage, type ChainMessage, type AnswerParts, type RecordedUserEvent } from './message.ts';
import { occasionOf } from './occasion-of.ts';
import { EffectList } from './emitting.ts';
import { FiredSystems, type Occasion, type ExplanationListener } from './occasion.ts';

/** Some areas that follow each other: from `first` up to, but not including, `end`. */
export interface AreaRange {
  readonly first: number;
  readonly end: number;
}

/** What an event made of a user, in the areas of a range. */
export interface Step {
  readonly record: RecordedUserEvent;
  /** The results of areas in other processes; null if none has applied the record. */
  readonly before: ChainMessage | null;
  /** The areas that applied it. */
  readonly range: AreaRange;
  /** The version under which they did. */
  readonly configuration: Configuration;
  readonly occasion: Occasion;
  readonly emitter: EffectList;
  /** The effects of the emitter in the order of the areas, after those that came with the message. */
  readonly effects: readonly Effect[];
  /** The points systems in which a trigger of the event itself fired; only answer parts show them. */
  readonly fired: ReadonlySet<string>;
  /** The answer parts of the areas; null unless they were asked for. */
  readonly sections: AnswerParts | null;
  /** What each area stores beside its state. */
  readonly rows: readonly Rows[];
}

/** What {@link Fold.apply} is asked for beside effects and rows. */
interface FoldOptions {
  /** The results of the areas before the range. Default: none has applied the record. */
  readonly before?: ChainMessage | null;
  /** The areas that apply the record. Default: all. */
  readonly range?: AreaRange;
  /** Whether the answer parts are made. */
  readonly wantsAnswer?: boolean;
  /** Hears why the rules decide as they do; only while no answer parts are made. */
  readonly reasons?: ExplanationListener | null;
}

/**
 * The fold of one user: the states of the areas, and the only place where events are applied to them. It knows nothing of time, storage or
 * other users, so the same events give the same states, effects and rows wherever they are folded: in a batch, in a service, in a rebuild,
 * in a correction, in an explanation (ADR 0030).
 */
export class Fold {
  readonly #areas: readonly AnyUserArea[];
  readonly #all: AreaRange;
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
   * @param range the areas that will apply messages; the states of the others are not copied
   * @throws AreaError if an area cannot copy its state
   */
  static from(
    areas: readonly AnyUserArea[],
    states: readonly unknown[],
    configuration: Configuration,
    { first, end }: AreaRange = { first: 0, end: areas.length },
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
  apply(record: RecordedUserEvent, configuration: Configuration, options: FoldOptions = NOTHING_ELSE): Step {
    const { before = null, range = this.#all, wantsAnswer = false, reasons = null } = options;
    const { first, end } = range;
    const areas = this.#areas;
    let index = first;
    try {
      if (record.fact.type === 'CorrectionRecorded')
        throw new Error('areas correct their state instead of applying a correction');
      const occasion = occasionOf(record, before === null ? null : before.user, configuration);
      const fired = wantsAnswer ? new FiredSystems() : null;
      const emitter = new EffectList(occasion, configuration, fired ?? reasons, before?.effects);
      for (; index < end; index++) {
        const area = areas[index] as AnyUserArea;
        this.#requireNeeds(index, first, record, before);
        area.apply(this.states[index], occasion, configuration, emitter);
      }
      const sections: Record<string, unknown> | null = wantsAnswer ? {} : null;
      const rows: Rows[] = [];
      const step: Step = {
        record,
        before,
        range,
        configuration,
        occasion,
        emitter,
        effects: emitter.effects,
        fired: fired?.systems ?? NOTHING_FIRED,
        sections,
        rows,
      };
      for (index = first; index < end; index++) {
        const area = areas[index] as AnyUserArea;
        const answerPart = sections && (sections[area.name] = area.answerPart(this.states[index], step));
        rows.push(area.rows(this.states[index], step, answerPart));
      }
      return step;
    } catch (cause) {
      throw new AreaError(index, cause);
    }
  }

  /** As {@link requireAreas}, of the area at `index`. */
  #requireNeeds(index: number, first: number, record: RecordedUserEvent, before: ChainMessage | null): void {
    const area = this.#areas[index] as AnyUserArea;
    for (const needed of area.needs)
      if (!isAmong(needed, this.#areas, first, index) && !before?.areas.includes(needed))
        throw notApplied(area, needed, record);
  }
}

const NOTHING_ELSE: FoldOptions = {};

/** The record as the areas that made the step leave it to those behind. @param areas of which the step's range speaks */
export function messageAfter(
  { record, before, range, occasion, effects, sections: own }: Step,
  areas: readonly { readonly name: AreaName }[],
): ChainMessage {
  const message = before ?? newMessage(record);
  const names = [...message.areas, ...areas.slice(range.first, range.end).map(({ name }) => name)];
  const user = names.includes('users') ? occasion.user : null;
  return { record, areas: names, user, effects, sections: { ...message.sections, ...own } };
}

/** An area, and those before it whose effects it reads. */
type Needing = { readonly name: AreaName; readonly needs: readonly AreaName[] };

/**
 * What an area works out without the effects that it needs would be wrong for good.
 * @param own areas of this process
 * @param range those of them that apply the record before it
 * @throws Error if an area that it needs has not applied the record
 */
export function requireAreas(
  area: Needing,
  { record, areas }: Pick<ChainMessage, 'record' | 'areas'>,
  own: readonly { readonly name: AreaName }[] = [],
  { first, end }: AreaRange = { first: 0, end: own.length },
): void {
  for (const needed of area.needs)
    if (!areas.includes(needed) && !isAmong(needed, own, first, end)) throw notApplied(area, needed, record);
}

function isAmong(name: AreaName, areas: readonly { readonly name: AreaName }[], first: number, end: number): boolean {
  for (let index = first; index < end; index++) if (areas[index]?.name === name) return true;
  return false;
}

const notApplied = ({ name }: Needing, needed: AreaName, { position }: RecordedUserEvent): Error =>
  new Error(`${name} needs ${needed}, which has not applied the record at position ${position}`);

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
