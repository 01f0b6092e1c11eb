import { formatDay, localDate } from '@laurel/calendar';
import {
  AreaError,
  EffectList,
  occasionOf,
  requireAreas,
  tablesOf,
  type AnyUserArea,
  type AreaName,
  type AreaTable,
  type BoardsArea,
  type ChainMessage,
  type Configuration,
  type MissingRuns,
  type Recorded,
  type AreaRange,
  type Step,
  type RecordedUserEvent,
} from '@laurel/kernel';
import { applyToDraft, type DraftOptions } from '../folding/apply-to-draft.ts';
import { messageOf } from '../folding/damaged-state.ts';
import { userKey, type Document } from '../folding/document.ts';
import type { Batch } from './batch.ts';
import { inTurn } from './boards-turns.ts';
import { parkedMessage } from './parked-message.ts';

/**
 * The areas in their order. Each changes the user's draft, reads the effects of the areas before it, and emits its own.
 * An area that throws is stopped: this record and all later ones wait in its inbox. The areas after it do not see these
 * records; the areas before it go on.
 */
export class Chain {
  readonly userAreas: readonly AnyUserArea[];
  readonly boards: BoardsArea;
  /** The tables of all areas. */
  readonly tables: readonly AreaTable[];
  readonly areaNames: readonly AreaName[];
  readonly #wholeUser: AreaRange;
  readonly #onFailure: (area: AreaName, position: number, error: unknown) => void;

  /** @param onFailure called when an area throws, to log it and to report it in health checks */
  constructor(
    userAreas: readonly AnyUserArea[],
    boards: BoardsArea,
    onFailure: (area: AreaName, position: number, error: unknown) => void,
  ) {
    this.userAreas = userAreas;
    this.boards = boards;
    this.tables = tablesOf([...userAreas, boards]);
    this.areaNames = [...userAreas.map(({ name }) => name), boards.name];
    this.#wholeUser = { first: 0, end: userAreas.length };
    this.#onFailure = onFailure;
  }

  /**
   * Applies a record of one user to all areas. The batch must hold the user's document.
   * @param wantsAnswer whether anybody reads the answer parts; if false, they may be missing
   * @returns the answer; the boards may add to it later, see {@link inTurn}
   */
  apply(batch: Batch, record: RecordedUserEvent, configuration: Configuration, wantsAnswer: boolean): Recorded {
    return this.#apply(batch, record, { configuration, range: this.#rangeFrom(0, batch), before: null, wantsAnswer });
  }

  /** Applies a parked message from the area with index `first` on. */
  resume(batch: Batch, before: ChainMessage, configuration: Configuration, first: number): void {
    const range = this.#rangeFrom(first, batch);
    this.#apply(batch, before.record, { configuration, range, before, wantsAnswer: false });
  }

  #apply(batch: Batch, record: RecordedUserEvent, options: DraftOptions): Recorded {
    let step: Step | null = null;
    let failure: AreaError | null = null;
    let { range } = options;
    // If an area throws, apply the record again, only to the areas before it.
    while (step === null && range.first < range.end)
      try {
        step = applyToDraft(this.userAreas, batch, record, failure === null ? options : { ...options, range });
      } catch (error) {
        if (!(error instanceof AreaError)) throw error;
        failure = error;
        range = { first: range.first, end: error.index };
      }
    if (step !== null) for (const rows of step.rows) batch.addRows(rows);
    noteKey(batch, record, step, options.before);
    const isLate = step !== null && this.#isLate(batch, record, range);
    const answer = answerTo(record, options.configuration, step, isLate);
    const halted = this.userAreas[range.end];
    if (halted === undefined) inTurn(batch, () => this.#applyBoards(batch, { record, options, step }, answer));
    else {
      answer.pending.push(...this.areaNames.slice(range.end));
      if (failure !== null) this.#stop(batch, halted.name, record, failure.cause);
      batch.defer(halted.name, parkedMessage(record, options.before, step, this.userAreas));
    }
    return answer;
  }

  #isLate(batch: Batch, { account, occurredAt, fact }: RecordedUserEvent, { first, end }: AreaRange): boolean {
    if (fact.type !== 'MetricEventRecorded') return false;
    const document = batch.documentOf(userKey({ account, subject: fact.subject })) as Document;
    for (let index = first; index < end; index++)
      if (this.userAreas[index]?.isLate?.(document[index], occurredAt)) return true;
    return false;
  }

  /** The user areas from `first` up to the first one that has stopped. */
  #rangeFrom(first: number, { failures }: Batch): AreaRange {
    if (first === 0 && failures.size === 0) return this.#wholeUser;
    const stopped = this.userAreas.findIndex(({ name }, index) => index >= first && failures.has(name));
    return { first, end: stopped < 0 ? this.userAreas.length : stopped };
  }

  #applyBoards(
    batch: Batch,
    {
      record,
      options,
      step,
    }: { readonly record: RecordedUserEvent; readonly options: DraftOptions; readonly step: Step | null },
    answer: OpenAnswer,
  ): MissingRuns | null {
    const { configuration, before } = options;
    const { name } = this.boards;
    const effects = (step ?? before)?.effects.length ?? 0;
    try {
      if (!batch.failures.has(name)) {
        const areas = before?.areas ?? NO_AREAS;
        requireAreas(this.boards, { record, areas }, this.userAreas, options.range);
        const occasion = step?.occasion ?? occasionOf(record, before?.user ?? null, configuration);
        const emitter = step?.emitter ?? new EffectList(occasion, configuration, null, before?.effects);
        const made = batch.boards.apply(occasion, configuration, emitter, options.wantsAnswer);
        if ('missing' in made) return made;
        batch.addRows(made.rows);
        if (made.answerPart !== null) answer.sections.leaderboards = made.answerPart;
        if (options.range.first === 0) batch.noteEffects(record, emitter.effects, configuration);
        return null;
      }
    } catch (error) {
      this.#stop(batch, name, record, error);
    }
    answer.pending.push(name);
    const parked = parkedMessage(record, before, step, this.userAreas);
    batch.defer(name, { ...parked, effects: parked.effects.slice(0, effects) });
    return null;
  }

  #stop(batch: Batch, area: AreaName, { position }: RecordedUserEvent, error: unknown): void {
    batch.stop(area, { position: position - 1, reason: messageOf(error) });
    this.#onFailure(area, position, error);
  }
}

/** An answer that the boards may still add to. */
type OpenAnswer = Recorded & {
  readonly sections: { -readonly [Name in keyof Recorded['sections']]: Recorded['sections'][Name] };
  readonly pending: AreaName[];
};

/** The caller's answer to a record. @param step null if no user area has applied the record */
function answerTo(
  { eventId, position, occurredAt }: RecordedUserEvent,
  configuration: Configuration,
  step: Step | null,
  isLate: boolean,
): OpenAnswer {
  const sections = step?.sections ?? {};
  const pending: AreaName[] = [];
  return isLate
    ? { kind: 'recorded', eventId, position, occurredAt, configuration, sections, pending, late: true }
    : { kind: 'recorded', eventId, position, occurredAt, configuration, sections, pending };
}

/** Later events with the key of this new event are replays. Their answer shows the event's local date. */
function noteKey(
  batch: Batch,
  { eventId, occurredAt, fact }: RecordedUserEvent,
  step: Step | null,
  before: ChainMessage | null,
): void {
  if (before !== null || !('keyHash' in fact) || fact.keyHash === null) return;
  const date = step === null ? localDate(occurredAt, 'UTC') : formatDay(step.occasion.user.day);
  batch.setOriginal(fact.keyHash, { eventId, date });
}

const NO_AREAS: readonly AreaName[] = [];
