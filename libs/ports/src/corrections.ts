import type { Exact } from '@laurel/amounts';
import type {
  RunDifference,
  DamagedState,
  Attribution,
  CorrectionRecorded,
  EventAmendment,
  EventCorrection,
  EventRetraction,
  Subject,
} from '@laurel/kernel';

/** Users whose events one call may correct. */
export const MOST_CORRECTED_USERS = 100;

/** Final runs that the correction of one user may change: each is held in memory until it is committed. */
export const MOST_CORRECTED_FINAL_RUNS = 100;

/** What is to be corrected, validated: at most `MOST_CORRECTED_EVENTS` events, none twice. */
export interface CorrectionRequest extends Pick<CorrectionRecorded, 'achievements' | 'finalRuns'> {
  readonly corrections: readonly (Omit<EventRetraction, 'position'> | Omit<EventAmendment, 'position'>)[];
}

/** What a correction would do now, with everything that has been recorded so far. */
export interface CorrectionPreview {
  readonly kind: 'previewed';
  /**
   * Says what was previewed, and after which correction of each user: the same request has the same id until one of its users is
   * corrected. `previewIdOf` of `@laurel/event-store` makes it.
   */
  readonly id: string;
  /** In the order in which the request names them first. */
  readonly users: readonly PreviewedUser[];
}

/** One user before and after. Lists hold what changes. */
export interface PreviewedUser {
  readonly subject: Subject;
  /** Of this user's events, in the order of the request. */
  readonly corrections: readonly EventCorrection[];
  readonly metrics: readonly { readonly metric: string; readonly before: Exact; readonly after: Exact }[];
  /** Systems of which the total changes. */
  readonly points: readonly { readonly system: string; readonly before: PointsThen; readonly after: PointsThen }[];
  readonly achievements: readonly { readonly achievement: string; readonly change: 'completed' | 'revoked' }[];
  /** Also if it stays as it is; without a streak configured of the length 0. */
  readonly streak: { readonly before: StreakThen; readonly after: StreakThen };
  /** Where the user's values, or the instants at which they were reached, differ. */
  readonly runs: readonly PreviewedRun[];
}

export interface PreviewedRun extends RunDifference {
  /** It is final and stays as it is: `after` is what it would be with `finalRuns: 'change'`. */
  readonly stays: boolean;
}

export interface PointsThen {
  readonly total: Exact;
  /** Key of the level; null: below all of them. */
  readonly level: string | null;
}

export interface StreakThen {
  readonly length: number;
  readonly freezes: number;
}

/** How a previewed request is carried out. */
export interface CorrectionOrder extends CorrectionRequest {
  /** The id of the preview that its author has seen. */
  readonly preview: string;
  /** As the caller sent it; null: none. Hashed for each user whom the call corrects, with `CORRECTION_KEY_SCOPE` in the place of the metric. */
  readonly idempotencyKey: string | null;
  /** The key in the quotes that it came in, as earlier releases recorded it; a correction that has it is the original. */
  readonly quotedKeys?: readonly string[];
  readonly attribution: Attribution;
}

export type CorrectionOutcome = Corrected | CorrectionRefused;

export interface Corrected {
  /** `replayed`: the key was used before for all of these users; nothing was recorded. */
  readonly kind: 'recorded' | 'replayed';
  /** The recorded event of each user; of a replay the original ones. */
  readonly users: readonly CorrectedSubject[];
}

/** A user and the event that corrects. */
export interface CorrectedSubject {
  readonly subject: Subject;
  readonly eventId: string;
}

/** An event that cannot be corrected so. */
export interface RefusedCorrection {
  readonly eventId: string;
  readonly because: string;
  /** Place in the request of the correction whose instant is the reason. */
  readonly instantAt?: number;
}

/** Nothing was recorded of the user at whom it ended. */
export interface CorrectionRefused {
  readonly kind: 'refused';
  /**
   * `unknown_event`: the account has no such event.
   * `not_correctable`: nobody can correct these events so: they belong to no user or are no metric events; what a `CorrectionRecorded`
   * can hold of them makes no sense, or was done already (see `because`).
   * `too_many_awards`: a corrected event makes its user so much older that too many time awards would be owed at once.
   * `too_many_runs`: it would change more than {@link MOST_CORRECTED_FINAL_RUNS} final runs of a user.
   * `erased`: a user of these events was erased: nothing of them changes any more.
   * `unknown_metric`: another instant moves these events to where the configuration version does not have their metric.
   * `area_stopped`: an area has stopped.
   * `too_many_users`: they belong to more than {@link MOST_CORRECTED_USERS} users.
   * `import_open`: the account has an open import.
   * `stale_preview`: the id is of another request, or one of the users was corrected since.
   * `overloaded`, `unavailable`, `unknown`, `rejected`, `damaged`: as for a command.
   */
  readonly reason:
    | 'unknown_event'
    | 'not_correctable'
    | 'too_many_users'
    | 'too_many_awards'
    | 'too_many_runs'
    | 'erased'
    | 'unknown_metric'
    | 'area_stopped'
    | 'import_open'
    | 'stale_preview'
    | 'overloaded'
    | 'unavailable'
    | 'unknown'
    | 'rejected'
    | 'damaged';
  /** Of `unknown_event`, `not_correctable`, `unknown_metric` and `too_many_awards`: which ones. */
  readonly events?: readonly RefusedCorrection[];
  /** Of `unknown`: the event that may have been recorded. */
  readonly eventId?: string;
  readonly retryAfterMs?: number | null;
  readonly damage?: DamagedState;
  /** Whom the call, or one before it with the same key, has corrected, and whom it has not. Absent: nobody was corrected. */
  readonly progress?: { readonly corrected: readonly CorrectedSubject[]; readonly left: readonly Subject[] };
}

/**
 * Corrects what the log says of users (specification, section 10). Two calls are under way at a time and 16 wait; one more is rejected with
 * a ProblemError 503 `overloaded` before it does anything.
 */
export interface Corrections {
  /**
   * Folds each user with and without the corrections, and records nothing.
   * @returns never `stale_preview` or `unknown`
   */
  preview(account: string, request: CorrectionRequest): Promise<CorrectionPreview | CorrectionRefused>;
  /**
   * Records one {@link CorrectionRecorded} for each user, one user after the other, each whole or not at all, and resolves when what they
   * change is committed. A call that ended in between is sent again with its key: whoever is left is corrected, if nobody has
   * corrected one of them since the preview.
   */
  correct(account: string, order: CorrectionOrder): Promise<CorrectionOutcome>;
}

/** What stands in the place of the metric in the scope of a correction's key: no metric can be called so. */
export const CORRECTION_KEY_SCOPE = 'correction:';
