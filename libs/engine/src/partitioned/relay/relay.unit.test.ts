import type { RecordedEvent } from '@laurel/kernel';
import type { OutgoingMessage } from '@laurel/event-stream';
import { subjectOf } from '@laurel/testing/subjects';
import { ManualClock } from '@laurel/testing/clock';
import { MemoryDataKeys } from '@laurel/testing/http-modules';
import { StaleRelayError, type RelayCheckpoint, type RelayStore } from './relay-store.ts';
import { Relay } from './relay.ts';

/** Positions need not be contiguous. */
const recordsUpTo = (count: number): RecordedEvent[] =>
  Array.from({ length: count }, (_, index) => ({
    eventId: `event-${index + 1}`,
    account: 'default',
    configurationVersion: 1,
    occurredAt: index,
    recordedAt: index,
    position: 3 * (index + 1),
    fact:
      index % 5 === 4
        ? { type: 'ImportOpened' }
        : { type: 'UserIdentified', subject: subjectOf(`user-${index % 7}`), user: {} },
  }));

class MemoryRelayStore implements RelayStore {
  checkpoint: RelayCheckpoint = { position: 0, sent: new Map() };
  failNext: 'before' | 'after' | null = null;

  read(): Promise<RelayCheckpoint> {
    return Promise.resolve(this.checkpoint);
  }

  save(before: RelayCheckpoint, after: RelayCheckpoint): Promise<void> {
    const failure = this.failNext;
    this.failNext = null;
    if (failure === 'before') return Promise.reject(new Error('the database is away'));
    if (this.checkpoint.position !== before.position) return Promise.reject(new StaleRelayError());
    this.checkpoint = after;
    return failure === 'after' ? Promise.reject(new Error('the answer was lost')) : Promise.resolve();
  }
}

const LONGEST_GATHERING_MS = 50;
const NOTHING = (): void => undefined;
const AT_ONCE = (): Promise<void> => Promise.resolve();

function open(records: readonly RecordedEvent[], withheld: readonly number[] = []) {
  const topic: OutgoingMessage[] = [];
  const store = new MemoryRelayStore();
  const clock = new ManualClock();
  const troubles: string[] = [];
  /** Of log, stream and store, in their order. */
  const calls: string[] = [];
  const save = store.save.bind(store);
  store.save = (before, after) => {
    calls.push(`save ${after.position}`);
    return save(before, after);
  };
  const world = { records, topic, store, clock, troubles, sendFails: false, sending: AT_ONCE, hint: NOTHING };
  const dataKeys = new MemoryDataKeys();
  const openRelay = () =>
    new Relay({
      log: {
        read: (after, limit) => {
          calls.push(`read behind ${after}`);
          return Promise.resolve(world.records.filter(({ position }) => position > after).slice(0, limit));
        },
        onAppend: (listener) => {
          world.hint = listener;
          return () => (world.hint = NOTHING);
        },
      },
      producer: {
        send: async (messages) => {
          calls.push('send');
          await world.sending();
          if (world.sendFails) throw Object.assign(new Error('no broker'), { code: 'ECONNREFUSED' });
          topic.push(...messages);
          calls.push('sent');
        },
      },
      store,
      dataKeys,
      partitions: 3,
      clock,
      onTrouble: (error) => troubles.push((error as Error).message),
      withheld: () => Promise.resolve(new Set(withheld)),
    });
  return { ...world, world, calls, openRelay, relay: openRelay() };
}

const said = ({ partition, headers, value }: OutgoingMessage) =>
  `${partition}/${headers['laurel-source']}/${headers['laurel-sequence']} ${value}`;

/** Each number once, as consumers take them: nothing said in two ways, no gap. */
function distinct(topic: readonly OutgoingMessage[]): readonly string[] {
  const last = new Map<number, number>();
  const taken = topic.filter(({ partition, headers }) => {
    const sequence = Number(headers['laurel-sequence']);
    expect(sequence).toBeLessThanOrEqual((last.get(partition) ?? 0) + 1);
    const isNext = sequence === (last.get(partition) ?? 0) + 1;
    if (isNext) last.set(partition, sequence);
    return isNext;
  });
  const all = new Set(topic.map(said));
  expect(all.size).toBe(taken.length);
  return taken.map(said);
}

async function undisturbed(records: readonly RecordedEvent[]) {
  const { relay, topic } = open(records);
  while (await relay.publish());
  return distinct(topic);
}

describe('the relay', () => {
  it('publishes every recorded event of a user, in order, numbered per partition', async () => {
    const { relay, topic, store } = open(recordsUpTo(1_201));
    expect([await relay.publish(), await relay.publish(), await relay.publish()]).toEqual([true, true, false]);
    expect(topic).toHaveLength(961);
    expect(distinct(topic)).toHaveLength(961);
    expect(store.checkpoint.position).toBe(3_603);
    expect([...store.checkpoint.sent.values()].reduce((a, b) => a + b)).toBe(961);
    expect(relay.counts).toEqual({ records: 1_201, sent: 961 });
  });

  it('skips withheld events, and numbers the others without a gap', async () => {
    const records = recordsUpTo(1_201);
    const withheld = [records[0], records[7], records[1_200]].map((record) => record?.position ?? 0);
    const { relay, topic, store } = open(records, withheld);
    while (await relay.publish());
    expect(topic).toHaveLength(958);
    expect(distinct(topic)).toEqual(await undisturbed(records.filter(({ position }) => !withheld.includes(position))));
    expect(store.checkpoint.position).toBe(3_603);
  });

  it('reads the next chunk while it sends one, and stops reading at the end', async () => {
    const { relay, calls } = open(recordsUpTo(1_201));
    while (await relay.publish());
    expect(calls).toEqual([
      ...['read behind 0', 'send', 'read behind 1500', 'sent', 'save 1500'],
      ...['send', 'read behind 3000', 'sent', 'save 3000'],
      ...['send', 'sent', 'save 3603'],
    ]);
  });

  it.each(['send', 'save'])('reads again from the checkpoint after a %s has failed', async (failing) => {
    const records = recordsUpTo(1_201);
    const { world, relay, calls, store, topic } = open(records);
    await relay.publish();
    calls.length = 0;
    if (failing === 'send') world.sendFails = true;
    else store.failNext = 'before';
    await expect(relay.publish()).rejects.toThrow();
    world.sendFails = false;
    while (await relay.publish());
    const again = calls.slice(calls.indexOf('read behind 3000') + 1);
    expect(again.filter((call) => call.startsWith('read'))).toEqual(['read behind 1500', 'read behind 3000']);
    expect(distinct(topic)).toEqual(await undisturbed(records));
    expect(store.checkpoint.position).toBe(3_603);
  });

  it('drops what it has read ahead if another relay has advanced the checkpoint', async () => {
    const records = recordsUpTo(1_201);
    const { relay, openRelay, topic } = open(records);
    await relay.publish();
    const other = openRelay();
    while (await other.publish());
    await expect(relay.publish()).rejects.toThrow(StaleRelayError);
    expect(distinct(topic)).toEqual(await undisturbed(records));
  });

  it('seals personal fields', async () => {
    const [first] = recordsUpTo(1) as [RecordedEvent];
    const user = { name: 'Ada', email: 'ada@example.org', tz: 'Asia/Tokyo' };
    const { relay, topic } = open([{ ...first, fact: { type: 'UserIdentified', subject: subjectOf('ada'), user } }]);
    await relay.publish();
    const [{ value }] = topic as [OutgoingMessage];
    expect(['"sealed":"', 'Asia/Tokyo', 'Ada', 'example.org'].map((text) => value.includes(text))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it.each(['before', 'after'] as const)(
    'repeats the same messages with the same numbers after a crash between send and save (%s the save)',
    async (failure) => {
      const records = recordsUpTo(20);
      const { world, relay, openRelay, topic, store } = open(records.slice(0, 12));
      store.failNext = failure;
      await expect(relay.publish()).rejects.toThrow();
      world.records = records;
      const next = openRelay();
      await next.publish();
      expect(topic.length).toBeGreaterThan(16 - 1);
      expect(distinct(topic)).toEqual(await undisturbed(records));
    },
  );

  it('does no harm beside another relay that also considers itself the leader', async () => {
    const records = recordsUpTo(30);
    const { world, relay, openRelay, topic } = open(records.slice(0, 10));
    const other = openRelay();
    await relay.publish();
    world.records = records.slice(0, 20);
    await other.publish();
    await expect(relay.publish()).rejects.toThrow(StaleRelayError);
    world.records = records;
    await other.publish();
    expect(distinct(topic)).toEqual(await undisturbed(records));
  });
});

describe('a running relay', () => {
  it('publishes at once after an append notification, and after a while without one', async () => {
    const { world, relay, clock, topic } = open(recordsUpTo(2));
    relay.start();
    await clock.advance(0);
    expect(topic).toHaveLength(2);
    await clock.advance(LONGEST_GATHERING_MS);
    world.records = recordsUpTo(3);
    world.hint();
    await clock.advance(0);
    expect(topic).toHaveLength(3);
    world.records = recordsUpTo(4);
    await clock.advance(1_000);
    expect(topic).toHaveLength(4);
    await relay.stop();
  });

  it('sends a single event at once, however soon after another', async () => {
    const { world, relay, clock, calls } = open(recordsUpTo(1));
    relay.start();
    for (let records = 1; records <= 40; records++) {
      world.records = recordsUpTo(records);
      world.hint();
      await clock.advance(0);
    }
    expect(calls.filter((call) => call === 'send')).toHaveLength(32);
    await relay.stop();
  });

  it.each([
    { perMs: 2, sends: 20 },
    { perMs: 1, sends: 20 },
    { perMs: 0.1, sends: 80 },
  ])(
    'sends events at $perMs per ms for a second in about $sends chunks, if the broker takes 4 ms',
    async ({ perMs, sends }) => {
      const { world, relay, clock, calls } = open(recordsUpTo(0));
      world.sending = () => new Promise((resolve) => void clock.after(4, resolve));
      relay.start();
      for (let ms = 1; ms <= 1_000; ms++) {
        world.records = recordsUpTo(Math.floor(ms * perMs));
        world.hint();
        await clock.advance(1);
      }
      const sent = calls.filter((call) => call === 'send').length;
      expect(sent).toBeLessThanOrEqual(sends + 4);
      expect(sent).toBeGreaterThanOrEqual(sends - 4);
      await relay.stop();
    },
  );

  it('does not wait for more events while there is a backlog', async () => {
    const { relay, clock, topic } = open(recordsUpTo(4_500));
    relay.start();
    await clock.advance(0);
    expect(topic).toHaveLength(3_600);
    await relay.stop();
  });

  it('stops at once even while it waits for more events', async () => {
    const { world, relay, clock, topic } = open(recordsUpTo(20));
    relay.start();
    await clock.advance(0);
    world.records = recordsUpTo(24);
    world.hint();
    await clock.advance(0);
    await relay.stop();
    expect(clock.timers).toBe(0);
    expect(topic).toHaveLength(16);
  });

  it('polls an idle event store once a second', async () => {
    const { relay, clock, calls } = open(recordsUpTo(2));
    relay.start();
    await clock.advance(0);
    await clock.advance(LONGEST_GATHERING_MS + 200);
    const before = calls.length;
    for (let second = 0; second < 10; second++) await clock.advance(1_000);
    expect(calls.slice(before)).toEqual(Array.from({ length: 10 }, () => 'read behind 6'));
    await relay.stop();
  });

  it('saves its checkpoint at most every 200 ms, and when it stops', async () => {
    const { world, relay, clock, topic, store, calls } = open(recordsUpTo(1));
    relay.start();
    await clock.advance(0);
    for (let records = 2; records <= 40; records++) {
      world.records = recordsUpTo(records);
      world.hint();
      await clock.advance(10);
    }
    expect(topic).toHaveLength(32);
    expect(calls.filter((call) => call.startsWith('save')).length).toBeLessThanOrEqual(3);
    await clock.advance(400);
    expect(store.checkpoint.position).toBe(120);
    world.records = recordsUpTo(41);
    world.hint();
    await clock.advance(0);
    await relay.stop();
    expect(store.checkpoint.position).toBe(123);
  });

  it('repeats the same messages with the same numbers after a crash before the checkpoint was saved', async () => {
    const records = recordsUpTo(12);
    const { world, relay, openRelay, clock, topic, store } = open(records.slice(0, 8));
    relay.start();
    await clock.advance(0);
    expect(store.checkpoint.position).toBe(0);
    world.records = records;
    await openRelay().publish();
    expect(topic.length).toBeGreaterThan(10);
    expect(distinct(topic)).toEqual(await undisturbed(records));
    await relay.stop();
  });

  it('handles a notification that arrives while it publishes', async () => {
    const { world, relay, clock, topic } = open(recordsUpTo(2));
    world.sending = () => {
      world.sending = AT_ONCE;
      world.records = recordsUpTo(4);
      world.hint();
      return AT_ONCE();
    };
    relay.start();
    await clock.advance(LONGEST_GATHERING_MS);
    expect(topic).toHaveLength(4);
    await relay.stop();
  });

  it('handles a notification that arrives after it has read ahead', async () => {
    const { world, relay, clock, topic, store } = open(recordsUpTo(900));
    const save = store.save.bind(store);
    store.save = (before, after) => {
      if (after.position === 1_500) {
        world.records = recordsUpTo(910);
        world.hint();
      }
      return save(before, after);
    };
    relay.start();
    await clock.advance(0);
    await clock.advance(LONGEST_GATHERING_MS);
    expect(topic).toHaveLength(728);
    await relay.stop();
    expect(clock.timers).toBe(0);
  });

  it('reports why it cannot publish, retries, and clears the report on success', async () => {
    const { world, relay, clock, topic, troubles } = open(recordsUpTo(2));
    world.sendFails = true;
    relay.start();
    await clock.advance(0);
    expect(relay.trouble).toBe('ECONNREFUSED');
    await clock.advance(1_000);
    expect(troubles).toEqual(['no broker', 'no broker']);
    world.sendFails = false;
    await clock.advance(1_000);
    expect(topic).toHaveLength(2);
    expect(relay.trouble).toBeNull();
    await relay.stop();
  });

  it('continues from the checkpoint of another relay', async () => {
    const records = recordsUpTo(9);
    const { world, relay, openRelay, clock, topic, store } = open(records.slice(0, 3));
    relay.start();
    await clock.advance(0);
    world.records = records.slice(0, 6);
    await openRelay().publish();
    world.records = records;
    await clock.advance(3_000);
    expect(distinct(topic)).toEqual(await undisturbed(records));
    expect(store.checkpoint.position).toBe(27);
    await relay.stop();
  });

  it('stops and can be started again', async () => {
    const { world, relay, clock, topic } = open(recordsUpTo(2));
    relay.start();
    await clock.advance(0);
    await relay.stop();
    expect(clock.timers).toBe(0);
    world.records = recordsUpTo(4);
    await clock.advance(10_000);
    expect(topic).toHaveLength(2);
    relay.start();
    await clock.advance(0);
    expect(topic).toHaveLength(4);
    await relay.stop();
  });
});
