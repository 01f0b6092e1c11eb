import type { LeaderboardAnswer, ListedAchievement, PointsRangeAnswer, UserStreak } from '@laurel/schemas';
import { plainText } from '../plain-text.ts';
import { columns } from '../terminal/table.ts';

/** The answers of the service once the history is recorded. */
export interface DemoNumbers {
  readonly allTime: Board;
  readonly weekly: Board;
  readonly achievements: readonly Pick<ListedAchievement, 'name' | 'completions' | 'rarity'>[];
  readonly ranges: readonly PointsRangeAnswer[];
  readonly longest: {
    readonly id: string;
    readonly name: string;
    readonly streak: Pick<UserStreak, 'length' | 'started' | 'expires'>;
  };
}

interface Board extends Pick<LeaderboardAnswer, 'name'> {
  readonly rankings: readonly Pick<LeaderboardAnswer['rankings'][number], 'rank' | 'userId' | 'userName' | 'value'>[];
}

const WIDEST_BAR = 40;

/** The summary for people, as lines. */
export function demoSummary({ allTime, weekly, achievements, ranges, longest }: DemoNumbers): string[] {
  return [
    ...section(allTime.name, boardRows(allTime)),
    ...section(weekly.name, boardRows(weekly)),
    ...section('Achievements, and how many have them', achievementRows(achievements)),
    ...section('Users by experience', rangeRows(ranges)),
    ...section('The longest streak that is alive', [streakRow(longest)]),
  ];
}

/** Requests to explore the data. @param url where the service listens */
export function lookFurther({ longest }: DemoNumbers, url: string, first: string, last: string): string[] {
  const user = `/v1/users/${longest.id}`;
  return [
    'Look further, with your key in LAUREL_API_KEY:',
    ...[
      '/v1/leaderboards/all-time?limit=20',
      `${user}/streak?historyPeriods=30`,
      `${user}/achievements`,
      `${user}/points/xp/event-summary?aggregation=weekly&start_date=${first}&end_date=${last}`,
      `${user}/leaderboards/weekly`,
      '/v1/points/xp/level-summary',
    ].map((path) => `  curl -H "X-API-KEY: $LAUREL_API_KEY" "${url}${path}"`),
  ];
}

const section = (title: string, rows: readonly (readonly string[])[]): string[] => [
  plainText(title),
  ...columns(rows).map((row) => `  ${row}`),
  '',
];

const boardRows = ({ rankings }: Board): string[][] =>
  rankings.map(({ rank, userId, userName, value }) => [
    String(rank),
    plainText(userName ?? ''),
    plainText(userId),
    String(value),
  ]);

const achievementRows = (achievements: DemoNumbers['achievements']): string[][] =>
  achievements.map(({ name, completions, rarity }) => [plainText(name), String(completions), `${rarity}%`]);

/** Leaves out the empty ranges at the upper end. */
function rangeRows(ranges: DemoNumbers['ranges']): string[][] {
  const most = Math.max(1, ...ranges.map(({ users }) => users));
  return ranges
    .slice(0, ranges.findLastIndex(({ users }) => users > 0) + 1)
    .map(({ from, to, users }) => [
      from === to ? String(from) : `${from} to ${to}`,
      String(users),
      '#'.repeat(Math.ceil((users / most) * WIDEST_BAR)),
    ]);
}

const streakRow = ({ id, name, streak: { length, started, expires } }: DemoNumbers['longest']): string[] =>
  length === 0 ? ['none'] : [plainText(name), plainText(id), `${length} days since ${started}, good until ${expires}`];
