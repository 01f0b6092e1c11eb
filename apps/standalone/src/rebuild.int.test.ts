import { openRebuild, rebuildStopped } from '@laurel/rebuild';
import { storedDigest } from '@laurel/all-areas';
import { parseDocument } from '@laurel/configuration';
import { ACCOUNT, AREAS, type AreaName, type RecordMetricEvent } from '@laurel/kernel';
import type { Clock } from '@laurel/ports';
import { clientConfig } from '@laurel/database';
import { PostgresDirectory } from '@laurel/directory';
import { LogWriter, PostgresLogReader } from '@laurel/event-store';
import { areasToRebuild, DEFAULT_REBUILD_OPTIONS, type Digest } from '@laurel/engine';
import { createClock } from '@laurel/runtime';
import { subjectOf } from '@laurel/testing/subjects';
import type { TestDatabase } from '@laurel/testing/database';
import { histories, HISTORY_CONFIGURATION, lesson } from '@laurel/testing/histories';
import { openServiceDatabase } from '@laurel/testing/service-database';
import fc from 'fast-check';
import pg from 'pg';
import { startService, type Service } from './start-service.ts';
import { QUIET } from './testing/quiet.ts';

const HOUR = 3_600_000;
const { document } = parseDocument(HISTORY_CONFIGURATION, 'test');

let now = 0;
const clock: Clock = { ...createClock({ type: 'system' }), now: () => now };
let database: TestDatabase;
let service: Service;

beforeEach(async () => {
  now = Date.parse('2026-03-06T08:00:00Z');
  database = await openServiceDatabase();
  service = await startService(database.connection, clock, QUIET);
  await service.engine.publishConfiguration(ACCOUNT, document);
});

afterEach(async () => {
  await service.close();
  await database.close();
});

describe('a rebuild', () => {
  it('restores the previous digest, whole and area by area', async () => {
    await live(5);
    const before = await service.digest(ACCOUNT);
    expect(before.lines.map(({ name }) => name)).toEqual([...AREAS, 'rank history']);
    expect(before.lines.every(({ rows }) => rows > 0)).toBe(true);
    for (const areas of [[], ...AREAS.map((area) => [area])] as AreaName[][]) {
      await service.engine.rebuild(areas);
      expect(await service.digest(ACCOUNT)).toEqual(before);
    }
    await live(1);
    expect(await service.digest(ACCOUNT)).not.toEqual(before);
  });

  it('repairs exactly the digest line of a value that SQL has changed, when it covers that area', async () => {
    await live(5);
    const before = await service.digest(ACCOUNT);
    for (const [line, sql] of Object.entries(CHANGES)) {
      await database.sql.query(sql, []);
      expect(changedLines(before, await service.digest(ACCOUNT))).toEqual([line]);
      const area = AREAS.find((name) => name === line) ?? 'leaderboards';
      await service.engine.rebuild([area]);
      expect(await service.digest(ACCOUNT)).toEqual(before);
    }
  });

  it('runs beside live events and sweeps and takes over without losing any of them', async () => {
    await live(5);
    await Promise.all([live(6), service.engine.rebuild([])]);
    await service.engine.sweep();
    const after = await service.digest(ACCOUNT);
    await service.engine.rebuild([]);
    expect(await service.digest(ACCOUNT)).toEqual(after);
    expect(service.engine.status().areas.every(({ position }) => position === after.position)).toBe(true);
  });

  it('runs while the service is stopped, too, for read models that this release cannot use', async () => {
    await live(3);
    const before = await service.digest(ACCOUNT);
    await service.close();
    await database.sql.query("update area_checkpoints set state_version = 0 where area = 'points'", []);
    await database.sql.query('update user_states set points = null', []);
    await expect(startService(database.connection, clock, QUIET)).rejects.toThrow(
      'what is stored of points does not fit',
    );
    const seen: number[] = [];
    await rebuildStopped(database.connection, ['points'], { onProgress: (applied) => seen.push(applied) });
    expect(seen.at(-1)).toBe(before.position);
    service = await startService(database.connection, clock, QUIET);
    expect(await service.digest(ACCOUNT)).toEqual(before);
  });

  it('gives the same result with any chunk size and in the least memory', async () => {
    await live(3);
    const before = await service.digest(ACCOUNT);
    const keys = await keysOf(database);
    await service.close();
    const little = { cachedUserBytes: 3_000, heldBytes: 10_000, standingsBytes: 3_000 };
    const least = { cachedUserBytes: 1, heldBytes: 1, standingsBytes: 1 };
    for (const bounds of [{}, { batchSize: 7 }, { batchSize: 7, ...little }, { batchSize: 1, ...least }]) {
      await rebuildStopped(database.connection, [], { bounds: { ...DEFAULT_REBUILD_OPTIONS, ...bounds } });
      expect(await storedDigest(database.connection, ACCOUNT)).toEqual(before);
      expect(await keysOf(database)).toEqual(keys);
    }
    service = await startService(database.connection, clock, QUIET);
  });

  it('finds due awards again that an unrecorded sweep had found', async () => {
    const { engine } = service;
    const drop = { type: 'time', unit: 'day', interval: 1, points: 5 };
    const points = [{ key: 'drops', name: 'Drops', triggers: [drop] }];
    await engine.publishConfiguration(ACCOUNT, { version: 1, metrics: [{ key: 'lessons', name: 'Lessons' }] });
    await engine.submit([lesson('ada')]);
    await engine.publishConfiguration(ACCOUNT, { version: 1, metrics: [{ key: 'lessons', name: 'Lessons' }], points });
    await engine.sweep();
    for (const areas of [[], ['points']] as AreaName[][]) {
      await engine.rebuild(areas);
      now += 24 * HOUR + 1;
      await engine.sweep();
    }
    const awards = await database.sql.query('select from effects where systems is not null and subject = $1', [
      subjectOf('ada'),
    ]);
    expect(awards).toHaveLength(2);
  });

  it('waits for a long transaction on the tables while events are answered, and then takes over', async () => {
    await live(2);
    const reader = new pg.Client(database.connection);
    await reader.connect();
    await reader.query('begin; select count(*) from effects');
    let ended = false;
    const rebuilding = service.engine.rebuild([]).finally(() => (ended = true));
    for (let tries = 0; tries < 3; tries++) {
      const [outcome] = await service.engine.submit([lesson('bob')]);
      expect(outcome?.kind).toBe('recorded');
      await new Promise<void>((resolve) => clock.after(700, resolve));
    }
    expect(ended).toBe(false);
    await reader.query('commit');
    await reader.end();
    const before = await service.digest(ACCOUNT);
    await rebuilding;
    expect(await service.digest(ACCOUNT)).toEqual(before);
  });

  it('never shows a digest an empty or partial state', async () => {
    await live(2);
    const before = await service.digest(ACCOUNT);
    let ended = false;
    const rebuilding = service.engine.rebuild([]).finally(() => (ended = true));
    while (!ended) expect(await service.digest(ACCOUNT)).toEqual(before);
    await rebuilding;
  });

  it('removes rows that the log does not give, also for one area', async () => {
    await live(1);
    const before = await service.digest(ACCOUNT);
    await database.sql.query(
      `insert into user_states (account, subject, users) select account, 5, users from user_states limit 1`,
      [],
    );
    expect(changedLines(before, await service.digest(ACCOUNT))).toEqual(['users']);
    await service.engine.rebuild(['users']);
    expect(await service.digest(ACCOUNT)).toEqual(before);
  });

  it.each(['streaks', 'achievements', 'points'] as const)(
    'of %s alone moves no row of effects that it does not change',
    async (area) => {
      await live(2);
      const places = () => database.sql.query('select ctid::text, subject, position from effects order by ctid', []);
      const before = await places();
      await service.engine.rebuild([area]);
      expect(await places()).toEqual(before);
    },
  );

  it('of one area locks no unchanged row of effects or user states', async () => {
    await live(2);
    const locked = () =>
      database.sql.query(
        `select 'effects' as name, xmax::text from effects where xmax <> 0
         union all select 'user_states', xmax::text from user_states where xmax <> 0`,
        [],
      );
    for (const table of ['effects', 'user_states']) await database.sql.query(`vacuum full ${table}`, []);
    await service.engine.rebuild(['points']);
    expect(await locked()).toEqual([]);
  });

  it('of one area has no statement timeout while the service is stopped', async () => {
    await live(1);
    await service.close();
    await database.sql.query(
      `create table limits (ms int); create function note_limit() returns trigger language plpgsql as $$
       begin
         insert into limits select setting::int from pg_settings where name = 'statement_timeout';
         return null;
       end $$;
       create trigger note_limit after update on user_states for each statement execute function note_limit()`,
      [],
    );
    await rebuildStopped(database.connection, ['points']);
    const [least] = await database.sql.query('select min(ms) >= 3600000 as "isEnough" from limits', []);
    expect(least).toEqual({ isEnough: true });
    service = await startService(database.connection, clock, QUIET);
  });

  it('of one area writes to no other table', async () => {
    await live(2);
    await service.close();
    const config = clientConfig(database.connection);
    const writer = await LogWriter.open(config, () => Promise.resolve());
    const log = new PostgresLogReader(database.sql, new PostgresDirectory(database.sql));
    const rebuild = await openRebuild({ config, writer, log }, ['points']);
    try {
      await rebuild.catchUp();
      await rebuild.prepareTakeOver();
      const filled = [
        'effects',
        'point_day_counts',
        'point_total_counts',
        'points_levels',
        'points_months',
        'user_states',
      ];
      expect(await filledTables('laurel_rebuild')).toEqual(filled);
      expect(await filledTables('public')).toEqual(expect.arrayContaining(['board_standings', 'metric_months']));
    } finally {
      await rebuild.close();
      await writer.close();
      service = await startService(database.connection, clock, QUIET);
    }
  });

  it('is refused while another runs, and asks for the areas behind a stopped one', async () => {
    await live(1);
    const first = service.engine.rebuild([]);
    await expect(service.engine.rebuild([])).rejects.toThrow('a rebuild is under way');
    await first;
    expect(() => areasToRebuild(['points'], new Set(['points'] as const))).toThrow('rebuild leaderboards as well');
    expect(areasToRebuild(['leaderboards', 'points'], new Set(['points'] as const))).toEqual([
      'points',
      'leaderboards',
    ]);
    expect(areasToRebuild(['streaks'], new Set())).toEqual(['streaks']);
  });

  it('leaves no trace when it fails', async () => {
    await live(2);
    const before = await service.digest(ACCOUNT);
    await database.sql.query('create view mine as select * from effects', []);
    await expect(service.engine.rebuild([])).rejects.toThrow('other objects depend on it');
    expect(await service.digest(ACCOUNT)).toEqual(before);
    expect(await abandoned()).toEqual([]);
    await live(1);
  });

  it('is cleaned up by the next start when its process was killed', async () => {
    await service.close();
    await database.sql.query('create schema laurel_rebuild create table user_states (account text)', []);
    service = await startService(database.connection, clock, QUIET);
    expect(await abandoned()).toEqual([]);
  });
});

/** One value of each line, changed behind the service's back. */
const CHANGES: Record<string, string> = {
  users: 'update user_counts set users = users + 1 where partition = (select min(partition) from user_counts)',
  streaks: 'update streak_periods set length = length + 1 where ctid = (select min(ctid) from streak_periods)',
  achievements:
    "update achievement_completions set achieved_at = achieved_at + interval '1 ms' where ctid = (select min(ctid) from achievement_completions)",
  points: `update user_states set points = jsonb_set(points, '{v}', '99') where subject = ${subjectOf('ada')}`,
  leaderboards: 'update board_standings set value = value + 1 where ctid = (select min(ctid) from board_standings)',
  'rank history': 'update rank_changes set rank = 77 where ctid = (select min(ctid) from rank_changes)',
};

const abandoned = (): Promise<unknown[]> =>
  database.sql.query("select from pg_namespace where nspname = 'laurel_rebuild'", []);

/** The keys and indexes of all tables, by name. */
const keysOf = ({ sql }: TestDatabase): Promise<unknown[]> =>
  sql.query("select tablename, indexname, indexdef from pg_indexes where schemaname = 'public' order by indexname", []);

const changedLines = (before: Digest, after: Digest): string[] =>
  after.lines.flatMap(({ name, digest }, index) => (before.lines[index]?.digest === digest ? [] : [name]));

/** Names of the tables of a schema that hold rows, in order. */
async function filledTables(schema: string): Promise<readonly string[]> {
  const tables = await database.sql.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = $1::regnamespace order by relname`,
    [schema],
  );
  const filled = await Promise.all(
    tables.map(({ name }) =>
      database.sql.query<{ name: string }>(`select '${name}' as name from ${schema}.${name} limit 1`, []),
    ),
  );
  return filled.flat().map(({ name }) => name);
}

/** Events of a few users over so many days, some of them parallel, with sweeps and a late import. */
async function live(days: number): Promise<void> {
  for (const commands of fc.sample(histories, { numRuns: days, seed: days })) {
    await Promise.all(
      commands.map((command) => service.engine.submit([{ ...command, occurredAt: null } as RecordMetricEvent])),
    );
    now += 25 * HOUR;
    await service.engine.sweep();
  }
  const late = fc.sample(histories, { numRuns: 1, seed: 7 })[0] ?? [];
  await service.engine.submit(late.map((command) => ({ ...command, idempotencyKey: null })));
  await service.engine.finishImport(ACCOUNT);
  await service.engine.sweep();
}
