import type { OutgoingMessage, Tombstone, TopicRetention } from '@laurel/event-stream';
import { directoryMigrations } from '@laurel/directory';
import { PostgresOutcomes, type OutcomeCursor } from '@laurel/outgoing';
import { ManualClock } from '@laurel/testing/clock';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import { OUTGOING_SERVICE_MIGRATIONS } from './open-outgoing-stores.ts';
import { OutcomeTopic } from './outcome-topic.ts';

const ACCOUNT = 'default';
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase([...directoryMigrations, ...OUTGOING_SERVICE_MIGRATIONS]);
});
afterAll(() => database.close());
beforeEach(() =>
  database.sql.query('truncate outcomes, outcome_cursors, published_outcomes, published_hours, erased_outcomes', []),
);

const idOf = (sequence: number): string => `00000000-0000-5000-8000-${String(sequence).padStart(12, '0')}`;

/** A topic that somebody reads, over the tables of an outgoing service. */
async function opened(retention: TopicRetention = { retentionMs: 7 * DAY, compactionLagMs: DAY }) {
  const outcomes = new PostgresOutcomes(database.sql, { keepsErasedIds: true });
  await outcomes.begin(ACCOUNT, 0);
  const clock = new ManualClock();
  const sent: (OutgoingMessage | Tombstone)[] = [];
  const faults = { send: 0, retention: 0 };
  /** Done once while something is being sent. */
  const meanwhile: { task: (() => Promise<void>) | null } = { task: null };
  const unknown: unknown[] = [];
  const take = async (messages: readonly (OutgoingMessage | Tombstone)[]): Promise<void> => {
    if (faults.send > 0 && faults.send-- > 0) throw new Error('no broker');
    const task = meanwhile.task;
    meanwhile.task = null;
    await task?.();
    sent.push(...messages);
  };
  const topic = new OutcomeTopic({
    ...{ outcomes, sql: database.sql, clock, account: ACCOUNT, partitions: 4 },
    producer: { send: take, sendTombstones: take },
    retention: async () => {
      if (faults.retention > 0 && faults.retention-- > 0) throw new Error('no answer');
      return retention;
    },
    onFailure: (error) => {
      throw error;
    },
    onUnknownRetention: (error) => unknown.push(error),
  });
  const write = async (users: readonly (number | null)[], erased: readonly number[] = []): Promise<void> => {
    const from = (await outcomes.cursor(ACCOUNT)) as OutcomeCursor;
    const made = users.map((subject, index) => ({
      ...{ sequence: from.sequence + index + 1, id: idOf(from.sequence + index + 1), type: 'a', subject, others: [] },
      ...{ position: from.position + 1, place: 0, ordinal: index, timestamp: clock.now(), body: `{"of":${subject}}` },
    }));
    const to = { position: from.position + 1, sequence: from.sequence + users.length };
    expect(await outcomes.write(ACCOUNT, { from, to, outcomes: made, erased, writtenAt: clock.now() })).toBe(true);
  };
  /** What was sent at the next turn. */
  const turn = async (): Promise<readonly (readonly [string, string | null, number])[]> => {
    sent.splice(0);
    await topic.send();
    return sent.map(({ key, value, partition }) => [key, value, partition]);
  };
  return { topic, outcomes, clock, faults, unknown, meanwhile, write, turn };
}

describe('outcomes of erased users', () => {
  it('get a tombstone in their partition, and another after the compaction lag', async () => {
    const { outcomes, clock, write, turn } = await opened();
    await write([1, 2, null, 1]);
    const all = await turn();
    expect(all.map(([key, value]) => [key, value])).toEqual([
      [idOf(1), '{"of":1}'],
      [idOf(2), '{"of":2}'],
      [idOf(3), '{"of":null}'],
      [idOf(4), '{"of":1}'],
    ]);
    await outcomes.forget(1);
    const partition = all[0]?.[2];
    const both = [
      [idOf(1), null, partition],
      [idOf(4), null, partition],
    ];
    expect(await turn()).toEqual(both);
    expect(await turn()).toEqual([]);
    await clock.advance(DAY);
    expect(await turn()).toEqual([]);
    await clock.advance(60_000);
    expect(await turn()).toEqual(both);
    await clock.advance(9 * DAY);
    expect(await turn()).toEqual([]);
    expect(await database.sql.query('select 1 from erased_outcomes', [])).toEqual([]);
  });

  it('get tombstones when the erasure is found in the log or the directory lacks the user', async () => {
    const { outcomes, write, turn } = await opened();
    await write([1, 2]);
    await turn();
    await write([null], [1]);
    expect((await turn()).map(([key, value]) => [key, value])).toEqual([
      [idOf(3), '{"of":null}'],
      [idOf(1), null],
    ]);
    await outcomes.forgetErased(ACCOUNT);
    expect((await turn()).map(([key, value]) => [key, value])).toEqual([[idOf(2), null]]);
  });

  it('get tombstones again when no broker accepted them', async () => {
    const { topic, outcomes, faults, write, turn } = await opened();
    await write([1]);
    await turn();
    await outcomes.forget(1);
    faults.send = 1;
    await expect(topic.send()).rejects.toThrow('no broker');
    expect(await turn()).toHaveLength(1);
    expect(await turn()).toEqual([]);
  });

  it('get tombstones however many they are', async () => {
    const { outcomes, write, turn } = await opened();
    await write(Array.from({ length: 1_201 }, () => 1));
    await turn();
    await outcomes.forget(1);
    expect(new Set((await turn()).map(([key]) => key)).size).toBe(1_201);
  });

  it('are remembered for as long as the topic may contain them', async () => {
    const { topic, clock, write, turn } = await opened();
    expect(await topic.oldestNeeded()).toBe(1);
    await write([1, 2]);
    await turn();
    await clock.advance(2 * HOUR);
    await write([3]);
    await turn();
    expect(await topic.oldestNeeded()).toBe(1);
    await clock.advance(8 * DAY);
    expect(await topic.oldestNeeded()).toBe(1);
    await clock.advance(HOUR);
    expect(await topic.oldestNeeded()).toBe(3);
    await clock.advance(2 * HOUR);
    expect(await topic.oldestNeeded()).toBe(4);
  });

  it('are remembered for thirty days when the topic keeps everything', async () => {
    const { topic, clock, write, turn } = await opened({ retentionMs: null, compactionLagMs: null });
    await write([1]);
    await turn();
    await clock.advance(30 * DAY);
    expect(await topic.oldestNeeded()).toBe(1);
    await clock.advance(HOUR);
    expect(await topic.oldestNeeded()).toBe(2);
  });

  it('are remembered without a second tombstone while the retention of the topic is unknown', async () => {
    const { topic, outcomes, clock, faults, unknown, write, turn } = await opened({
      retentionMs: HOUR,
      compactionLagMs: HOUR,
    });
    await write([1]);
    await turn();
    await outcomes.forget(1);
    faults.retention = 3;
    expect(await turn()).toHaveLength(1);
    await clock.advance(5 * DAY);
    expect(await topic.oldestNeeded()).toBe(1);
    expect(await turn()).toEqual([]);
    expect(unknown).toHaveLength(3);
    expect(await turn()).toHaveLength(1);
    expect(await topic.oldestNeeded()).toBe(2);
  });

  it('get a second tombstone even if another instance sent the first a moment before', async () => {
    const [one, other] = [await opened(), await opened()];
    await one.write([1]);
    await one.turn();
    await one.outcomes.forget(1);
    other.meanwhile.task = async () => void (await one.turn());
    expect(await other.turn()).toHaveLength(1);
    await other.clock.advance(DAY + 60_000);
    expect(await other.turn()).toHaveLength(1);
  });
});
