import { directoryMigrations } from '@laurel/directory';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import { outgoingMigrations } from './migrations.ts';
import { outcomesOfUser } from './outcomes-of-user.ts';
import { PostgresOutcomes, type NewOutcome, type OutcomeCursor } from './postgres-outcomes.ts';

const ACCOUNT = 'default';
const AT = Date.UTC(2026, 2, 10);
const DAY = 86_400_000;

let database: TestDatabase;
let outcomes: PostgresOutcomes;
beforeAll(async () => {
  database = await openTestDatabase([...directoryMigrations, ...outgoingMigrations]);
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.sql.query('truncate outcomes, outcome_cursors, subjects', []);
  outcomes = new PostgresOutcomes(database.sql);
  await outcomes.begin(ACCOUNT, 0);
});

const outcome = (
  sequence: number,
  type: string,
  subject: number | null = 1,
  others: readonly number[] = [],
): NewOutcome => ({
  sequence,
  type,
  subject,
  others,
  id: `00000000-0000-5000-8000-${String(sequence).padStart(12, '0')}`,
  position: sequence,
  place: 0,
  ordinal: 0,
  timestamp: AT + sequence,
  body: `{"sequence":${sequence}}`,
});

async function write(made: readonly NewOutcome[], options: { erased?: readonly number[]; writtenAt?: number } = {}) {
  const from = (await outcomes.cursor(ACCOUNT)) as OutcomeCursor;
  const to = { position: from.position + 10, sequence: from.sequence + made.length };
  const { erased = [], writtenAt = AT } = options;
  return outcomes.write(ACCOUNT, { from, to, outcomes: made, erased, writtenAt });
}

const sequences = async (query: Partial<Parameters<PostgresOutcomes['read']>[1]> = {}) =>
  (await outcomes.read(ACCOUNT, { after: 0, limit: 1_000, ...query })).map(({ sequence }) => sequence);

describe('stored outcomes', () => {
  it('are read in order of sequence, of all or some types', async () => {
    expect(await write([outcome(1, 'a'), outcome(2, 'b'), outcome(3, 'a'), outcome(4, 'c', null)])).toBe(true);
    expect(await outcomes.read(ACCOUNT, { after: 2, limit: 2 })).toEqual([
      {
        sequence: 3,
        id: outcome(3, 'a').id,
        type: 'a',
        userKey: '1',
        otherKeys: [],
        timestamp: AT + 3,
        body: '{"sequence":3}',
      },
      expect.objectContaining({ sequence: 4, userKey: null }),
    ]);
    expect(await sequences({ types: ['c', 'a'] })).toEqual([1, 3, 4]);
    expect(await sequences({ types: ['c', 'a', 'c'], after: 1, limit: 1 })).toEqual([3]);
    expect(await sequences({ types: ['d'] })).toEqual([]);
    expect([await outcomes.oldest(ACCOUNT), await outcomes.newest(ACCOUNT)]).toEqual([1, 4]);
  });

  it('keep every byte of their bodies', async () => {
    const names = [`\u0000\u001e\u001f\u2028"'\\{},NULL Zoë 🦊\n`, '', 'NULL', '{}', '\\'];
    const bodies = names.map((name) => JSON.stringify({ name }));
    await write(bodies.map((body, index) => ({ ...outcome(index + 1, 'a'), body })));
    const read = await outcomes.read(ACCOUNT, { after: 0, limit: 10 });
    expect(read.map(({ body }) => body)).toEqual(bodies);
  });

  it('are written only if the cursor has not moved', async () => {
    const from = { position: 0, sequence: 0 };
    const step = { from, erased: [], writtenAt: AT };
    const to = { position: 5, sequence: 1 };
    expect(await outcomes.write(ACCOUNT, { ...step, to, outcomes: [outcome(1, 'a')] })).toBe(true);
    expect(await outcomes.write(ACCOUNT, { ...step, to, outcomes: [outcome(1, 'a')] })).toBe(false);
    expect(await outcomes.cursor(ACCOUNT)).toEqual(to);
    await outcomes.begin(ACCOUNT, 99);
    expect(await outcomes.cursor(ACCOUNT)).toEqual(to);
  });

  it('are deleted by age, oldest first, which moves the oldest available sequence', async () => {
    await write([outcome(1, 'a'), outcome(2, 'a')], { writtenAt: AT - DAY });
    await write([outcome(3, 'a')]);
    expect(await outcomes.deleteOld(ACCOUNT, AT, 1)).toBe(1);
    expect([await sequences(), await outcomes.oldest(ACCOUNT)]).toEqual([[2, 3], 2]);
    expect(await outcomes.deleteOld(ACCOUNT, AT, 10)).toBe(1);
    expect(await outcomes.deleteOld(ACCOUNT, AT, 10)).toBe(0);
    expect([await sequences(), await outcomes.oldest(ACCOUNT)]).toEqual([[3], 3]);
    expect(await outcomes.deleteOld(ACCOUNT, AT + 1, 10)).toBe(1);
    expect([await outcomes.oldest(ACCOUNT), await outcomes.newest(ACCOUNT)]).toEqual([4, 3]);
  });

  it('are not deleted by age from a sequence that is still needed', async () => {
    await write([outcome(1, 'a'), outcome(2, 'a'), outcome(3, 'a')]);
    expect(await outcomes.deleteOld(ACCOUNT, AT + 1, 10, 1)).toBe(0);
    expect(await outcomes.deleteOld(ACCOUNT, AT + 1, 10, 3)).toBe(2);
    expect([await sequences(), await outcomes.oldest(ACCOUNT)]).toEqual([[3], 3]);
    expect(await outcomes.deleteOld(ACCOUNT, AT + 1, 10, 3)).toBe(0);
  });

  it('of an erased user are deleted, without affecting others', async () => {
    await write([outcome(1, 'a', 1), outcome(2, 'a', 2), outcome(3, 'a', null)]);
    await write([outcome(4, 'b', null)], { erased: [1] });
    expect([await sequences(), await outcomes.oldest(ACCOUNT)]).toEqual([[2, 3, 4], 1]);
    await database.sql.query("insert into subjects values ($1, 5, 'ada', '')", [ACCOUNT]);
    await write([outcome(5, 'a', 5)]);
    await outcomes.forgetErased(ACCOUNT);
    expect(await sequences()).toEqual([3, 4, 5]);
    await outcomes.forget(5);
    expect(await sequences()).toEqual([3, 4]);
  });

  it('notify listeners when some are written, until they unsubscribe', async () => {
    let notified = 0;
    const end = outcomes.onWritten(() => notified++);
    await write([]);
    expect(notified).toBe(0);
    await write([outcome(1, 'a')]);
    end();
    await write([outcome(2, 'a')]);
    expect(notified).toBe(1);
  });

  it('are deleted with any user whom they name', async () => {
    const some = [outcome(1, 'a', 1, [2, 3]), outcome(2, 'a', null, [2]), outcome(3, 'a', 2), outcome(4, 'a', 1, [3])];
    await write(some);
    await outcomes.forget(2);
    expect(await sequences()).toEqual([4]);
    await write([outcome(5, 'a', 1), outcome(6, 'a', null)], { erased: [3] });
    expect(await sequences()).toEqual([5, 6]);
    await write([outcome(7, 'a', null, [8]), outcome(8, 'a', null, [9])]);
    await database.sql.query("insert into subjects values ($1, 8, 'eve', '')", [ACCOUNT]);
    await outcomes.forgetErased(ACCOUNT);
    expect(await sequences()).toEqual([6, 7]);
  });

  it('of one user are read in pages, also where others are named, up to the newest at the start', async () => {
    const ADA = 7;
    const some = Array.from({ length: 9 }, (_, n) => outcome(n + 1, 'a', n % 2 === 0 ? ADA : 1));
    await write([...some, outcome(10, 'a', 1, [2, ADA]), outcome(11, 'a', null, [ADA]), outcome(12, 'a', null)]);
    await write([outcome(13, 'a', ADA)]);
    await outcomes.deleteOld(ACCOUNT, AT + 1, 2);
    const pages: number[][] = [];
    for await (const page of outcomesOfUser(database.sql, ACCOUNT, ADA, 2)) {
      pages.push(page.map((body) => (JSON.parse(body) as { sequence: number }).sequence));
      if (pages.length === 1) await write([outcome(14, 'a', ADA)]);
    }
    expect(pages).toEqual([[3, 5], [7, 9], [10, 11], [13]]);
    for await (const page of outcomesOfUser(database.sql, 'another', ADA)) expect(page).toEqual([]);
  });

  it('of erased users are searched for among at most 10,000 at a time', async () => {
    const count = 25_000;
    await database.sql.query(
      `insert into outcomes (account, sequence, position, subject, occurred_at, written_at, id, place, ordinal, type, body)
       select $1, n, n, 8, now(), now(), gen_random_uuid(), 0, 0, 'a', '{}' from generate_series(1, $2::int) n`,
      [ACCOUNT, count],
    );
    await database.sql.query("insert into subjects values ($1, 8, 'eve', '')", [ACCOUNT]);
    await database.sql.query('update outcomes set subject = 9 where sequence in (10000, 25000)', []);
    const looked: unknown[] = [];
    const sql: typeof database.sql = {
      query: async (text, values) => {
        const rows = await database.sql.query(text, values);
        looked.push(...rows);
        return rows as never;
      },
    };
    expect(await new PostgresOutcomes(sql).forgetErased(ACCOUNT)).toBe(true);
    expect(looked).toEqual(['10000', '20000', '25000', null].map((last) => ({ last })));
    const [left] = await database.sql.query(
      'select count(*)::int as rows, max(sequence)::int as last from outcomes',
      [],
    );
    expect(left).toEqual({ rows: count - 2, last: count - 1 });
  });

  it('of one user are read in windows of at most 10,000, however few they are', async () => {
    await write([outcome(1, 'a', 7)]);
    await database.sql.query('update outcome_cursors set sequence = 25000 where account = $1', [ACCOUNT]);
    await write([outcome(25_001, 'a', 7)]);
    const asked: (readonly unknown[])[] = [];
    const sql: typeof database.sql = {
      query: (text, values) => {
        asked.push(values);
        return database.sql.query(text, values);
      },
    };
    const bodies: string[] = [];
    for await (const page of outcomesOfUser(sql, ACCOUNT, 7)) bodies.push(...page);
    expect(bodies).toEqual(['{"sequence":1}', '{"sequence":25001}']);
    expect(asked.slice(1).map(([, after, upTo]) => [after, upTo])).toEqual([
      [0, 10_000],
      [10_000, 20_000],
      [20_000, 25_001],
    ]);
  });
});
