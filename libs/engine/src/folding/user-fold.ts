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

/** The result of one recorded event for the folded user. */
export interface FoldedEvent extends Pick<Step, 'record' | 'configuration' | 'occasion' | 'effects' | 'rows'> {
  /** Set for a correction. */
  readonly corrected?: {
    /** Rows to remove before the correction's own rows are added, as the areas say; see `CorrectedRows`. */
    readonly removed: readonly Rows[];
    /** The user's values in both folds; see `CorrectedUser`. */
    readonly before: RunValues;
    readonly after: RunValues;
  };
}

/** The reads that a fold needs. */
export type FoldedEvents = Pick<UserEvents, 'read' | 'correctionsOf' | 'amendedBy'>;

/** Where a fold begins: the user's states after the event at `position`. */
export interface FoldStart {
  readonly document: Document;
  readonly position: number;
}

/**
 * Folds the events of one user (ADR 0030). The areas of a user depend on that user's events alone. The fold applies
 * them with the areas' own `apply`, in the order of the log, each under its own configuration version. So it computes
 * the state, effects and rows that the engine has stored for the user, in any process, without writing.
 *
 * Leaderboards are not included, because ranks depend on other users.
 */
export class UserFold {
  readonly #areas: readonly AnyUserArea[];
  readonly #configurations: Pick<ConfigurationHistory, 'at'>;
  readonly #origin: Document;
  readonly #boards: Pick<BoardsArea, 'newRunValues'>;
  #fold: Fold | null = null;
  #position: number;

  /**
   * @param start is read and never written; null begins before the user's first event
   * @param boards compute the user's values where a correction changes them; leave them out if nobody needs the values
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

  /** Begins both folds for a correction of the user. @param listener see {@link BeforeAfterFolds.begin} */
  beforeAndAfter(
    correction: CorrectionRecord,
    earlier: readonly CorrectionRecord[],
    amended: readonly RecordedUserEvent[],
    listener: FoldListener | null = null,
  ): BeforeAfterFolds {
    const parts = { areas: this.#areas, configurations: this.#configurations, boards: this.#boards };
    return BeforeAfterFolds.begin(parts, correction.fact, { earlier, amended, listener });
  }

  /**
   * Applies a correction. @param folds made by {@link beforeAndAfter}; they have taken all earlier events of the user
   */
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

  /** Position of the last event applied; 0 before the first. */
  get position(): number {
    return this.#position;
  }

  /** The user's states after the last event applied. The next {@link apply} changes them in place. */
  get document(): Document {
    return this.#fold?.states ?? this.#origin;
  }

  /**
   * Applies the next event of the user.
   * @param reasons receives the reasons of the rules, or null if nobody wants them
   * @throws AreaError if an area cannot apply the event; the fold cannot be used afterwards. RangeError if the event's
   * position is not after the last one
   */
  apply(record: RecordedUserEvent, reasons: ExplanationListener | null = null): FoldedEvent {
    if (record.position <= this.#position)
      throw new RangeError(`the event at position ${record.position} is not after ${this.#position}`);
    const configuration = this.#configurations.at(record.configurationVersion);
    this.#fold ??= Fold.from(this.#areas, this.#origin, configuration);
    const step = this.#fold.apply(record, configuration, { reasons });
    this.#position = record.position;
    return step;
  }
}

/** Values of no boards: folding one user computes no ranks. */
const NO_BOARDS: Pick<BoardsArea, 'newRunValues'> = {
  newRunValues: () => ({ size: 0, add: () => undefined, clone: () => NO_BOARDS.newRunValues() }),
};

/**
 * Applies all recorded events of a user to a fold, in the turns of {@link eachEvent}.
 * @param listener `reasons` receives the reasons while an event is applied, `applied` receives the result; see {@link
 * SecondListener}
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

/**
 * Applies the next event of a user. For a correction, folds everything before it again. @throws as {@link
 * UserFold.apply}
 */
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

/** Makes folds take all events of the user up to a position. */
export const takeEvents = (
  folds: BeforeAfterFolds,
  events: Pick<UserEvents, 'read'>,
  user: UserRef,
  upTo: number,
): Promise<void> => eachEvent(events, user, { after: folds.position, upTo }, (record) => folds.apply(record));
