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

/** The most users whose events one call may correct. */
export const MOST_CORRECTED_USERS = 100;

/** The most final runs that the correction of one user may change: each is held in memory until the commit. */
export const MOST_CORRECTED_FINAL_RUNS = 100;

/** A validated request: at most `MOST_CORRECTED_EVENTS` events, each at most once. */
export interface CorrectionRequest extends Pick<CorrectionRecorded, 'achievements' | 'finalRuns'> {
  readonly corrections: readonly (Omit<EventRetraction, 'position'> | Omit<EventAmendment, 'position'>)[];
}

/** The changes that a correction would make now. */
export interface CorrectionPreview {
  readonly kind: 'previewed';
  /**
   * Identifies the request and the latest correction of each user: the same request has the same id until one of its users is corrected. `previewIdOf` of `@laurel/event-store` makes it.
   */
  readonly id: string;
  /** The users, in the order in which the request first names them. */
  readonly users: readonly PreviewedUser[];
}

/** One user before and after the correction. Lists hold only what changes. */
export interface PreviewedUser {
  readonly subject: Subject;
  /** This user's corrections, in the order of the request. */
  readonly corrections: readonly EventCorrection[];
  readonly metrics: readonly { readonly metric: string; readonly before: Exact; readonly after: Exact }[];
  /** Systems whose total or level changes. */
  readonly points: readonly { readonly system: string; readonly before: PointsThen; readonly after: PointsThen }[];
  readonly achievements: readonly { readonly achievement: string; readonly change: 'completed' | 'revoked' }[];
  /** Present even if it does not change; of length 0 without a streak configured. */
  readonly streak: { readonly before: StreakThen; readonly after: StreakThen };
  /** Runs in which the user's value, or the instant at which it was reached, differs. */
  readonly runs: readonly PreviewedRun[];
}

export interface PreviewedRun extends RunDifference {
  /** Whether it is final and does not change: `after` is then its value with `finalRuns: 'change'`. */
  readonly stays: boolean;
}

export interface PointsThen {
  readonly total: Exact;
  /** Present only if levels of the system follow what was earned. */
  readonly earned?: Exact;
  /** Key of the level; null below all of them. */
  readonly level: string | null;
}

export interface StreakThen {
  readonly length: number;
  readonly freezes: number;
}

/** A request to carry out a previewed correction. */
export interface CorrectionOrder extends CorrectionRequest {
  /** The id of the preview that its author has seen. */
  readonly preview: string;
  /** As the caller sent it; null if none was sent. Hashed for each corrected user, with `CORRECTION_KEY_SCOPE` in place of the metric. */
  readonly idempotencyKey: string | null;
  /** The key with the quotes around it, as earlier releases recorded it. A correction with one of them is the original. */
  readonly quotedKeys?: readonly string[];
  readonly attribution: Attribution;
}

export type CorrectionOutcome = Corrected | CorrectionRefused;

export interface Corrected {
  /** `replayed`: the key had been used for all of these users; nothing was recorded. */
  readonly kind: 'recorded' | 'replayed';
  /** The recorded event of each user; in a replay, the original events. */
  readonly users: readonly CorrectedSubject[];
}

/** A user and the event that corrects them. */
export interface CorrectedSubject {
  readonly subject: Subject;
  readonly eventId: string;
}

/** An event that cannot be corrected as requested. */
export interface RefusedCorrection {
  readonly eventId: string;
  readonly because: string;
  /** Index in the request of the correction whose instant is the reason. */
  readonly instantAt?: number;
}

/** The correction was refused at a user, for whom nothing was recorded. */
export interface CorrectionRefused {
  readonly kind: 'refused';
  /**
   * `unknown_event`: the account has no such event.
   * `not_correctable`: these events cannot be corrected as requested: they belong to no user or are no metric events, or the correction
   * makes no sense or was made already (see `because`).
   * `too_many_awards`: a corrected event makes its user so much older that too many time awards would be owed at once.
   * `too_many_runs`: the correction would change more than {@link MOST_CORRECTED_FINAL_RUNS} final runs of a user.
   * `erased`: a user of these events was erased, so their events no longer change.
   * `unknown_metric`: the new instant moves these events to a configuration version without their metric.
   * `area_stopped`: an area has stopped.
   * `too_many_users`: the events belong to more than {@link MOST_CORRECTED_USERS} users.
   * `import_open`: the account has an open import.
   * `stale_preview`: the preview belongs to another request, or one of the users was corrected since.
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
  /** The refused events; only for `unknown_event`, `not_correctable`, `unknown_metric` and `too_many_awards`. */
  readonly events?: readonly RefusedCorrection[];
  /** The event that may have been recorded; only for `unknown`. */
  readonly eventId?: string;
  readonly retryAfterMs?: number | null;
  readonly damage?: DamagedState;
  /** The users whom this call, or an earlier one with the same key, has corrected, and the others. Absent if nobody was corrected. */
  readonly progress?: { readonly corrected: readonly CorrectedSubject[]; readonly left: readonly Subject[] };
}

/**
 * Corrects recorded events of users (specification, section 10). Two calls run at a time and 16 wait; further calls are rejected with a
 * ProblemError 503 `overloaded`.
 */
export interface Corrections {
  /**
   * Folds each user with and without the corrections, and records nothing.
   * @returns never `stale_preview` or `unknown`
   */
  preview(account: string, request: CorrectionRequest): Promise<CorrectionPreview | CorrectionRefused>;
  /**
   * Records one {@link CorrectionRecorded} for each user, one user after the other, each whole or not at all, and resolves when their
   * changes are committed. A call that ended in between is sent again with its key: it corrects the remaining users, unless one of them
   * was corrected since the preview.
   */
  correct(account: string, order: CorrectionOrder): Promise<CorrectionOutcome>;
}

/** Stands in place of the metric in the scope of a correction's key. No metric can have this name. */
export const CORRECTION_KEY_SCOPE = 'correction:';
