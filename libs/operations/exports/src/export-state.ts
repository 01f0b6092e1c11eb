import { formatInstant, type Instant } from '@laurel/calendar';
import type { SqlReader, Subject } from '@laurel/kernel';
import type { Directory, UserProfile } from '@laurel/ports';
import { jsonAmount, jsonInteger, writeJson } from '@laurel/schemas';
import { typeNumberOf } from '@laurel/event-store';
import type { AreaReads } from '@laurel/all-areas';
import { earnedAnswer } from './exported-user.ts';

/** The read models of every area, and the number of metric events. */
export type ReadModels = Omit<AreaReads, 'leaderboards'> & {
  readonly leaderboards: Pick<AreaReads['leaderboards'], 'exportRankings'>;
  readonly countEvents: () => Promise<number>;
  readonly directory: Pick<Directory, 'idsOf' | 'page'>;
};

/** The number of metric events of a log in Postgres. */
export async function countEvents(sql: SqlReader): Promise<number> {
  const [row] = await sql.query<{ events: string }>('select count(*) as events from events where type = $1', [
    typeNumberOf('MetricEventRecorded'),
  ]);
  return Number(row?.events ?? 0);
}

const PAGE = 200;

/**
 * All read models as of an instant, as chunks of JSON text: users by id, then the rankings of every run. Holds one page of users or one run
 * in memory at a time.
 */
export async function* exportState(models: ReadModels, account: string, at: Instant): AsyncIterable<string> {
  yield `{"events":${await models.countEvents()},"asOf":${JSON.stringify(seconds(at))},"users":{`;
  let separator = '\n';
  for await (const page of pages(models, account))
    for (const [id, state] of await exportUsers(models, account, page, at)) {
      yield `${separator}${JSON.stringify(id)}:${writeJson(state)}`;
      separator = ',\n';
    }
  yield '\n},"leaderboards":{';
  yield* exportRankings(models, account);
  yield '\n}}\n';
}

/** A user with their profile. */
export interface ExportedUser {
  readonly id: string;
  readonly subject: Subject;
  readonly profile: UserProfile;
}

async function exportUsers(models: ReadModels, account: string, users: readonly ExportedUser[], at: Instant) {
  const points = await models.points.exportMany(
    account,
    users.map(({ subject }) => subject),
    at,
  );
  return Promise.all(
    users.map(async ({ id, subject, profile }) => {
      const systems = [...(points.get(subject) ?? [])];
      const earned = earnedAnswer(new Map(systems));
      const state = {
        tz: profile.tz ?? 'UTC',
        totals: Object.fromEntries([...profile.totals].map(([metric, total]) => [metric, jsonAmount(total)])),
        achievements: Object.fromEntries(
          [...(await models.achievements.completedBy(account, subject))].map(([key, when]) => [key, seconds(when)]),
        ),
        points: Object.fromEntries(systems.map(([system, { total }]) => [system, jsonInteger(total)])),
        ...(earned !== null && { earned }),
        awards: Object.fromEntries(systems.map(([system, { awards }]) => [system, awards])),
        lastAwards: Object.fromEntries(
          systems.map(([system, { last }]) => [
            system,
            last.map(({ at: when, awarded, total }) => [seconds(when), jsonInteger(awarded), jsonInteger(total)]),
          ]),
        ),
        streak: await exportStreak(models, account, subject, at),
      };
      return [id, state] as const;
    }),
  );
}

async function exportStreak({ streaks }: ReadModels, account: string, subject: Subject, at: Instant) {
  const { length, started, periodStart, periodEnd, expires } = await streaks.view(account, subject, at);
  const periods = await streaks.allPeriods(account, subject, at);
  return {
    length,
    started,
    longest: periods.reduce((longest, period) => Math.max(longest, period.length), 0),
    periods: periods.length,
    periodStart,
    periodEnd,
    expires,
    history: Object.fromEntries(periods.map((period) => [period.periodStart, period.length])),
  };
}

async function* exportRankings(models: ReadModels, account: string): AsyncIterable<string> {
  let board: string | null = null;
  for await (const run of models.leaderboards.exportRankings(account)) {
    if (run.board !== board) yield `${board === null ? '\n' : '\n},\n'}${JSON.stringify(run.board)}:{\n`;
    else yield ',\n';
    board = run.board;
    const ids = await models.directory.idsOf(
      account,
      run.rankings.map(({ subject }) => subject),
    );
    const rankings = run.rankings.map(({ subject, rank, value }) => ({
      userId: ids.get(subject) ?? '',
      rank,
      value: jsonAmount(value),
    }));
    yield `${JSON.stringify(run.runStart)}:${writeJson(rankings)}`;
  }
  if (board !== null) yield '\n}';
}

/** Whole seconds are written without a fraction. */
const seconds = (at: Instant): string => formatInstant(at).replace('.000Z', 'Z');

/** Users with recorded events, by id. */
async function* pages({ directory, users }: ReadModels, account: string): AsyncIterable<readonly ExportedUser[]> {
  for (let after = ''; ;) {
    const page = await directory.page(account, after, PAGE);
    const last = page.at(-1);
    if (last === undefined) return;
    const profiles = await users.profiles(
      account,
      page.map(({ subject }) => subject),
    );
    yield page.flatMap(({ id, subject }) => {
      const profile = profiles.get(subject);
      return profile === undefined ? [] : [{ id, subject, profile }];
    });
    after = last.id;
  }
}
