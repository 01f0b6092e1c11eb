import { dayAt, parseDay, type Day } from '@laurel/calendar';
import type { ConfigurationHistory, LeaderboardDefinition, BoardRun } from '@laurel/kernel';
import type { ExplainReads, TimelinePage } from '@laurel/ports';
import type { ExplainedStandingAnswer, KnownUser } from '@laurel/schemas';

type Entry = TimelinePage['entries'][number];
type Why = NonNullable<ExplainedStandingAnswer['uncounted']>;

/** Most pages of events read. If a user has more events, the answer does not say why nothing counted. */
const MOST_PAGES = 20;
const PAGE = 50;

/**
 * Why a user has no value in a run of a board. Looks at how much each event contributed to the board, and on which day;
 * retracted events do not count. null if the user has too many events, or one whose instant or zone was amended.
 */
export async function uncounted(
  explain: Pick<ExplainReads, 'timeline'>,
  history: ConfigurationHistory,
  { user, board, run }: { readonly user: KnownUser; readonly board: LeaderboardDefinition; readonly run: BoardRun },
): Promise<Why | null> {
  const seen = new Set<Why>();
  let before: number | null = null;
  for (let page = 0; page < MOST_PAGES; page++) {
    const { entries, next }: TimelinePage = await explain.timeline(history.account, user.subject, {
      before,
      limit: PAGE,
    });
    for (const entry of entries) {
      if (entry.corrected?.retracted) continue;
      if (board.rankBy.type === 'metric' ? isMoved(entry) : isTooMuch(entry)) return null;
      for (const day of daysOf(entry, board, user.profile.tz ?? 'UTC'))
        if (!isIn(run, day)) seen.add('outside_run');
        else if (isKeptOff(entry)) seen.add('kept_off');
        else if (!ranksAlike(history, entry, board)) return 'recorded_before';
    }
    if (next === null)
      return seen.has('kept_off') ? 'kept_off' : seen.has('outside_run') ? 'outside_run' : 'nothing_recorded';
    before = next;
  }
  return null;
}

/** A moved event counts under the version and clock of its new instant, which are not stored with it. */
const isMoved = ({ corrected }: Entry): boolean => corrected?.occurredAt !== undefined || corrected?.tz !== undefined;

/** Events do not store how a correction changes awards and streaks, and an entry shows only the last awards of an event. */
const isTooMuch = ({ record: { fact }, effects }: Entry): boolean =>
  fact.type === 'CorrectionRecorded' || effects.pointsLeftOut > 0;

/** The days on which the event contributed to the board. */
function daysOf(
  { record, corrected, effects }: Entry,
  { rankBy }: LeaderboardDefinition,
  zone: string,
): readonly Day[] {
  const { fact, occurredAt } = record;
  const total = effects.users.find((effect) => effect.type === 'MetricTotalChanged');
  const day = total?.day ?? dayAt(occurredAt, zone);
  switch (rankBy.type) {
    case 'metric': {
      if (fact.type !== 'MetricEventRecorded' || fact.metric !== rankBy.metric.key) return [];
      return (corrected?.value ?? fact.value) === 0n ? [] : [day];
    }
    case 'points':
      return effects.points.flatMap((effect) =>
        effect.type === 'PointsAwarded' && effect.system === rankBy.pointsSystem.key ? [effect.day] : [],
      );
    case 'streak':
      return effects.streaks.some(({ type }) => LENGTHENING.has(type)) ? [day] : [];
  }
}

const LENGTHENING: ReadonlySet<string> = new Set([
  'StreakStarted',
  'StreakExtended',
  'StreakRevived',
  'StreakRejoined',
]);

const isIn = ({ start, end }: BoardRun, day: Day): boolean =>
  parseDay(start) <= day && (end === null || day <= parseDay(end));

const isKeptOff = ({ record: { fact } }: Entry): boolean =>
  fact.type === 'GrantRecorded' && fact.grant.kind === 'points' && fact.grant.boards === false;

/** Whether the board existed when the event was applied, and ranked by the same metric, points system or streak. */
function ranksAlike(history: ConfigurationHistory, { record }: Entry, { key, rankBy }: LeaderboardDefinition): boolean {
  const then = history.at(record.configurationVersion).leaderboardByKey.get(key)?.rankBy;
  return then !== undefined && rankedThing(then) === rankedThing(rankBy);
}

function rankedThing(rankBy: LeaderboardDefinition['rankBy']): string {
  switch (rankBy.type) {
    case 'metric':
      return `metric ${rankBy.metric.key}`;
    case 'points':
      return `points ${rankBy.pointsSystem.key}`;
    case 'streak':
      return 'streak';
  }
}
