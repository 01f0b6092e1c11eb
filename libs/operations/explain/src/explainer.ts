import type { Instant, LocalDate } from '@laurel/calendar';
import type { Subject, UserRef, BoardRun } from '@laurel/kernel';
import type {
  AwardPlace,
  ChangePlace,
  ExplainReads,
  ExplainedAchievement,
  ExplainedChanges,
  ExplainedEvent,
  ExplainedPoints,
  ExplainedPointsOfEvent,
  ExplainedStreak,
  TimelinePage,
  ZoneChange,
} from '@laurel/ports';
import { positionsInPostgres, recordOfUser, UserEvents, FoldsAtOnce } from '@laurel/engine';
import { explainAchievement } from './explain-achievement.ts';
import { explainChanges } from './explain-changes.ts';
import { explainEvent } from './explain-event.ts';
import { foldedPointsOfEvent, snapshotPointsOfEvent, storedPointsOfEvent } from './explain-points-of-event.ts';
import { foldedPoints, snapshotPoints, storedPoints } from './explain-points.ts';
import { foldedStreak, storedStreak, streakOf } from './explain-streak.ts';
import { FoldedUser } from './folded-user.ts';
import { FoldedUsers } from './folded-users.ts';
import type { ExplainerDependencies } from './explainer-dependencies.ts';
import { userTimeline } from './user-timeline.ts';

/** Limit of events for folding a user for an answer, because a fold reads all of them. */
const MOST_FOLDED_EVENTS = 500;
/**
 * Limit of points effects for folding a user for an answer, because a fold computes all of them again: a user may have
 * many time awards.
 */
const MOST_FOLDED_EFFECTS = 5_000;

const EFFECTS_ON_POINTS = `
select coalesce(sum(json_array_length(points::json)), 0)::int as effects from effects where subject = $1 and points is not null`;

/**
 * Explains numbers in a process that reads the log and the read models of all areas. Areas may be at different positions: the users area,
 * which is the first, says which events a user has. A fold already contains events that later areas have not applied yet; their tables
 * do not.
 */
export class Explainer implements ExplainReads {
  readonly #dependencies: ExplainerDependencies;
  readonly #events: UserEvents;
  readonly #folds = new FoldsAtOnce({ most: 2, what: 'explanations' });
  readonly #folded: FoldedUsers;

  constructor(dependencies: ExplainerDependencies) {
    this.#dependencies = dependencies;
    this.#events = new UserEvents(positionsInPostgres(dependencies.sqlOf('users')), dependencies.log);
    this.#folded = new FoldedUsers(this.#events, dependencies.configurations);
  }

  /** Drops the user from memory. */
  forget(user: UserRef): void {
    this.#folded.forget(user);
  }

  async points(
    user: UserRef,
    system: string,
    at: Instant,
    { before, limit }: { readonly before: AwardPlace | null; readonly limit: number },
  ): Promise<ExplainedPoints | null> {
    const asked = { user, system, at, before, limit };
    const history = this.#dependencies.configurations(user.account);
    if (await this.#canFold(user)) {
      if (before?.folded === false) return storedPoints(this.#dependencies, history, asked);
      return this.#folds.run(() => foldedPoints(this.#events, history, asked));
    }
    const folded = await this.#folded.find(user);
    if (folded instanceof FoldedUser && before?.folded !== false)
      return snapshotPoints(folded, this.#dependencies.log, history, asked);
    if (before?.folded) return null;
    return { ...(await storedPoints(this.#dependencies, history, asked)), preparing: folded === 'preparing' };
  }

  async pointsOfEvent(
    user: UserRef,
    system: string,
    at: Instant,
    eventId: string,
  ): Promise<ExplainedPointsOfEvent | null> {
    const record = recordOfUser(await this.#dependencies.log.find(user.account, eventId), user);
    if (record === null) return null;
    const asked = { user, system, at, record };
    const history = this.#dependencies.configurations(user.account);
    if (await this.#canFold(user)) return this.#folds.run(() => foldedPointsOfEvent(this.#events, history, asked));
    const folded = await this.#folded.find(user);
    if (folded instanceof FoldedUser) return snapshotPointsOfEvent(folded, this.#dependencies.log, history, asked);
    return { ...(await storedPointsOfEvent(this.#dependencies, history, asked)), preparing: folded === 'preparing' };
  }

  achievement(account: string, subject: Subject, achievement: string, at: Instant): Promise<ExplainedAchievement> {
    return explainAchievement(this.#dependencies, { account, subject }, achievement, at);
  }

  async streak(
    account: string,
    subject: Subject,
    at: Instant,
    { date, periods }: { readonly date: LocalDate | null; readonly periods: number },
  ): Promise<ExplainedStreak> {
    const asked = { user: { account, subject }, at, date, periods };
    const history = this.#dependencies.configurations(account);
    if (await this.#canFold(asked.user)) return this.#folds.run(() => foldedStreak(this.#events, history, asked));
    const folded = await this.#folded.find(asked.user);
    if (folded instanceof FoldedUser) return streakOf(folded.furtherFold(), folded.streak, history, asked);
    return { ...(await storedStreak(this.#dependencies, history, asked)), preparing: folded === 'preparing' };
  }

  changes(
    user: UserRef,
    board: string,
    run: BoardRun,
    page: { readonly before: ChangePlace | null; readonly limit: number },
  ): Promise<ExplainedChanges> {
    return explainChanges(this.#dependencies, { user, board, run, ...page });
  }

  zoneChanges(subject: Subject, limit: number): Promise<readonly ZoneChange[]> {
    return this.#dependencies.users.zoneChanges(subject, limit);
  }

  event(account: string, eventId: string, page: Parameters<ExplainReads['event']>[2]): Promise<ExplainedEvent | null> {
    return explainEvent(this.#dependencies, account, eventId, page);
  }

  timeline(account: string, subject: Subject, page: Parameters<ExplainReads['timeline']>[2]): Promise<TimelinePage> {
    return userTimeline(this.#dependencies, account, subject, page);
  }

  async #canFold(user: UserRef): Promise<boolean> {
    if (await this.#events.areMoreThan(user, MOST_FOLDED_EVENTS)) return false;
    const [row] = await this.#dependencies
      .sqlOf('points')
      .query<{ effects: number }>(EFFECTS_ON_POINTS, [user.subject]);
    return (row?.effects ?? 0) <= MOST_FOLDED_EFFECTS;
  }
}
