import type { ConfigurationHistory, RecordedEvent } from '@laurel/kernel';
import { ManualClock } from '@laurel/testing/clock';
import { OutcomeReader } from './outcome-reader.ts';
import { outcomesInMemory } from './outcomes-in-memory.fixture.ts';
import type { Caused } from './reader-dependencies.ts';

const CONFIGURATION = { outgoing: { types: new Set(['user.created']), keepMs: 1_000, announceTop: 10 } };
/** That of version 2, and every other one that is odd, says nothing of outcomes. */
const HISTORY = {
  current: CONFIGURATION,
  at: (version: number) => {
    if (version > 9) throw new Error(`the log holds no configuration version ${version}`);
    return version % 2 === 0 ? { outgoing: null } : CONFIGURATION;
  },
} as unknown as ConfigurationHistory;
const MADE_BY_HAND = ['ConfigurationPublished', 'CorrectionRecorded', 'UserErased', 'ApiKeyRevoked'];

/** A log of a publication and of keys that end, which make no outcome, and a cursor in memory. */
function open(
  onFailure: (error: unknown) => void = (error) => {
    throw error;
  },
) {
  const clock = new ManualClock();
  const records: RecordedEvent[] = [];
  const reads: number[] = [];
  const byHand: number[] = [];
  const { store, told: notified, position, setCursor } = outcomesInMemory();
  const deletions: number[] = [];
  const applied: { to: number | null } = { to: null };
  const deletion = { now: Promise.resolve(0) };
  /** While the head is asked for. */
  const meanwhile = { now: (): void => undefined };
  const reader = new OutcomeReader(
    {
      log: {
        read: async (after, limit) => {
          const read = records.slice(after, after + limit);
          reads.push(read.length);
          return read;
        },
        readAccountEvents: async (_, types) => records.filter(({ fact }) => types.some((type) => type === fact.type)),
        readAdministrativeBehind: async (_, after, limit) => {
          const read = records.filter(({ position, fact }) => position > after && MADE_BY_HAND.includes(fact.type));
          byHand.push(Math.min(read.length, limit));
          return read.slice(0, limit);
        },
        head: async () => {
          meanwhile.now();
          return records.length;
        },
      },
      store: {
        ...store,
        deleteOld: (_, before) => {
          deletions.push(before);
          return deletion.now;
        },
      },
      caused: async (_, asked) => asked.map(({ fact }) => (fact.type === 'UserErased' ? null : ADA)),
      runs: async () => [],
      finalRuns: async () => [],
      configurations: () => {
        if (records.length === 0) throw new Error('nothing was published yet');
        return HISTORY;
      },
      applied: () => applied.to ?? records.length,
      oldestNeeded: async () => null,
      clock,
      onFailure,
    },
    'default',
  );
  const record = (count: number) => {
    for (let n = 0; n < count; n++) {
      const fact = records.length === 0 ? { type: 'ConfigurationPublished', version: 1 } : { type: 'ApiKeyRevoked' };
      records.push({
        account: 'default',
        position: records.length + 1,
        configurationVersion: 1,
        fact,
      } as RecordedEvent);
    }
  };
  /** One record, under the version in force. */
  const append = (fact: object, configurationVersion: number) => {
    const position = records.length + 1;
    records.push({ account: 'default', position, occurredAt: position, configurationVersion, fact } as RecordedEvent);
  };
  return {
    clock,
    reader,
    record,
    append,
    reads,
    byHand,
    told: notified,
    applied,
    deletion,
    deletions,
    meanwhile,
    position,
    setCursor,
  };
}

const ADA = {
  userId: 'ada',
  effects: [],
  standing: null,
  profile: { attributes: new Map(), createdAt: 0, updatedAt: 0, notifications: {} },
} as unknown as Caused;
const publication = (version: number) => ({ type: 'ConfigurationPublished', version });
const correction = { type: 'CorrectionRecorded', subject: 1, corrections: [] };
const erasure = { type: 'UserErased', subject: 2 };
const event = { type: 'MetricEventRecorded', subject: 1, imported: false };

describe('OutcomeReader', () => {
  it('reads the first event at once, and those of the next 100 ms together', async () => {
    const { clock, reader, record, reads, position } = open();
    record(1);
    reader.wake();
    await clock.advance(0);
    expect([position(), reads]).toEqual([1, [1]]);
    for (let n = 0; n < 9; n++) {
      record(3);
      reader.wake();
      await clock.advance(10);
    }
    expect([position(), reads]).toEqual([1, [1]]);
    await clock.advance(10);
    expect([position(), reads]).toEqual([28, [1, 27]]);
    await reader.close();
  });

  it('reads on without a pause while there is more', async () => {
    const { clock, reader, record, reads, position } = open();
    record(600);
    reader.wake();
    await clock.advance(0);
    expect([position(), reads]).toEqual([600, [250, 250, 100]]);
    await reader.close();
  });

  it('makes recorded outcomes at once for a waiting caller, even behind a round in progress', async () => {
    const { clock, reader, record, position, meanwhile } = open();
    record(1);
    const waits: Promise<boolean>[] = [];
    meanwhile.now = () => void (waits.length === 0 && waits.push(reader.caughtUp()));
    reader.wake();
    await clock.advance(0);
    expect(waits).toHaveLength(1);
    await waits[0];
    record(3);
    await reader.caughtUp();
    expect(position()).toBe(4);
    await reader.close();
    expect(clock.timers).toBe(0);
  });

  it('lets callers wait while rounds fail, up to a time limit', async () => {
    const failures: unknown[] = [];
    const { clock, reader, record, position, meanwhile } = open((error) => failures.push(error));
    record(1);
    const failing = () => {
      throw new Error('the database cannot be reached');
    };
    meanwhile.now = failing;
    const ended: boolean[] = [];
    const wait = (of: typeof reader) => void of.caughtUp().then((isThrough) => ended.push(isThrough));
    wait(reader);
    for (let pause = 0; pause < 3; pause++) await clock.advance(100);
    expect([ended, failures.length > 1]).toEqual([[], true]);
    meanwhile.now = () => undefined;
    await clock.advance(100);
    await clock.advance(0);
    expect([ended, position()]).toEqual([[true], 1]);
    await reader.close();

    const away = open(() => undefined);
    away.record(1);
    away.meanwhile.now = failing;
    wait(away.reader);
    for (let pause = 0; pause < 199; pause++) await away.clock.advance(100);
    expect(ended).toEqual([true]);
    await away.clock.advance(100);
    expect(ended).toEqual([true, false]);
    await away.reader.close();
    expect(away.clock.timers).toBe(0);
  });

  it('lets no caller wait once it is closed', async () => {
    const { clock, reader, record } = open();
    record(1);
    await reader.close();
    await reader.caughtUp();
    expect(clock.timers).toBe(0);
  });

  it('does not wait for the next round when it is closed', async () => {
    const { clock, reader, record } = open();
    record(1);
    reader.wake();
    await clock.advance(0);
    reader.wake();
    await reader.close();
    expect(clock.timers).toBe(0);
  });

  it('finishes a deletion in progress before it is closed', async () => {
    const { clock, reader, record, deletion } = open();
    record(1);
    let isDeleted = (): void => undefined;
    deletion.now = new Promise((resolve) => (isDeleted = () => resolve(0)));
    reader.begin();
    await clock.advance(60_000);
    let isClosed = false;
    const closed = reader.close().then(() => (isClosed = true));
    await clock.advance(0);
    expect(isClosed).toBe(false);
    isDeleted();
    await closed;
  });

  describe('under a version without outcomes', () => {
    it('makes outcomes of corrections and erasures, and reads only administrative events', async () => {
      const { reader, append, reads, told: notified, position } = open();
      append(publication(2), 2);
      await reader.catchUp();
      for (let n = 0; n < 300; n++) append(event, 2);
      append(correction, 2);
      append(event, 2);
      append(erasure, 2);
      append(event, 2);
      await reader.catchUp();
      expect([notified, position(), reads]).toEqual([['user.corrected 302', 'user.erased 304'], 304, []]);
      await reader.catchUp();
      expect(notified).toHaveLength(2);
    });

    it('makes no outcomes of what was recorded before it started', async () => {
      const { reader, append, told: notified, position } = open();
      append(publication(2), 2);
      append(correction, 2);
      append(event, 2);
      await reader.catchUp();
      expect([notified, position()]).toEqual([[], 3]);
      append(correction, 2);
      await reader.catchUp();
      expect(notified).toEqual(['user.corrected 4']);
    });

    it('starts at a version that names outcomes, even if it is published at that moment', async () => {
      const { reader, append, told: notified, position, meanwhile } = open();
      append(publication(2), 2);
      meanwhile.now = () => {
        meanwhile.now = () => undefined;
        append(publication(3), 3);
        append(erasure, 3);
      };
      await reader.catchUp();
      expect([notified, position()]).toEqual([['user.erased 3'], 3]);
      await reader.close();
    });

    it('makes no outcome before every area has applied the event', async () => {
      const { reader, append, told: notified, applied } = open();
      append(publication(2), 2);
      await reader.catchUp();
      append(correction, 2);
      append(event, 2);
      applied.to = 1;
      await reader.catchUp();
      expect(notified).toEqual([]);
      applied.to = 2;
      await reader.catchUp();
      expect(notified).toEqual(['user.corrected 2']);
    });

    it('skips the events of that version, and reads those of the version before and after', async () => {
      const { reader, append, reads, told: notified, position } = open();
      append(publication(1), 1);
      append(correction, 1);
      append(publication(2), 2);
      for (let n = 0; n < 400; n++) append(event, 2);
      append(correction, 2);
      append(publication(3), 3);
      append(correction, 3);
      append(publication(4), 4);
      append(event, 4);
      append(erasure, 4);
      await reader.catchUp();
      expect(notified).toEqual(['user.corrected 2', 'user.corrected 404', 'user.corrected 406', 'user.erased 409']);
      expect([position(), reads]).toEqual([409, [250, 5]]);
    });

    it('reads more administrative events than fit into one round', async () => {
      const { reader, append, told: notified, byHand, setCursor } = open();
      append(publication(2), 2);
      setCursor(1);
      for (let n = 0; n < 600; n++) append(n % 2 === 0 ? { type: 'ApiKeyRevoked' } : correction, 2);
      await reader.catchUp();
      expect([notified.length, byHand]).toEqual([300, [250, 250, 100]]);
    });

    it('moves its cursor past 10,000 events without outcomes', async () => {
      const { reader, append, position, setCursor } = open();
      append(publication(2), 2);
      setCursor(1);
      for (let n = 0; n < 9_999; n++) append(event, 2);
      await reader.catchUp();
      expect(position()).toBe(1);
      append(event, 2);
      await reader.catchUp();
      expect(position()).toBe(10_001);
    });
  });

  it('waits at a version that its process does not know yet', async () => {
    const { reader, append, told: notified, position } = open();
    append(publication(1), 1);
    append(erasure, 1);
    append(publication(11), 11);
    append(erasure, 11);
    await reader.catchUp();
    expect([notified, position()]).toEqual([['user.erased 2'], 2]);
  });

  it('deletes nothing until it knows how long outcomes are kept', async () => {
    const { reader, append, deletions } = open();
    await reader.deleteOld();
    expect(deletions).toEqual([]);
    append(publication(1), 1);
    await reader.deleteOld();
    expect(deletions).toEqual([-1_000]);
  });
});
