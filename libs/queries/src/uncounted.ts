import { addDays, localDate, type DateRange, type Instant } from '@laurel/calendar';
import type { BoardRun, ExplainedStandingAnswer, LeaderboardDefinition, KnownUser } from '@laurel/contracts';
import type { QueryPorts } from './ports.ts';

/** How far back is looked for what a user has in a run without an end, in days. */
const FARTHEST = 3_650;

/**
 * Why nothing of a user counted in a run of a board: by the totals of what it ranks by, and by what changed them on dates of the run. What
 * is dated in the run and did not count was recorded before the board was.
 */
export async function uncounted(
  { users, points, streaks }: Pick<QueryPorts, 'users' | 'points' | 'streaks'>,
  account: string,
  { subject, profile }: KnownUser,
  { rankBy }: LeaderboardDefinition,
  run: BoardRun,
  at: Instant,
): Promise<NonNullable<ExplainedStandingAnswer['uncounted']>> {
  const range = shortened(run, localDate(at, profile.tz ?? 'UTC'));
  switch (rankBy.type) {
    case 'metric': {
      const { key } = rankBy.metric;
      if (!profile.totals.has(key)) return 'nothing_recorded';
      const rule = { frequency: 'monthly', weekStart: 'monday' } as const;
      const buckets = range && (await users.metricSummary(account, subject, key, { ...range, rule }));
      return placeOf(buckets);
    }
    case 'points': {
      const { key } = rankBy.pointsSystem;
      const [award] = await points.awards(account, subject, key, at, 1);
      if (award === undefined) return 'nothing_recorded';
      const buckets = range && (await points.summary(account, subject, key, at, { ...range, aggregation: 'monthly' }));
      return placeOf(buckets);
    }
    case 'streak': {
      const lengths = await streaks.lengths(account, [subject], at);
      const extendedAt = lengths.get(subject)?.extendedAt ?? null;
      if (extendedAt === null) return 'nothing_recorded';
      const date = localDate(extendedAt, profile.tz ?? 'UTC');
      return range !== null && range.from <= date && date <= range.to ? 'recorded_before' : 'outside_run';
    }
  }
}

const placeOf = (buckets: readonly { readonly change: bigint }[] | null) =>
  buckets?.some(({ change }) => change !== 0n) ? 'recorded_before' : 'outside_run';

/** The dates of a run up to today; null: it lies ahead. */
function shortened({ start, end }: BoardRun, today: string): DateRange | null {
  const to = end === null || end > today ? today : end;
  const earliest = addDays(to, -FARTHEST);
  const from = start > earliest ? start : earliest;
  return from > to ? null : { from, to };
}
