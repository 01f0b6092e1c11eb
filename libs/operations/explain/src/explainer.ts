import type { Instant, LocalDate } from '@laurel/calendar';
import type { ConfigurationHistory, StateReader, Subject, UserRef, BoardRun } from '@laurel/kernel';
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
import type { EventLookup } from '@laurel/event-store';
import type { PointsQueries } from '@laurel/points';
import { positionsInPostgres, recordOfUser, UserEvents, FoldsAtOnce } from '@laurel/engine';
import type { StreakQueries } from '@laurel/streaks';
import type { UserQueries } from '@laurel/users';
import { explainAchievement } from './explain-achievement.ts';
import { explainChanges } from './explain-changes.ts';
import { explainEvent, type AskedUsers } from './explain-event.ts';
import { foldedPointsOfEvent, snapshotPointsOfEvent, storedPointsOfEvent } from './explain-points-of-event.ts';
import { foldedPoints, snapshotPoints, storedPoints } from './explain-points.ts';
import { foldedStreak, storedStreak, streakOf } from './explain-streak.ts';
import { FoldedUser } from './folded-user.ts';
import { FoldedUsers } from './folded-users.ts';
import type { SqlOfArea } from '@laurel/stored-effects';
import { userTimeline, type AskedTimeline } from './user-timeline.ts';

/** What explanations are made of. */
export interface ExplainerParts {
  readonly sqlOf: SqlOfArea;
  readonly log: EventLookup;
  readonly users: UserQueries;
  readonly points: PointsQueries;
  readonly streaks: StreakQueries;
  readonly states: StateReader;
  readonly configurations: (account: string) => ConfigurationHistory;
}

/** A user of more events is not folded for each answer: it would read them all. */
export const MOST_FOLDED_EVENTS = 500;
/** Nor is one of more effects on points, as of time awards: it would work them all out again. */
const MOST_FOLDED_EFFECTS = 5_000;

const EFFECTS_ON_POINTS = `
select coalesce(sum(json_array_length(points::json)), 0)::int as effects from effects where subject = $1 and points is not null`;

/**
 * Why numbers are what they are, of a process that reads the log and the read models of all areas. Areas may be at different positions: the
 * users area, which is the first, says which events a user has. A fold gives what the others will store of an event that they have not
 * applied yet; what is read from their tables lacks it until then.
 */
export class Explainer implements ExplainReads {
  readonly #parts: ExplainerParts;
  readonly #events: UserEvents;
  readonly #folds = new FoldsAtOnce({ most: 2, what: 'explanations' });
  readonly #folded: FoldedUsers;

  constructor(parts: ExplainerParts) {
    this.#parts = parts;
    this.#events = new UserEvents(positionsInPostgres(parts.sqlOf('users')), parts.log);
    this.#folded = new FoldedUsers(this.#events, parts.configurations);
  }

  /** Nothing of the user stays in memory. */
  forget(user: UserRef): void {
    this.#folded.forget(user);
  }

  async points(
    account: string,
    subject: Subject,
    system: string,
    at: Instant,
    { before, limit }: { readonly before: AwardPlace | null; readonly limit: number },
  ): Promise<ExplainedPoints | null> {
    const user = { account, subject };
    const asked = { user, system, at, before, limit };
    const history = this.#parts.configurations(account);
    if (await this.#canFold(user)) {
      if (before?.folded === false) return storedPoints(this.#parts, history, asked);
      return this.#folds.run(() => foldedPoints(this.#events, history, asked));
    }
    const folded = await this.#folded.find(user);
    if (folded instanceof FoldedUser && before?.folded !== false)
      return snapshotPoints(folded, this.#parts.log, history, asked);
    if (before?.folded) return null;
    return { ...(await storedPoints(this.#parts, history, asked)), preparing: folded === 'preparing' };
  }

  async pointsOfEvent(
    account: string,
    subject: Subject,
    system: string,
    at: Instant,
    eventId: string,
  ): Promise<ExplainedPointsOfEvent | null> {
    const user = { account, subject };
    const record = recordOfUser(await this.#parts.log.find(account, eventId), user);
    if (record === null) return null;
    const asked = { user, system, at, record };
    const history = this.#parts.configurations(account);
    if (await this.#canFold(user)) return this.#folds.run(() => foldedPointsOfEvent(this.#events, history, asked));
    const folded = await this.#folded.find(user);
    if (folded instanceof FoldedUser) return snapshotPointsOfEvent(folded, this.#parts.log, history, asked);
    return { ...(await storedPointsOfEvent(this.#parts, history, asked)), preparing: folded === 'preparing' };
  }

  achievement(account: string, subject: Subject, achievement: string, at: Instant): Promise<ExplainedAchievement> {
    return explainAchievement(this.#parts, { account, subject }, achievement, at);
  }

  async streak(
    account: string,
    subject: Subject,
    at: Instant,
    { date, periods }: { readonly date: LocalDate | null; readonly periods: number },
  ): Promise<ExplainedStreak> {
    const asked = { user: { account, subject }, at, date, periods };
    const history = this.#parts.configurations(account);
    if (await this.#canFold(asked.user)) return this.#folds.run(() => foldedStreak(this.#events, history, asked));
    const folded = await this.#folded.find(asked.user);
    if (folded instanceof FoldedUser) return streakOf(folded.furtherFold(), folded.streak, history, asked);
    return { ...(await storedStreak(this.#parts, history, asked)), preparing: folded === 'preparing' };
  }

  changes(
    account: string,
    subject: Subject,
    board: string,
    run: BoardRun,
    page: { readonly before: ChangePlace | null; readonly limit: number },
  ): Promise<ExplainedChanges> {
    const asked = { user: { account, subject }, board, run, ...page };
    return explainChanges(this.#parts, this.#parts.configurations(account), asked);
  }

  zoneChanges(subject: Subject, limit: number): Promise<readonly ZoneChange[]> {
    return this.#parts.users.zoneChanges(subject, limit);
  }

  event(account: string, eventId: string, asked: AskedUsers): Promise<ExplainedEvent | null> {
    return explainEvent(this.#parts, account, eventId, asked);
  }

  timeline(account: string, subject: Subject, page: AskedTimeline): Promise<TimelinePage> {
    return userTimeline(this.#parts, account, subject, page);
  }

  async #canFold(user: UserRef): Promise<boolean> {
    if (await this.#events.areMoreThan(user, MOST_FOLDED_EVENTS)) return false;
    const [row] = await this.#parts.sqlOf('points').query<{ effects: number }>(EFFECTS_ON_POINTS, [user.subject]);
    return (row?.effects ?? 0) <= MOST_FOLDED_EFFECTS;
  }
}
