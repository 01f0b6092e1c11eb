import { ManualClock } from '@laurel/testing/clock';
import kafkajs, { type Consumer, type EachBatchPayload, type Kafka } from 'kafkajs';
import { FakeConsumer } from './fake-consumer.fixture.ts';
import { GroupConsumer } from './group-consumer.ts';

const SESSION_MS = 10_000;

describe('GroupConsumer', () => {
  let clock: ManualClock;
  let fake: FakeConsumer;
  let told: unknown[];
  let consumer: GroupConsumer;
  let work: Promise<void>;

  beforeEach(async () => {
    clock = new ManualClock();
    fake = new FakeConsumer();
    told = [];
    work = Promise.resolve();
    consumer = new GroupConsumer({
      kafka: { consumer: () => fake as unknown as Consumer } as unknown as Kafka,
      clock,
      subscription: { topic: 't', group: 'g', from: 'beginning', concurrency: 1 },
      sessionTimeoutMs: SESSION_MS,
      events: {
        joined: (partitions) => told.push(['joined', partitions]),
        heard: () => told.push('heard'),
        unassigned: () => told.push('unassigned'),
        batch: () => {
          told.push('batch');
          return work;
        },
        ended: (why) => told.push(['ended', why]),
      },
    });
    await consumer.start();
  });

  const joined = ['joined', [0, 1]];
  const batch = (): Promise<void> => fake.eachBatch({} as EachBatchPayload);

  it('reports its partitions, heartbeats and batches', async () => {
    fake.join();
    fake.heartbeat(1);
    await batch();
    expect(told).toEqual([joined, 'heard', 'batch']);
  });

  it('passes on no batch between a rebalance and the next join, and delays the next fetch', async () => {
    fake.join();
    fake.emit('rebalancing', {});
    let isFetchedAgain = false;
    void batch().then(() => (isFetchedAgain = true));
    await clock.advance(100);
    expect(isFetchedAgain).toBe(false);
    await clock.advance(1_000);
    expect(isFetchedAgain).toBe(true);
    fake.join();
    await batch();
    expect(told).toEqual([joined, 'unassigned', joined, 'batch']);
  });

  it('is unassigned if kafkajs joins a new generation unannounced, and ends after a session', async () => {
    fake.join();
    fake.heartbeat(1);
    fake.heartbeat(1);
    fake.heartbeat(2);
    expect(told).toEqual([joined, 'heard', 'heard', 'unassigned']);
    for (let second = 0; second < 12; second++) {
      fake.heartbeat(2);
      await clock.advance(1_000);
    }
    expect(told.slice(4)).toEqual([['ended', expect.stringContaining('partitions have not been known for 10 s')]]);
  });

  it('accepts the heartbeats of each generation that it has joined', async () => {
    for (const generation of [1, 2, 3]) {
      fake.emit('rebalancing', {});
      fake.join();
      fake.heartbeat(generation);
    }
    expect(told.filter((event) => event === 'heard')).toHaveLength(3);
  });

  it('keeps its partitions during a rebalance while a batch runs and heartbeats are answered', async () => {
    let end = (): void => undefined;
    work = new Promise((resolve) => (end = resolve));
    let answer: Error = protocolError('REBALANCE_IN_PROGRESS');
    fake.join();
    const batch = fake.eachBatch({ heartbeat: () => Promise.reject(answer) } as EachBatchPayload);
    await clock.advance(50_000);
    expect(new Set(told.slice(2))).toEqual(new Set(['heard']));
    answer = protocolError('UNKNOWN_MEMBER_ID');
    await clock.advance(SESSION_MS + 2_000);
    expect(told.at(-1)).toEqual(['ended', 'no heartbeat was answered within 10 s']);
    end();
    await batch;
  });

  it('ends if no heartbeat is answered for a session', async () => {
    fake.join();
    await clock.advance(SESSION_MS + 1_000);
    expect(told).toEqual([joined, ['ended', 'no heartbeat was answered within 10 s']]);
  });

  it('ends once if kafkajs crashes, with the reason', async () => {
    fake.join();
    fake.crash('no brokers');
    fake.crash('again');
    await clock.advance(3_600_000);
    expect(told).toEqual([joined, 'unassigned', ['ended', 'no brokers']]);
  });

  it('does not call kafkajs once that has stopped', () => {
    fake.join();
    consumer.pause(0);
    fake.stop();
    consumer.resume(0);
    consumer.pause(1);
    consumer.seek(1, 7);
    expect(fake.told).toEqual(['pause 0']);
    expect(told).toEqual([joined, 'unassigned']);
  });

  it('resumes paused partitions at each join', () => {
    fake.pausedPartitions = [1];
    fake.join();
    expect(fake.told).toEqual(['resume 1']);
  });

  it('reports nothing after it was given up, and refuses to join', async () => {
    fake.join();
    await consumer.giveUp();
    fake.heartbeat(1);
    fake.emit('rebalancing', {});
    fake.crash('closed');
    expect(() => fake.join()).toThrow('given up');
    await batch();
    await clock.advance(3_600_000);
    expect(told).toEqual([joined]);
    expect(fake.disconnects).toBe(1);
  });

  it('is given up within seconds even if kafkajs never disconnects', async () => {
    fake.disconnects = -Infinity;
    let isGivenUp = false;
    void consumer.giveUp().then(() => (isGivenUp = true));
    await clock.advance(9_000);
    expect(isGivenUp).toBe(false);
    await clock.advance(2_000);
    expect(isGivenUp).toBe(true);
  });
});

const protocolError = (type: string): Error =>
  new kafkajs.KafkaJSProtocolError(Object.assign(new Error(type), { type, code: 0, retriable: false }));
