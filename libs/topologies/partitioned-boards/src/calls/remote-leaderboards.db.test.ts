import { formatAmount, type Amount } from '@laurel/amounts';
import { compileHistory, parseDocument } from '@laurel/configuration';
import { StoreUnavailableError } from '@laurel/kernel';
import { TOPICS, type LeaderboardReads } from '@laurel/ports';
import { partitionOf } from '@laurel/event-stream';
import { LeaderboardQueries, LeaderboardsArea, leaderboardsMigrations } from '@laurel/leaderboards';
import { InternalClients, InternalServer, OwnerCalls } from '@laurel/processes';
import { createClock } from '@laurel/runtime';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import { BoardClient, boardHandlers, RemoteLeaderboards } from './index.ts';

const TOKEN = 'a token of enough characters';
const PARTITIONS = 3;
const AT = Date.parse('2026-03-10T12:00:00Z');
const clock = createClock({ type: 'system' });

const BOARDS = ['all-time', 'monthly', '__proto__', 'small'];
const DOCUMENT = `
version: 1
metrics: [{ key: words, name: Words }]
leaderboards:
${BOARDS.map(
  (key) =>
    `  - { key: ${JSON.stringify(key)}, name: Board, rankBy: metric, metric: words, start: 2026-01-01${
      key === 'monthly' ? ', runUnit: month, runInterval: 1' : ''
    }${key === 'small' ? ', maxParticipants: 2' : ''} }`,
).join('\n')}
`;
const { document, problems } = parseDocument(DOCUMENT, 'test configuration');
const history = compileHistory('default', [{ version: 1, document, publishedAt: 0 }]);
const NUMBERS = history.current.names.boards;

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase(leaderboardsMigrations);
  await database.sql.query(
    `insert into board_standings select 'default', n, to_timestamp(n), n, start::date, 0, place, value
       from unnest($1::text[]) with ordinality as boards(board, place),
            unnest(array['2026-01-01', '2026-02-01', '2026-03-01']) as start,
            generate_series(1, 40) as n,
            lateral (select (n * place * 7919) % 31 - 3 as value) as values
      where start = '2026-01-01' or board = 'monthly'`,
    [BOARDS],
  );
  await database.sql.query(
    `insert into board_run_counts select account, board, run_start, subject % 3, count(*) from board_standings
     where value > 0 group by account, board, run_start, subject % 3`,
    [],
  );
  await database.sql.query(
    `insert into rank_changes (subject, position, "timestamp", run_start, previous_rank, rank, ordinal, board, value)
     select 1, n, to_timestamp(n), '2026-03-01', n, n + 1, 0, $1, n + 0.5 from generate_series(1, 5) n`,
    [NUMBERS.numberOf('monthly')],
  );
});
afterAll(() => database.close());

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

const sole = () => new LeaderboardQueries(new LeaderboardsArea(database.sql), database.sql, () => history);

/** A leaderboard service that owns these partitions. */
async function openService(partitions: readonly number[]) {
  const received = new Map<number, number>();
  const areas = new Map(partitions.map((partition) => [partition, new LeaderboardsArea(database.sql)]));
  const handlers = boardHandlers((partition) => {
    const area = areas.get(partition);
    return area === undefined ? null : { area, received: (source) => Promise.resolve(received.get(source) ?? 0) };
  }, clock);
  const server = await InternalServer.listen({
    host: '127.0.0.1',
    port: 0,
    token: TOKEN,
    handlers,
    clock,
    onRefused: () => undefined,
    onClosed: () => undefined,
  });
  opened.push(server);
  return { areas, received, server, address: `127.0.0.1:${server.port}` };
}

/** The read side over services of which the table says who owns what. */
function openRemote(table: ReadonlyMap<number, string>, limitMs?: number) {
  const clients = new InternalClients({ token: TOKEN, clock });
  opened.push(clients);
  const topics = new Set<string>();
  const owners = {
    ownerOf: (topic: string, partition: number) => {
      topics.add(topic);
      return Promise.resolve(table.get(partition) ?? null);
    },
    renew: () => Promise.resolve(),
  };
  const failures: unknown[] = [];
  const calls = new OwnerCalls({ owners, clients, clock, onFailure: (...failure) => failures.push(failure) });
  const boards = new BoardClient(calls, PARTITIONS);
  const reads = new RemoteLeaderboards({ boards, sql: database.sql, configurations: () => history, limitMs });
  return { reads, boards, topics, failures };
}

const RUNS = { start: '2026-01-01', end: null };
const runOf = (board: string) => (board === 'monthly' ? { start: '2026-02-01', end: '2026-02-28' } : RUNS);

async function contents(reads: LeaderboardReads): Promise<unknown> {
  const found: unknown[] = [];
  for (const board of BOARDS) {
    for (const [offset, limit] of [
      [0, 5],
      [3, 100],
      [39, 10],
    ] as const)
      found.push(await reads.rankings('default', board, runOf(board), { offset, limit }));
    for (const user of [1, 7, 31, 41]) found.push(await reads.standing('default', board, runOf(board), user));
    found.push(reads.status('default', board, AT), reads.run('default', board, AT, null));
    found.push(reads.run('default', board, AT, '2026-02-14'), reads.run('default', board, AT, '2025-12-31'));
    found.push(
      await reads.runs('default', board, AT, { before: null, limit: 9 }),
      await reads.runs('default', board, AT, { before: '2026-02-01', limit: 9 }),
    );
    found.push(await reads.history({ account: 'default', subject: 1 }, board, { start: '2026-03-01', end: null }, 3));
  }
  return found;
}

it('leaderboards read from their owners equal those of a single process', async () => {
  expect(problems).toBeUndefined();
  const [a, b] = [await openService([0, 2]), await openService([1])];
  const { reads, topics } = openRemote(
    new Map([
      [0, a.address],
      [1, b.address],
      [2, a.address],
    ]),
  );
  expect(await contents(reads)).toEqual(await contents(sole()));
  expect([...topics]).toEqual([TOPICS.points]);
});

it('standings of many boards come from all their owners, each with the threshold of its board', async () => {
  const services = await Promise.all([0, 1, 2].map((partition) => openService([partition])));
  const { boards } = openRemote(new Map(services.map(({ address }, partition) => [partition, address])));
  const runs = BOARDS.map((board) => ({
    account: 'default',
    board,
    boardNumber: NUMBERS.numberOf(board),
    start: runOf(board).start,
    maxParticipants: history.current.leaderboardByKey.get(board)?.maxParticipants ?? 0,
  }));
  expect(new Set(BOARDS.map((board) => partitionOf('default', board, PARTITIONS))).size).toBeGreaterThan(1);
  const standings = await boards.standings(runs, 7, 10_000);
  const queries = sole();
  for (const [place, board] of BOARDS.entries()) {
    const { rank, value, threshold } = standings[place] as { rank: number | null; value: Amount; threshold: Amount };
    expect({ rank, value }).toEqual(await queries.standing('default', board, runOf(board), 7));
    const [, second] = await queries.rankings('default', board, runOf(board), { offset: 0, limit: 2 });
    expect(formatAmount(threshold)).toBe(board === 'small' ? formatAmount(second?.value ?? -1n) : '0');
  }
  expect(await boards.standings([], 7, 10_000)).toEqual([]);
});

it('a board unknown to its owner is empty, and one missing in the configuration is an error', async () => {
  const service = await openService([0, 1, 2]);
  const { reads, boards } = openRemote(new Map([0, 1, 2].map((partition) => [partition, service.address])));
  const run = {
    ...{ account: 'default', board: 'published a moment ago', boardNumber: BOARDS.length + 1 },
    ...{ start: '2026-01-01', maxParticipants: 10 },
  };
  expect(await boards.rankings(run, 0, 10, 10_000)).toEqual([]);
  expect(await boards.standings([run], 41, 10_000)).toEqual([{ rank: null, value: null, threshold: 0n }]);
  await expect(reads.standing('default', 'none', RUNS, 41)).rejects.toThrow('no leaderboard "none"');
});

it('an owner that does not answer in time is reported as an unavailable store', async () => {
  const service = await openService([]);
  const { reads } = openRemote(new Map([0, 1, 2].map((partition) => [partition, service.address])), 100);
  const rankings = reads.rankings('default', 'all-time', RUNS, { offset: 0, limit: 10 });
  await expect(rankings).rejects.toBeInstanceOf(StoreUnavailableError);
  const { reads: nowhere } = openRemote(new Map(), 50);
  await expect(nowhere.standing('default', 'all-time', RUNS, 41)).rejects.toBeInstanceOf(StoreUnavailableError);
});

it('a partition that moves is read from its new owner', async () => {
  const [a, b] = [await openService([0, 1, 2]), await openService([])];
  const table = new Map([0, 1, 2].map((partition) => [partition, b.address]));
  const { reads, failures } = openRemote(table);
  const rankings = reads.rankings('default', 'all-time', RUNS, { offset: 0, limit: 10 });
  for (const partition of [0, 1, 2]) table.set(partition, a.address);
  expect(await rankings).toEqual(await sole().rankings('default', 'all-time', RUNS, { offset: 0, limit: 10 }));
  expect(failures).toEqual([]);
});

it('standings are returned once the boards have applied what the caller waits for', async () => {
  const service = await openService([0, 1, 2]);
  const { boards } = openRemote(new Map([0, 1, 2].map((partition) => [partition, service.address])));
  const run = {
    ...{ account: 'default', board: 'all-time', boardNumber: NUMBERS.numberOf('all-time') },
    ...{ start: '2026-01-01', maxParticipants: 1_000 },
  };
  const after = { source: 7, sent: new Map([[partitionOf('default', 'all-time', PARTITIONS), 5]]) };
  service.received.set(7, 4);
  await expect(boards.standings([run], 7, 200, after)).rejects.toBeInstanceOf(StoreUnavailableError);
  const standings = boards.standings([run], 7, 10_000, after);
  service.received.set(7, 5);
  expect(await standings).toEqual(await boards.standings([run], 7, 10_000));
});
