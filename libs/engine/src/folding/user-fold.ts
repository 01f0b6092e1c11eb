import {
  Fold,
  type ConfigurationHistory,
  type BoardsArea,
  type ExplanationListener,
  type Rows,
  type RunValues,
  type Step,
  type RecordedUserEvent,
} from '@laurel/kernel';
import { BeforeAfterFolds } from './corrected-fold.ts';
import type { FoldListener } from './branch.ts';
import type { AnyUserArea, Document, UserRef } from './document.ts';
import type { CorrectionRecord } from './event-changes.ts';
import { eachEvent, type UserEvents } from './user-events.ts';

/** What one recorded event made of the user whom a fold follows. */
export interface FoldedEvent extends Pick<Step, 'record' | 'configuration' | 'occasion' | 'effects' | 'rows'> {
  /** Of a correction. */
  readonly corrected?: {
    /** Rows that go before its own come, as the areas say; see `CorrectedRows`. */
    readonly removed: readonly Rows[];
    /** Of the two folds; see `CorrectedUser`. */
    readonly before: RunValues;
    readonly after: RunValues;
  };
}

/** What is read of a user while they are folded. */
export type FoldedEvents = Pick<UserEvents, 'read' | 'correctionsOf' | 'amendedBy'>;

/** Where a fold begins: the states of the user as of the event at `position`. */
export interface FoldStart {
  readonly document: Document;
  readonly position: number;
}

/**
 * The areas of a user are pure functions of that user's events (ADR 0030). A fold applies these alone, in the order of the log, each under
 * the configuration version that it carries, with the areas' own `apply`: so it gives the state, the effects and the rows that the
 * engine has stored for the user, in any process, and writes nothing.
 *
 * Leaderboards are no part of it: a rank depends on other users.
 */
export class UserFold {
  readonly #areas: readonly AnyUserArea[];
  readonly #configurations: Pick<ConfigurationHistory, 'at'>;
  readonly #origin: Document;
  readonly #boards: Pick<BoardsArea, 'newRunValues'>;
  #fold: Fold | null = null;
  #position: number;

  /**
   * @param start null: with the first event of the user. It is read, and never written.
   * @param boards say what the user's values are, where a correction changes them; absent: nobody asks
   */
  constructor(
    areas: readonly AnyUserArea[],
    configurations: Pick<ConfigurationHistory, 'at'>,
    start: FoldStart | null = null,
    boards: Pick<BoardsArea, 'newRunValues'> = NO_BOARDS,
  ) {
    this.#areas = areas;
    this.#configurations = configurations;
    this.#origin = start?.document ?? areas.map((area) => area.initial());
    this.#position = start?.position ?? 0;
    this.#boards = boards;
  }

  /** Two folds for a correction of the user. @param listener see {@link BeforeAfterFolds.begin} */
  beforeAndAfter(
    correction: CorrectionRecord,
    earlier: readonly CorrectionRecord[],
    amended: readonly RecordedUserEvent[],
    listener: FoldListener | null = null,
  ): BeforeAfterFolds {
    const parts = { areas: this.#areas, configurations: this.#configurations, boards: this.#boards };
    return BeforeAfterFolds.begin(parts, correction.fact, { earlier, amended, listener });
  }

  /** Applies a correction. @param folds of {@link foldsOf}, which have taken all events of the user before it */
  correct(record: CorrectionRecord, folds: BeforeAfterFolds): FoldedEvent {
    const { occasion, configuration, document, effects, rows, before, after } = folds.finish(record, this.document);
    this.#fold = new Fold(this.#areas, document);
    this.#position = record.position;
    return {
      record,
      configuration,
      occasion,
      effects,
      rows: rows.map(({ added }) => added),
      corrected: { removed: rows.map(({ removed }) => removed), before, after },
    };
  }

  /** That of the last event applied; 0: none. */
  get position(): number {
    return this.#position;
  }

  /** The user's states as of the last event applied. The next {@link apply} writes it. */
  get document(): Document {
    return this.#fold?.states ?? this.#origin;
  }

  /**
   * Applies the next event of the user.
   * @param reasons hears why the rules decide as they do; null: nobody asks
   * @throws AreaError if an area cannot apply it; the fold is of no use then. RangeError for an event that is not behind the last one
   */
  apply(record: RecordedUserEvent, reasons: ExplanationListener | null = null): FoldedEvent {
    if (record.position <= this.#position)
      throw new RangeError(`the event at position ${record.position} is not behind ${this.#position}`);
    const configuration = this.#configurations.at(record.configurationVersion);
    this.#fold ??= Fold.from(this.#areas, this.#origin, configuration);
    const step = this.#fold.apply(record, configuration, { reasons });
    this.#position = record.position;
    return step;
  }
}

/** A fold of one user says nothing of boards. */
const NO_BOARDS: Pick<BoardsArea, 'newRunValues'> = {
  newRunValues: () => ({ size: 0, add: () => undefined, clone: () => NO_BOARDS.newRunValues() }),
};

/**
 * Applies all recorded events of a user to a fold, as {@link eachEvent} hands them over.
 * @param listener `reasons` hears why while an event is applied, `applied` what it made; see {@link Retell}
 */
export const foldEvents = (
  fold: UserFold,
  events: UserEvents,
  user: UserRef,
  listener: FoldEventListener & { readonly applied: (folded: FoldedEvent) => void },
): Promise<void> =>
  eachEvent(events, user, { after: fold.position }, async (record) => {
    const folded = await foldEvent({ fold, events, user }, record, listener);
    listener.applied(folded);
    return folded.effects.length;
  });

/** Who hears why the rules decide as they do. */
interface FoldEventListener {
  readonly reasons: ExplanationListener | null;
  /** Hears the user's past once more, as a correction makes it, before the correction itself is applied. */
  readonly secondListener?: () => FoldListener;
}

/** A fold, the user whom it follows, and where their events are read. */
interface FollowedUser {
  readonly fold: UserFold;
  readonly events: FoldedEvents;
  readonly user: UserRef;
}

/** Applies the next event of a user; a correction asks for everything before it once more. @throws as {@link UserFold.apply} */
export function foldEvent(
  followed: FollowedUser,
  record: RecordedUserEvent,
  { reasons, secondListener }: FoldEventListener = NOBODY_LISTENS,
): FoldedEvent | Promise<FoldedEvent> {
  const { fact } = record;
  return fact.type === 'CorrectionRecorded'
    ? foldCorrection(followed, { ...record, fact }, secondListener)
    : followed.fold.apply(record, reasons);
}

const NOBODY_LISTENS: FoldEventListener = { reasons: null };

async function foldCorrection(
  { fold, events, user }: FollowedUser,
  record: CorrectionRecord,
  secondListener?: () => FoldListener,
): Promise<FoldedEvent> {
  const corrections = await events.correctionsOf([user.subject]);
  const earlier = corrections.filter(({ position }) => position < record.position);
  const amended = await events.amendedBy(user, [...earlier, record]);
  const folds = fold.beforeAndAfter(record, earlier, amended, secondListener?.());
  await takeEvents(folds, events, user, record.position - 1);
  return fold.correct(record, folds);
}

/** Lets folds take all events of the user up to a position. */
export const takeEvents = (
  folds: BeforeAfterFolds,
  events: Pick<UserEvents, 'read'>,
  user: UserRef,
  upTo: number,
): Promise<void> => eachEvent(events, user, { after: folds.position, upTo }, (record) => folds.apply(record));
