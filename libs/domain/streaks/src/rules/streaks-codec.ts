import { formatMillionths, parseMillionths, type Exact } from '@laurel/amounts';
import { formatDay, parseDay, type Day, type Instant, type LocalDate, type Zone } from '@laurel/calendar';
import { freezesAt, type FreezeAccount } from './freeze-account.ts';
import { withEnd, type Streak } from './streak-end.ts';
import type { StreaksPlan } from './streaks-plan.ts';
import type { StreaksState } from './streaks-state.ts';

/**
 * Versions. 2: a living streak is due at its end. 3: lengths are counted, and tables are by subject. 4: stored alone.
 * 5: effects. 6: fields for excused days. 7: skipped and excused periods. 8: ends by erasure. 9: excused days are kept.
 */
export const STREAK_STATE_VERSION = 9;

/** The stored form: amounts as decimals, days as dates, the progress as pairs. `endsAt` is computed from the rest. */
export interface StoredStreaks {
  readonly generation: number;
  readonly createdAt: Instant | null;
  readonly zone: Zone;
  readonly latest: Instant | null;
  readonly reached: LocalDate | null;
  readonly progress: readonly (readonly [metric: string, sum: string])[];
  readonly streak: StoredStreak | null;
  readonly freezes: FreezeAccount | null;
  /** Missing in states of releases that did not store it, and without freezes. */
  readonly held?: number;
  /**
   * First and last day of each range, as days since 1970. This field and the next two are missing if they are empty.
   */
  readonly excused?: readonly (readonly [from: Day, to: Day])[];
  /** Days since 1970. */
  readonly lapses?: readonly (readonly [length: number, startedOn: Day, lastPeriod: Day, resumed: Day])[];
  readonly frozen?: readonly (readonly [period: Day, length: number])[];
  /** Days since 1970. Absent if no reminder fell due. */
  readonly reminded?: Day;
}

interface StoredStreak extends Omit<Streak, 'startedOn' | 'lastPeriod' | 'endsAt'> {
  readonly startedOn: LocalDate;
  readonly lastPeriod: LocalDate;
}

export function encode(state: StreaksState, { rules }: StreaksPlan): StoredStreaks {
  const { generation, createdAt, zone, latest, reached, progress, otherProgress, streak, freezes, held } = state;
  const known = progress.flatMap((sum, place) =>
    sum === undefined ? [] : [[rules?.metrics[place] as string, formatMillionths(sum)] as const],
  );
  const others = [...otherProgress].map(([metric, sum]) => [metric, formatMillionths(sum)] as const);
  return {
    generation,
    createdAt,
    zone,
    latest,
    reached: reached === null ? null : formatDay(reached),
    progress: [...known, ...others],
    streak: streak === null ? null : encodeStreak(streak),
    freezes,
    ...(freezes !== null && { held }),
    ...encodePast(state),
  };
}

const encodePast = ({ excused, lapses, frozen, reminded }: StreaksState) => ({
  ...(excused.length > 0 && { excused: excused.map(({ from, to }) => [from, to] as const) }),
  ...(lapses.length > 0 && {
    lapses: lapses.map(
      ({ length, startedOn, lastPeriod, resumed }) => [length, startedOn, lastPeriod, resumed] as const,
    ),
  }),
  ...(frozen.length > 0 && { frozen: frozen.map(({ period, length }) => [period, length] as const) }),
  ...(reminded !== null && { reminded }),
});

const decodePast = ({ excused = [], lapses = [], frozen = [], reminded }: StoredStreaks) => ({
  excused: excused.map(([from, to]) => ({ from, to })),
  lapses: lapses.map(([length, startedOn, lastPeriod, resumed]) => ({ length, startedOn, lastPeriod, resumed })),
  frozen: frozen.map(([period, length]) => ({ period, length })),
  reminded: reminded ?? null,
});

const encodeStreak = ({ length, startedOn, lastPeriod, zoneAtMet, extendedAt, ended }: Streak): StoredStreak => ({
  length,
  startedOn: formatDay(startedOn),
  lastPeriod: formatDay(lastPeriod),
  zoneAtMet,
  extendedAt,
  ended,
});

/** Reads the output of {@link encode} under any plan. */
export function decode(json: unknown, plan: StreaksPlan): StreaksState {
  const stored = json as StoredStreaks;
  const { generation, createdAt, zone, latest, reached, streak, freezes } = stored;
  return {
    generation,
    createdAt,
    zone,
    latest,
    reached: reached === null ? null : parseDay(reached),
    ...decodeProgress(stored, plan),
    streak: streak === null ? null : decodeStreak(streak, stored, plan),
    freezes,
    held: stored.held ?? heldAtLatest(stored),
    ...decodePast(stored),
  };
}

function decodeProgress({ progress: sums }: StoredStreaks, { rules }: StreaksPlan) {
  const metrics = rules?.metrics ?? [];
  const progress: (Exact | undefined)[] = metrics.map(() => undefined);
  const otherProgress = new Map<string, Exact>();
  for (const [metric, sum] of sums) {
    const place = metrics.indexOf(metric);
    if (place < 0) otherProgress.set(metric, parseMillionths(sum));
    else progress[place] = parseMillionths(sum);
  }
  return { progress, otherProgress };
}

/** A streak of another generation, or under a version without streaks, has ended, so its end is not computed. */
function decodeStreak(stored: StoredStreak, { zone, generation }: StoredStreaks, { rules }: StreaksPlan): Streak {
  const streak = { ...stored, startedOn: parseDay(stored.startedOn), lastPeriod: parseDay(stored.lastPeriod) };
  return rules?.generation === generation ? withEnd(streak, zone, rules.period) : { ...streak, endsAt: -Infinity };
}

const heldAtLatest = ({ freezes, createdAt, latest }: StoredStreaks): number =>
  freezes === null || createdAt === null ? 0 : freezesAt(freezes, createdAt, latest ?? freezes.asOf);
