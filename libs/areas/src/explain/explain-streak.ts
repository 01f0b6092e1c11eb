import {
  dayAt,
  formatDay,
  localDate,
  parseDay,
  periodOf,
  periodsEndingWith,
  type Day,
  type Instant,
  type LocalDate,
  type Period,
} from '@laurel/calendar';
import type {
  ConditionChecked,
  ConfigurationHistory,
  Effect,
  ExplainedPeriod,
  ExplainedStreak,
  Reasons,
  UserRef,
} from '@laurel/contracts';
import { foldEvents, UserFold, type FoldedEvent, type UserEvents } from '@laurel/engine';
import type { StreakQueries } from '@laurel/streaks';
import type { UserQueries } from '@laurel/users';
import { USER_AREAS } from '../user-areas.ts';

export interface AskedStreak {
  readonly user: UserRef;
  readonly at: Instant;
  /** null: the current period is the last. */
  readonly date: LocalDate | null;
  readonly periods: number;
}

/** Ends that are shown. */
const MOST_ENDS = 20;

/** By the rules, event by event, and then by what time has done since. */
export async function foldedStreak(
  events: UserEvents,
  history: ConfigurationHistory,
  { user, at, date, periods }: AskedStreak,
): Promise<ExplainedStreak> {
  const fold = new UserFold(USER_AREAS, history);
  const heard = new Checked();
  const kept = new KeptPeriods();
  let last: FoldedEvent | null = null;
  await foldEvents(fold, events, user, {
    reasons: heard,
    applied: (folded) => {
      last = folded;
      kept.take(folded, heard.take());
    },
  });
  const rule = history.current.streak?.period;
  if (last === null || rule === undefined) return { folded: true, periods: [], ends: [] };
  const { occasion } = last as FoldedEvent;
  const { version: configurationVersion } = history.current;
  const { account, eventId } = occasion;
  // Time alone: what no event or sweep has recorded yet. The fold is at its end and nothing is stored.
  const unrecorded = fold.apply({
    ...{ account, eventId, configurationVersion, position: fold.position + 1 },
    ...{ occurredAt: at, recordedAt: at, fact: { type: 'UserSwept', subject: user.subject, place: 0 } },
  });
  kept.take(unrecorded, []);
  const today = kept.current(localDate(at, occasion.user.zone));
  const createdOn = localDate(occasion.user.createdAt, occasion.user.zone);
  const wanted = wantedPeriods(periods, date ?? today, rule).filter(({ end }) => end >= createdOn);
  return { folded: true, periods: wanted.map((period) => kept.explained(period, today)).reverse(), ends: kept.ends };
}

const wantedPeriods = (
  count: number,
  date: LocalDate,
  rule: Parameters<typeof periodsEndingWith>[2],
): readonly Period[] => periodsEndingWith(periodOf(date, rule), count, rule);

/** Hears how far each condition of the current period is. */
class Checked implements Reasons {
  #checked: ConditionChecked[] = [];

  /** Those since the last call. */
  take(): readonly ConditionChecked[] {
    const checked = this.#checked;
    this.#checked = [];
    return checked;
  }

  conditionChecked(checked: ConditionChecked): void {
    this.#checked.push(checked);
  }
  triggerFired(): void {}
  triggerMissed(): void {}
  achievementMissed(): void {}
}

type Outcome = Pick<ExplainedPeriod, 'status' | 'length' | 'at'>;

/** What became of each period of the present definition. */
class KeptPeriods {
  #generation: number | null = null;
  readonly #conditions = new Map<Day, readonly ConditionChecked[]>();
  readonly #outcomes = new Map<Day, Outcome>();
  #ends: { at: Instant; length: number; zone: string }[] = [];

  /** Newest first. */
  get ends(): ExplainedStreak['ends'] {
    return this.#ends.toReversed();
  }

  take({ configuration, occasion, effects }: FoldedEvent, checked: readonly ConditionChecked[]): void {
    const generation = configuration.streak?.generation ?? null;
    if (generation !== this.#generation) {
      this.#conditions.clear();
      this.#outcomes.clear();
      this.#ends = [];
      this.#generation = generation;
    }
    const period = checked[0]?.period;
    if (period !== undefined) this.#conditions.set(period, checked);
    for (const effect of effects) this.#takeEffect(effect, occasion.user.previousZone);
  }

  #takeEffect(effect: Effect, zone: string): void {
    switch (effect.type) {
      case 'StreakStarted':
      case 'StreakExtended':
        this.#outcomes.set(effect.period, { status: 'met', length: effect.length, at: effect.at });
        return;
      case 'FreezeUsed':
        this.#outcomes.set(effect.period, { status: 'bridged', length: effect.length, at: effect.at });
        return;
      case 'PeriodSkipped':
        this.#outcomes.set(effect.period, { status: 'skipped', length: effect.length, at: null });
        return;
      case 'PeriodExcused':
        this.#outcomes.set(effect.period, { status: 'excused', length: effect.length, at: null });
        return;
      case 'StreakEnded':
        this.#ends.push({ at: effect.at, length: effect.length, zone });
        if (this.#ends.length > MOST_ENDS) this.#ends.shift();
        return;
      default:
    }
  }

  /** Having travelled west the user's day may lie before the period that they have already reached. */
  current(today: LocalDate): LocalDate {
    return formatDay(Math.max(parseDay(today), ...this.#conditions.keys()));
  }

  explained({ start, end }: Period, today: LocalDate): ExplainedPeriod {
    const day = parseDay(start);
    const conditions = (this.#conditions.get(day) ?? []).map(({ metric, progress, threshold }) => {
      return { metric, progress, threshold };
    });
    const missed: Outcome = { status: end >= today ? 'open' : 'missed', length: 0, at: null };
    return { start, end, conditions, ...(this.#outcomes.get(day) ?? missed) };
  }
}

export interface StoredStreakParts {
  readonly streaks: Pick<StreakQueries, 'historyTo'>;
  readonly users: Pick<UserQueries, 'find'>;
}

/** From the stored periods: three statements. How far a condition was is not stored. */
export async function storedStreak(
  { streaks, users }: StoredStreakParts,
  history: ConfigurationHistory,
  { user: { account, subject }, at, date, periods }: AskedStreak,
): Promise<ExplainedStreak> {
  const rule = history.current.streak?.period;
  const profile = await users.find(account, subject);
  if (rule === undefined || profile === null) return { folded: false, periods: [], ends: null };
  const zone = profile.tz ?? 'UTC';
  const today = localDate(at, zone);
  const createdOn = formatDay(dayAt(profile.createdAt, zone));
  const stored = await streaks.historyTo(account, subject, at, date, periods);
  const shown = stored.filter(({ periodEnd }) => periodEnd >= createdOn);
  const explained = shown.map(({ periodStart: start, periodEnd: end, length, usedFreeze }): ExplainedPeriod => {
    const missed = end >= today ? 'open' : 'missed';
    const kept = usedFreeze ? 'bridged' : 'met';
    return { start, end, status: length === 0 ? missed : kept, length, at: null, conditions: null };
  });
  return { folded: false, periods: explained.reverse(), ends: null };
}
