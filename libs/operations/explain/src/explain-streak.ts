import {
  formatDay,
  localDate,
  parseDay,
  periodOf,
  periodsEndingWith,
  type Day,
  type Instant,
  type LocalDate,
  type Period,
  type PeriodRule,
  type Zone,
} from '@laurel/calendar';
import { type ConditionChecked, type ConfigurationHistory, type Effect, type UserRef, sweepOf } from '@laurel/kernel';
import type { ExplainedPeriod, ExplainedStreak } from '@laurel/ports';
import { foldEvents, UserFold, type FoldedEvent, type FoldListener, type UserEvents } from '@laurel/engine';
import { isExcused, withExcused, type ExcusedDays, type StreakQueries } from '@laurel/streaks';
import type { UserQueries } from '@laurel/users';
import { USER_AREAS } from '@laurel/all-areas';
import { SilentListener } from './silent-listener.ts';

interface StreakQuery {
  readonly user: UserRef;
  readonly at: Instant;
  /** null to end with the current period. */
  readonly date: LocalDate | null;
  readonly periods: number;
}

/** Most streak ends shown. */
const MOST_ENDS = 20;

/** Folds the user event by event, then applies what time alone has changed since. */
export async function foldedStreak(
  events: UserEvents,
  history: ConfigurationHistory,
  query: StreakQuery,
): Promise<ExplainedStreak> {
  const fold = new UserFold(USER_AREAS, history);
  const follower = new StreakFollower();
  await foldEvents(fold, events, query.user, {
    reasons: follower,
    applied: (folded) => follower.take(folded),
    secondListener: () => follower.secondListener(),
  });
  return streakOf(fold, follower, history, query);
}

/** @param fold at the user's last event; not usable afterwards */
export function streakOf(
  fold: UserFold,
  { last, kept: upToLast }: StreakFollower,
  history: ConfigurationHistory,
  { user, at, date, periods }: StreakQuery,
): ExplainedStreak {
  const rule = history.current.streak?.period;
  if (last === null || rule === undefined) return { folded: true, preparing: false, periods: [], ends: [] };
  const { occasion } = last;
  const { version: configurationVersion } = history.current;
  const { account, eventId } = occasion;
  const kept = upToLast.clone();
  // A sweep that is applied but not recorded: it settles what fell due since the last event.
  const position = fold.position + 1;
  const next = { account, eventId, configurationVersion, position, occurredAt: at, recordedAt: at };
  const unrecorded = fold.apply(sweepOf(next, user.subject));
  kept.take(unrecorded, []);
  const today = kept.current(localDate(at, occasion.user.zone));
  const since = earlier(localDate(occasion.user.createdAt, occasion.user.zone), kept.first);
  const wanted = periodsEndingWith(periodOf(date ?? today, rule), periods, rule).filter(({ end }) => end >= since);
  const calendar = { today, rule, zone: occasion.user.zone };
  const explained = wanted.map((period) => kept.explained(period, calendar)).reverse();
  return { folded: true, preparing: false, periods: explained, ends: kept.ends };
}

/** An imported event, or an event on an earlier clock, may be before the date on which the user was created. */
const earlier = (createdOn: LocalDate, firstKept: LocalDate | null): LocalDate =>
  firstKept !== null && firstKept < createdOn ? firstKept : createdOn;

/** Collects what explains the streak. A correction replaces what was collected before it. */
export class StreakFollower extends SilentListener {
  #kept = new KeptPeriods();
  #retold: StreakFollower | null = null;
  #last: Pick<FoldedEvent, 'occasion'> | null = null;
  #checked: ConditionChecked[] = [];

  get kept(): KeptPeriods {
    return this.#kept;
  }

  get last(): Pick<FoldedEvent, 'occasion'> | null {
    return this.#last;
  }

  take(folded: FoldedEvent): void {
    this.#last = { occasion: folded.occasion };
    if (this.#retold !== null) this.#kept = this.#retold.kept;
    // The effects of a correction compare two folds; folding the corrected past has already collected the ends of its
    // streaks.
    this.#kept.take(this.#retold === null ? folded : { ...folded, effects: [] }, this.#checked);
    this.#retold = null;
    this.#checked = [];
  }

  /** Follows the corrected past; {@link take} then takes the correction itself. */
  secondListener(): FoldListener {
    const retold = new StreakFollower();
    this.#retold = retold;
    return { reasons: retold, applied: (applied) => retold.take(applied) };
  }

  override conditionChecked(checked: ConditionChecked): void {
    this.#checked.push(checked);
  }
}

type Outcome = Pick<ExplainedPeriod, 'status' | 'length' | 'at' | 'eventId'>;

/** The user's current date and zone, and the rule of their periods. */
interface Calendar {
  readonly today: LocalDate;
  readonly rule: PeriodRule;
  readonly zone: Zone;
}

/** The outcome of each period under the streak definition in force. */
class KeptPeriods {
  #generation: number | null = null;
  #conditions = new Map<Day, readonly ConditionChecked[]>();
  #outcomes = new Map<Day, Outcome>();
  #ends: { at: Instant; length: number; zone: string }[] = [];
  #excused: readonly ExcusedDays[] = [];

  get size(): number {
    return this.#conditions.size + this.#outcomes.size;
  }

  clone(): KeptPeriods {
    const clone = new KeptPeriods();
    clone.#generation = this.#generation;
    clone.#conditions = new Map(this.#conditions);
    clone.#outcomes = new Map(this.#outcomes);
    clone.#ends = [...this.#ends];
    clone.#excused = this.#excused;
    return clone;
  }

  /** The first day of the oldest period kept; null if there is none. */
  get first(): LocalDate | null {
    return this.#outcomes.size === 0 ? null : formatDay(Math.min(...this.#outcomes.keys()));
  }

  /** Newest first. */
  get ends(): ExplainedStreak['ends'] {
    return this.#ends.toReversed();
  }

  take({ configuration, occasion, effects, record }: FoldedEvent, checked: readonly ConditionChecked[]): void {
    const generation = configuration.streak?.generation ?? null;
    if (generation !== this.#generation) {
      this.#conditions.clear();
      this.#outcomes.clear();
      this.#ends = [];
      this.#generation = generation;
    }
    const { fact } = record;
    if (fact.type === 'GrantRecorded' && fact.grant.kind === 'excused')
      this.#excused = withExcused(this.#excused, { from: parseDay(fact.grant.from), to: parseDay(fact.grant.to) });
    const period = checked[0]?.period;
    if (period !== undefined) this.#conditions.set(period, checked);
    for (const effect of effects) this.#takeEffect(effect, occasion.user.previousZone, record.eventId);
  }

  #takeEffect(effect: Effect, zone: string, eventId: string): void {
    switch (effect.type) {
      case 'StreakStarted':
      case 'StreakExtended':
        this.#outcomes.set(effect.period, { status: 'met', length: effect.length, at: effect.at, eventId });
        return;
      case 'FreezeUsed':
        this.#outcomes.set(effect.period, { status: 'bridged', length: effect.length, at: effect.at, eventId: null });
        return;
      case 'PeriodSkipped':
        this.#outcomes.set(effect.period, { status: 'skipped', length: effect.length, at: null, eventId: null });
        return;
      case 'PeriodExcused':
        this.#outcomes.set(effect.period, { status: 'excused', length: effect.length, at: null, eventId: null });
        return;
      case 'StreakEnded':
        this.#ends.push({ at: effect.at, length: effect.length, zone });
        if (this.#ends.length > MOST_ENDS) this.#ends.shift();
        return;
      default:
    }
  }

  /** After travelling west, the user's day may be before a period already reached. */
  current(today: LocalDate): LocalDate {
    return formatDay(Math.max(parseDay(today), ...this.#conditions.keys()));
  }

  explained({ start, end }: Period, { today, rule, zone }: Calendar): ExplainedPeriod {
    const day = parseDay(start);
    const conditions = (this.#conditions.get(day) ?? []).map(({ metric, progress, threshold }) => {
      return { metric, progress, threshold };
    });
    const unmet = isExcused(this.#excused, day, rule, zone) ? 'excused' : 'missed';
    const missed: Outcome = { status: end >= today ? 'open' : unmet, length: 0, at: null, eventId: null };
    return { start, end, conditions, ...(this.#outcomes.get(day) ?? missed) };
  }
}

interface StoredStreakDependencies {
  readonly streaks: Pick<StreakQueries, 'historyTo' | 'firstKept'>;
  readonly users: Pick<UserQueries, 'find'>;
}

/** Reads the stored periods: five statements. The progress of conditions is not stored. */
export async function storedStreak(
  { streaks, users }: StoredStreakDependencies,
  history: ConfigurationHistory,
  { user, at, date, periods }: StreakQuery,
): Promise<ExplainedStreak> {
  const { account, subject } = user;
  const rule = history.current.streak?.period;
  const profile = await users.find(account, subject);
  if (rule === undefined || profile === null) return { folded: false, preparing: false, periods: [], ends: null };
  const zone = profile.tz ?? 'UTC';
  const today = localDate(at, zone);
  const since = earlier(localDate(profile.createdAt, zone), await streaks.firstKept(account, subject));
  const stored = await streaks.historyTo(user, at, date, periods);
  const shown = stored.filter(({ periodEnd }) => periodEnd >= since).reverse();
  const explained = shown.map(({ periodStart: start, periodEnd: end, length, ...kept }): ExplainedPeriod => {
    const missed = end >= today ? 'open' : (kept.passedOver ?? 'missed');
    const status = kept.usedFreeze ? 'bridged' : (kept.passedOver ?? 'met');
    return { start, end, status: length === 0 ? missed : status, length, at: null, eventId: null, conditions: null };
  });
  return { folded: false, preparing: false, periods: explained, ends: null };
}
