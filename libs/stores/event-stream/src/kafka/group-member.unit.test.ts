import { ManualClock } from '@laurel/testing/clock';
import type { Consumer, EachBatchPayload, Kafka } from 'kafkajs';
import { RETRY_DELAYS, type PartitionBatch } from '../event-stream.ts';
import { FakeConsumer } from './fake-consumer.fixture.ts';
import { GroupMember } from './group-member.ts';

const SESSION_MS = 10_000;

describe('GroupMember', () => {
  let clock: ManualClock;
  let consumers: FakeConsumer[];
  let batches: PartitionBatch[];
  let answer: () => Promise<unknown>;
  let takeOver: () => Promise<void>;
  let warnings: string[];
  let reachable: boolean;
  let member: GroupMember;

  beforeEach(async () => {
    clock = new ManualClock();
    [consumers, batches, warnings, reachable] = [[], [], [], true];
    answer = () => Promise.resolve(1);
    takeOver = () => Promise.resolve();
    const open = (): Consumer => {
      const consumer = new FakeConsumer();
      if (!reachable) consumer.failure = new Error('no broker');
      consumers.push(consumer);
      return consumer as unknown as Consumer;
    };
    member = new GroupMember({
      kafka: { consumer: open } as unknown as Kafka,
      clock,
      subscription: { topic: 't', group: 'g', from: 'beginning', concurrency: 1 },
      sessionTimeoutMs: SESSION_MS,
      log: (_level, message) => warnings.push(message),
      offsets: {
        ends: () => Promise.resolve([1, 1]),
        at: () => Promise.resolve([0, 0]),
        ofGroup: () => Promise.resolve([0, 0]),
      },
      onAssigned: () => takeOver(),
      onBatch: (batch) => {
        batches.push(batch);
        return answer();
      },
    });
    await member.start();
    consumers[0]?.join();
  });

  const newest = (): FakeConsumer => consumers.at(-1) as FakeConsumer;
  /** The first message of partition 0 is fetched by the newest consumer. */
  const fetch = (): Promise<void> =>
    newest().eachBatch({
      batch: { topic: 't', partition: 0, highWatermark: '1', messages: [{ offset: '0', value: Buffer.from('a') }] },
      resolveOffset: () => undefined,
      heartbeat: () => Promise.resolve(),
      isStale: () => false,
    } as unknown as EachBatchPayload);

  it('joins with a new consumer after a crash, and passes on its batches', async () => {
    newest().crash('no brokers');
    expect(member.assigned).toBeNull();
    await clock.advance(200);
    expect(consumers).toHaveLength(2);
    newest().join();
    await fetch();
    expect(member.assigned).toEqual([0, 1]);
    expect(batches).toHaveLength(1);
    expect(warnings).toEqual(['the consumer is replaced: no brokers']);
  });

  it('leaves its group only after an assignment has been taken over', async () => {
    let takenOver = (): void => undefined;
    takeOver = () => new Promise((resolve) => (takenOver = resolve));
    newest().join();
    await clock.advance(0);
    const closed = member.close();
    await clock.advance(5_000);
    expect(newest().disconnects).toBe(0);
    takenOver();
    await closed;
    expect(newest().disconnects).toBe(1);
  });

  it('does not resume a partition on a consumer that did not pause it', async () => {
    answer = () => Promise.reject(new Error('not yet'));
    await fetch();
    const [first] = consumers;
    expect(first?.told).toEqual(['pause 0']);
    first?.crash('no brokers');
    await clock.advance(200);
    newest().join();
    const heartbeats = async (): Promise<void> => {
      await clock.advance(1_000);
      newest().heartbeat(1);
    };
    for (let second = 0; second < 2 * (RETRY_DELAYS.at(-1) ?? 0); second += 1_000) await heartbeats();
    expect(first?.told).toEqual(['pause 0']);
    expect(newest().told).toEqual([]);
  });

  it('ignores what a replaced consumer reports', async () => {
    const [first] = consumers;
    await clock.advance(SESSION_MS + 1_000);
    await clock.advance(200);
    expect(consumers).toHaveLength(2);
    newest().join();
    first?.emit('rebalancing', {});
    expect(member.assigned).toEqual([0, 1]);
    await clock.advance(SESSION_MS - 1_000);
    first?.heartbeat(1);
    await clock.advance(2_000);
    expect(member.assigned).toBeNull();
  });

  it('joins again only after the batches of the previous consumer have ended', async () => {
    let end = (): void => undefined;
    answer = () => new Promise((resolve) => (end = () => resolve(1)));
    const work = fetch();
    await clock.advance(0);
    newest().crash('no brokers');
    await clock.advance(60_000);
    expect(consumers).toHaveLength(1);
    end();
    await work;
    await clock.advance(0);
    expect(consumers).toHaveLength(2);
  });

  it('retries with growing delays while no broker is available', async () => {
    reachable = false;
    newest().crash('no brokers');
    const times: number[] = [];
    for (let tenth = 0; tenth < 200; tenth++) {
      const count = consumers.length;
      await clock.advance(100);
      if (consumers.length > count) times.push(clock.elapsedMs());
    }
    expect(times).toEqual([200, 700, 1_700, 6_700, 11_700, 16_700]);
    reachable = true;
    await clock.advance(5_000);
    newest().join();
    expect(member.assigned).toEqual([0, 1]);
  });

  it('does not join again while it is being closed', async () => {
    newest().crash('no brokers');
    const closed = member.close();
    await clock.advance(3_600_000);
    await closed;
    expect(consumers).toHaveLength(1);
    expect(clock.timers).toBe(0);
  });
});
