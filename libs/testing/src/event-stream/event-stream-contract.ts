import { randomBytes, randomUUID } from 'node:crypto';
import {
  LONGEST_MESSAGE,
  type EventStream,
  type OutgoingMessage,
  type StreamProducer,
  type Subscription,
} from '@laurel/event-stream';
import { behind, Reader, until } from './reader.ts';

/** An adapter for the suite: processes that use the same brokers. */
export interface EventStreamUnderTest {
  /** Opens the stream in one more process. */
  open(): Promise<EventStream>;
  close(): Promise<void>;
}

const PARTITIONS = 6;

/**
 * The contract of the event stream's port, for every adapter. Call it in a test of the adapter. It creates its own
 * topics, so the brokers need not be empty.
 */
export function describeEventStreamContract(adapter: string, create: () => Promise<EventStreamUnderTest>): void {
  describe(`the event stream contract, kept by ${adapter}`, () => {
    let brokers: EventStreamUnderTest;
    let stream: EventStream;
    let producer: StreamProducer;
    let topic: string;
    let readers: Reader[];

    beforeEach(async () => {
      brokers = await create();
      stream = await brokers.open();
      producer = await stream.openProducer();
      topic = `contract-${randomUUID()}`;
      readers = [];
      await stream.ensureTopics([specification(topic)]);
    });
    afterEach(async () => {
      await Promise.all(readers.map((reader) => reader.close()));
      await producer.close();
      await brokers.close();
    });

    const endsOf = async (name: string): Promise<readonly number[]> =>
      (await stream.bounds(name)).map(({ end }) => end);
    const message = (partition: number, value: string): OutgoingMessage => ({
      topic,
      partition,
      key: `key of ${value}`,
      value,
      headers: { source: 'contract' },
    });
    const send = (partition: number, ...values: string[]): Promise<void> =>
      producer.send(values.map((value) => message(partition, value)));
    /** A consumer in a separate process. */
    const read = async (settings: Partial<Subscription> = {}, behave: Partial<Reader> = {}): Promise<Reader> => {
      const reader = Object.assign(new Reader(), behave);
      const subscription: Subscription = {
        topic,
        group: `${topic}-group`,
        from: 'beginning',
        concurrency: 3,
        ...settings,
      };
      await reader.start(await brokers.open(), subscription);
      readers.push(reader);
      return reader;
    };

    describe('topics', () => {
      it('are created once, even if several processes ask at the same time', async () => {
        const name = `contract-${randomUUID()}`;
        const streams = await Promise.all([brokers.open(), brokers.open(), brokers.open()]);
        await Promise.all(streams.map((each) => each.ensureTopics([specification(topic), specification(name)])));
        expect(await endsOf(name)).toEqual([0, 0, 0, 0, 0, 0]);
      });

      it('are refused with both numbers if they have another number of partitions', async () => {
        const other = { ...specification(topic), partitions: PARTITIONS + 1 };
        await expect(stream.ensureTopics([other])).rejects.toMatchObject({
          name: 'TopicMismatchError',
          topic,
          found: PARTITIONS,
          expected: PARTITIONS + 1,
        });
      });

      it('are not created with more replicas than brokers, and the error names both numbers', async () => {
        const demanding = { ...specification(`contract-${randomUUID()}`), replication: 9 };
        await expect(stream.ensureTopics([demanding])).rejects.toMatchObject({
          name: 'TooFewBrokersError',
          topic: demanding.name,
          brokers: 1,
          replication: 9,
        });
        await send(1, 'kept');
        const again = stream.remakeTopic({ ...specification(topic), replication: 9 });
        await expect(again).rejects.toMatchObject({ name: 'TooFewBrokersError', topic });
        expect(await endsOf(topic)).toEqual([0, 1, 0, 0, 0, 0]);
        expect(await stream.copies([topic])).toEqual([{ topic, copies: 1, inSync: 1 }]);
      });

      it.each([
        { retentionMs: null, compactionLagMs: null },
        { retentionMs: 3_600_000, compactionLagMs: null },
        { retentionMs: 604_800_000, compactionLagMs: 86_400_000 },
        { retentionMs: null, compactionLagMs: 60_000 },
      ])('report how long they keep messages: %j', async (retention) => {
        const name = `contract-${randomUUID()}`;
        await stream.ensureTopics([{ ...specification(name), ...retention }]);
        expect(await stream.retention(name)).toEqual(retention);
      });

      it('deliver a tombstone in its place, without a value', async () => {
        await send(1, 'a');
        await producer.sendTombstones([{ ...message(1, 'a'), value: null }]);
        await send(1, 'b');
        const reader = await read();
        await until(() => reader.count >= 3);
        expect(reader.seen(1).map(({ key, value }) => [key, value])).toEqual([
          ['key of a', 'a'],
          ['key of a', ''],
          ['key of b', 'b'],
        ]);
      });

      it('report the first kept and the next offset of each partition', async () => {
        await send(1, 'a', 'b');
        await send(5, 'c');
        expect(await endsOf(topic)).toEqual([0, 2, 0, 0, 0, 1]);
        expect(new Set((await stream.bounds(topic)).map(({ start }) => start))).toEqual(new Set([0]));
      });

      it('that are recreated are empty, and a running consumer continues with the new messages', async () => {
        await send(2, 'old 1', 'old 2', 'old 3');
        const reader = await read();
        await until(() => reader.count === 3);
        await stream.remakeTopic(specification(topic));
        expect(await endsOf(topic)).toEqual([0, 0, 0, 0, 0, 0]);
        await send(2, 'new');
        await until(() => reader.count === 4);
        expect(reader.seen(2).at(-1)).toMatchObject({ offset: 0, value: 'new' });
        const name = `contract-${randomUUID()}`;
        await stream.remakeTopic(specification(name));
        expect(await endsOf(name)).toEqual([0, 0, 0, 0, 0, 0]);
      });

      it('that do not exist cannot be consumed', async () => {
        await expect(read({ topic: `contract-${randomUUID()}` })).rejects.toThrow();
      });
    });

    describe('messages', () => {
      it('arrive unchanged, with key and headers', async () => {
        const messages: OutgoingMessage[] = [
          { topic, partition: 2, key: '', value: '', headers: {} },
          {
            topic,
            partition: 2,
            key: 'schlüssel 🔑',
            value: '{"wert":"☃\\u0000"}',
            headers: { leer: '', ключ: 'значение' },
          },
          { topic, partition: 2, key: '__proto__', value: '0', headers: { a: '1', b: '2' } },
        ];
        await producer.send(messages);
        const reader = await read();
        await until(() => reader.seen(2).length === 3);
        expect(reader.seen(2)).toEqual(
          messages.map(({ key, value, headers }, offset) => ({ offset, key, value, headers })),
        );
      });

      it('of a partition arrive in order and completely, however many are sent at a time', async () => {
        const reader = await read();
        const count = 400;
        // Each sender waits for its own messages, like the worker of a partition.
        const sender = async (name: number): Promise<void> => {
          for (let n = 0; n < count; n += 5)
            await producer.send([0, 1, 2, 3, 4].map((more) => message(name % PARTITIONS, `${name}/${n + more}`)));
        };
        await Promise.all(Array.from({ length: 12 }, (_, name) => sender(name)));
        await until(
          () => reader.count === 12 * count,
          () => reader.summary(),
        );
        for (let partition = 0; partition < PARTITIONS; partition++) {
          const seen = reader.seen(partition);
          expect(seen.map(({ offset }) => offset)).toEqual(seen.map((_, index) => index));
          for (const name of [partition, partition + PARTITIONS])
            expect(seen.map(({ value }) => value).filter((value) => value.startsWith(`${name}/`))).toEqual(
              Array.from({ length: count }, (_, n) => `${name}/${n}`),
            );
        }
      });

      it('of one call keep their order within each partition, however many there are', async () => {
        const values = Array.from({ length: 3_000 }, (_, n) => `${n} ${'x'.repeat(1_000)}`);
        await producer.send(values.flatMap((value) => [message(0, value), message(4, value)]));
        const reader = await read();
        await until(() => reader.count === 6_000);
        expect(reader.seen(0).map(({ value }) => value)).toEqual(values);
        expect(reader.seen(4).map(({ value }) => value)).toEqual(values);
      });

      it('arrive if they are long, and are refused if they are too long, without affecting others', async () => {
        // Nothing that could be compressed much.
        const noise = randomBytes(15_000_000).toString('base64');
        const repeated = '{"award":"first lesson"}'.repeat(2_000_000);
        const tooLong = 'y'.repeat(LONGEST_MESSAGE);
        const sent = await Promise.allSettled([
          send(3, 'before'),
          send(3, tooLong),
          send(3, noise, repeated),
          send(3, 'behind'),
        ]);
        expect(sent.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
        const reader = await read();
        await until(() => reader.seen(3).length === 4);
        const values = reader.seen(3).map(({ value }) => value);
        expect(values.map((value) => value.length)).toEqual([6, noise.length, repeated.length, 6]);
        expect(values[1] === noise && values[2] === repeated).toBe(true);
      });

      it('are refused by a closed producer, and an empty call sends nothing', async () => {
        const other = await stream.openProducer();
        await other.send([]);
        await other.close();
        await expect(other.send([message(0, 'late')])).rejects.toThrow();
        expect(await endsOf(topic)).toEqual([0, 0, 0, 0, 0, 0]);
      });
    });

    describe('a batch', () => {
      it('is never empty, belongs to one partition, and knows the end of that partition', async () => {
        await send(0, 'a', 'b', 'c');
        await send(1, 'd');
        const reader = await read();
        await until(() => reader.count === 4);
        for (const { topic: of, partition, messages, end } of reader.batches) {
          expect(of).toBe(topic);
          expect(messages.length).toBeGreaterThan(0);
          expect(end).toBe(partition === 0 ? 3 : 1);
        }
      });

      it('is processed beside batches of other partitions, up to the requested concurrency, never beside one of its own', async () => {
        let release = (): void => undefined;
        const released = new Promise<void>((resolve) => (release = resolve));
        const reader = await read({ concurrency: 3 }, { beforeAnswer: () => released });
        for (let partition = 0; partition < PARTITIONS; partition++) await send(partition, 'a');
        await until(() => reader.working.size === 3);
        for (let partition = 0; partition < PARTITIONS; partition++) await send(partition, 'b');
        release();
        await until(() => reader.count === 2 * PARTITIONS);
        expect(reader.mostAtATime).toBe(3);
        expect(reader.overlaps).toEqual([]);
      });

      it('is followed by the batch at the offset that the handler returns, earlier or later', async () => {
        await send(0, 'a', 'b', 'c', 'd');
        const answers = [1, 3, 4];
        const reader = await read({}, { answer: ({ messages }) => answers.shift() ?? behind(messages) });
        await until(() => answers.length === 0);
        expect(reader.batches.map(({ messages }) => messages[0]?.offset)).toEqual([0, 1, 3]);
        await send(0, 'e');
        await until(() => reader.batches.length >= 4);
        expect(reader.batches.at(-1)?.messages.map(({ value }) => value)).toEqual(['e']);
      });

      it('is delivered again from its first message if the handler rejects, and only its partition waits', async () => {
        let refusing = true;
        const reader = await read(
          {},
          {
            beforeAnswer: async ({ partition }) => {
              if (partition === 0 && refusing) throw new Error('poison');
            },
          },
        );
        await send(0, 'a', 'b');
        await until(() => reader.attempts(0) >= 1);
        await send(1, 'c');
        await send(0, 'd');
        await until(() => reader.seen(1).length === 1);
        await until(() => reader.attempts(0) >= 2);
        const failing = reader.consumer?.health().partitions.find(({ partition }) => partition === 0);
        expect(String(failing?.failure?.error)).toBe('Error: poison');
        expect(failing?.failure?.attempts).toBeGreaterThanOrEqual(1);
        expect(reader.seen(0)).toEqual([]);
        refusing = false;
        await until(() => reader.seen(0).length === 3);
        expect(reader.seen(0).map(({ offset }) => offset)).toEqual([0, 1, 2]);
        expect(reader.consumer?.health().partitions.map(({ failure }) => failure)).toEqual(
          Array(PARTITIONS).fill(null),
        );
      });

      it('that was rejected is retried only after a delay', async () => {
        const reader = await read(
          {},
          {
            beforeAnswer: ({ partition }) =>
              partition === 0 ? Promise.reject(new Error('poison')) : Promise.resolve(),
          },
        );
        await send(0, 'poison');
        await until(() => reader.attempts(0) >= 1);
        for (let n = 1; n <= 30; n++) {
          await send(1, String(n));
          await until(() => reader.seen(1).length === n);
        }
        expect(reader.attempts(0)).toBeLessThan(30);
      });

      it('counts as rejected if the returned offset is beyond the end of the partition', async () => {
        const answers = [3, 2];
        const reader = await read({}, { answer: () => answers.shift() ?? 2 });
        await send(0, 'a', 'b');
        await until(() => reader.batches.length >= 2 && answers.length === 0);
        expect(reader.batches.map(({ messages }) => messages[0]?.offset)).toEqual([0, 0]);
      });
    });

    describe('an assignment', () => {
      it('is announced before the first batch, which waits for the answer', async () => {
        let release = (): void => undefined;
        const released = new Promise<void>((resolve) => (release = resolve));
        await send(0, 'a');
        const reader = await read({}, { beforeAssigned: () => released });
        await until(() => reader.assignments.length === 1);
        expect(reader.assignments).toEqual([[0, 1, 2, 3, 4, 5]]);
        expect(reader.batches).toEqual([]);
        release();
        await until(() => reader.count === 1);
        expect(reader.consumer?.assigned).toEqual([0, 1, 2, 3, 4, 5]);
      });

      it('is announced again if the announcement is rejected, and no batch comes before', async () => {
        let attempts = 0;
        await send(0, 'a');
        const reader = await read(
          {},
          {
            beforeAssigned: async () => {
              if (++attempts === 1) throw new Error('not now');
            },
          },
        );
        await until(() => reader.count === 1);
        expect(attempts).toBe(2);
        expect(reader.trail).toEqual(['assigned', 'batch']);
        expect(reader.consumer?.health().trouble).toBeNull();
      });

      it('starts where the group stands, and at the beginning for another group', async () => {
        await send(0, 'a', 'b');
        const first = await read();
        await until(() => first.count === 2);
        await first.close();
        await send(0, 'c');
        const second = await read();
        const stranger = await read({ group: `${topic}-other` });
        await until(() => second.count === 1 && stranger.count === 3);
        expect(second.seen(0).map(({ value }) => value)).toEqual(['c']);
        expect(stranger.seen(0).map(({ value }) => value)).toEqual(['a', 'b', 'c']);
      });

      it('starts at the returned offset, wherever the group stands, and at 0 if that is beyond the end', async () => {
        await send(0, 'a', 'b', 'c');
        await send(1, 'd', 'e');
        const first = await read();
        await until(() => first.count === 5);
        await first.close();
        const beginnings = new Map([
          [0, 1],
          [1, 99],
        ]);
        const second = await read({}, { beforeAssigned: () => Promise.resolve(beginnings) });
        await until(() => second.count === 4);
        expect(second.seen(0).map(({ value }) => value)).toEqual(['b', 'c']);
        expect(second.seen(1).map(({ value }) => value)).toEqual(['d', 'e']);
      });

      it('can be read on from another offset, even if nothing more is sent', async () => {
        await send(0, 'a', 'b', 'c');
        const reader = await read();
        await until(() => reader.count === 3);
        reader.consumer?.readOn(0, 1);
        await until(() => reader.count === 5);
        expect(reader.seen(0).map(({ value }) => value)).toEqual(['a', 'b', 'c', 'b', 'c']);
      });

      it('starts at the requested age, each time, wherever the group stands', async () => {
        const recently: Partial<Subscription> = { from: { agoMs: 1_500 } };
        const earlier: Partial<Subscription> = { from: { agoMs: 3_600_000 } };
        for (const partition of [0, 4]) await send(partition, 'old 1', 'old 2');
        await new Promise((resolve) => setTimeout(resolve, 3_000));
        for (const partition of [0, 4]) await send(partition, 'new');
        const first = await read(recently);
        await until(() => first.count === 2);
        expect(first.seen(4).map(({ value }) => value)).toEqual(['new']);
        await first.close();
        const second = await read(earlier);
        await until(() => second.count === 6);
        await second.close();
        const third = await read(earlier);
        await until(() => third.count === 6);
        expect(third.seen(0).map(({ offset }) => offset)).toEqual([0, 1, 2]);
        await send(1, 'more');
        await until(() => third.count === 7);
      });

      it('divides the partitions among the members, and passes them to those who remain', async () => {
        const first = await read();
        await until(() => first.consumer?.assigned?.length === PARTITIONS);
        const second = await read();
        await until(() => first.consumer?.assigned?.length === 3 && second.consumer?.assigned?.length === 3);
        const shared = [...(first.consumer?.assigned ?? []), ...(second.consumer?.assigned ?? [])];
        expect(shared.sort()).toEqual([0, 1, 2, 3, 4, 5]);
        await first.close();
        expect(first.consumer?.assigned).toBeNull();
        await until(() => second.consumer?.assigned?.length === PARTITIONS);
        for (let partition = 0; partition < PARTITIONS; partition++) await send(partition, 'a');
        await until(() => second.count === PARTITIONS);
      });

      it('under load loses nothing, and no partition has two members at once', async () => {
        const working = new Map<number, Reader>();
        const overlaps: number[] = [];
        const shared: Partial<Reader> = {
          async beforeAnswer({ partition }) {
            const self = this as Reader;
            if (working.has(partition)) overlaps.push(partition);
            working.set(partition, self);
            await new Promise((resolve) => setTimeout(resolve, 5));
            working.delete(partition);
          },
        };
        const first = await read({}, shared);
        let sending = true;
        let sent = 0;
        const load = (async () => {
          for (; sending; sent++) await send(sent % PARTITIONS, String(Math.floor(sent / PARTITIONS)));
        })();
        await until(() => first.count > 50);
        const second = await read({}, shared);
        await until(() => second.count > 50);
        const third = await read({}, shared);
        await until(() => third.count > 50);
        await first.close();
        const before = second.count + third.count;
        await until(() => second.count + third.count > before + 100);
        sending = false;
        await load;
        const all = [first, second, third];
        const offsetsOf = (partition: number): Set<number> =>
          new Set(all.flatMap((reader) => reader.seen(partition).map(({ offset }) => offset)));
        const ends = await endsOf(topic);
        await until(() => ends.every((end, partition) => offsetsOf(partition).size === end));
        expect(ends.reduce((sum, end) => sum + end, 0)).toBe(sent);
        expect(overlaps).toEqual([]);
        for (const reader of all) expect(reader.gaps).toEqual([]);
      });

      it('ends when the consumer is closed, after the batch in progress', async () => {
        let release = (): void => undefined;
        const released = new Promise<void>((resolve) => (release = resolve));
        const first = await read({}, { beforeAnswer: () => released });
        await send(0, 'a');
        await until(() => first.working.size === 1);
        const closing = first.close();
        const second = await read();
        release();
        await closing;
        expect(first.seen(0).map(({ value }) => value)).toEqual(['a']);
        await send(0, 'b');
        await until(() => second.count >= 1);
        expect(second.seen(0).map(({ value }) => value)).toEqual(['b']);
        expect(first.count).toBe(1);
      });
    });

    describe('health', () => {
      it('shows the number of messages not handled yet', async () => {
        let release = (): void => undefined;
        const released = new Promise<void>((resolve) => (release = resolve));
        await send(2, 'a', 'b', 'c');
        const reader = await read({ concurrency: 1 }, { beforeAnswer: () => released });
        const lag = (): unknown => reader.consumer?.health().partitions.map((partition) => partition.lag);
        await until(() => JSON.stringify(lag()) === '[0,0,3,0,0,0]');
        release();
        await until(() => JSON.stringify(lag()) === '[0,0,0,0,0,0]');
        expect(reader.consumer?.health()).toMatchObject({ topic, group: `${topic}-group`, trouble: null });
        await reader.close();
        expect(reader.consumer?.health().partitions).toEqual([]);
      });

      it("can be checked by a ping of the brokers and of a group's coordinator, known or not", async () => {
        await stream.ping();
        await read();
        await stream.ping(`${topic}-group`);
        await stream.ping(`${topic}-unknown`);
      });
    });
  });
}

const specification = (name: string) => ({
  ...{ name, partitions: PARTITIONS, replication: 1, retentionMs: null },
  compactionLagMs: null,
});
