import type { ConfigurationHistory, LogRecord } from '@laurel/contracts';
import { ManualClock } from '@laurel/testing/clock';
import type { OutcomeCursor, OutcomeStep } from '../stored/postgres-outcomes.ts';
import { OutcomeReader } from './outcome-reader.ts';

const CONFIGURATION = { outgoing: { types: new Set(['user.created']), keepMs: 1_000, announceTop: 10 } };
const HISTORY = { current: CONFIGURATION, at: () => CONFIGURATION } as unknown as ConfigurationHistory;

/** A log of a publication and of keys that end, which make no outcome, and a cursor in memory. */
function open() {
  const clock = new ManualClock();
  const records: LogRecord[] = [];
  const reads: number[] = [];
  let cursor: OutcomeCursor | null = null;
  const deletion = { now: Promise.resolve(0) };
  const reader = new OutcomeReader(
    {
      log: {
        read: async (after, limit) => {
          const read = records.slice(after, after + limit);
          reads.push(read.length);
          return read;
        },
        readAccountFacts: async (_, types) => records.filter(({ fact }) => types.some((type) => type === fact.type)),
      },
      store: {
        cursor: async () => cursor,
        begin: async (_, position) => void (cursor = { position, sequence: 0 }),
        write: async (_: string, { to }: OutcomeStep) => {
          cursor = to;
          return true;
        },
        deleteOld: () => deletion.now,
        forget: async () => undefined,
        forgetErased: async () => undefined,
      },
      caused: async () => [],
      runs: async () => [],
      configurations: () => HISTORY,
      applied: () => records.length,
      oldestNeeded: async () => null,
      clock,
      onFailure: (error) => {
        throw error;
      },
    },
    'default',
  );
  const record = (count: number) => {
    for (let n = 0; n < count; n++) {
      const fact = records.length === 0 ? { type: 'ConfigurationPublished', version: 1 } : { type: 'ApiKeyRevoked' };
      records.push({ account: 'default', position: records.length + 1, configurationVersion: 1, fact } as LogRecord);
    }
  };
  return { clock, reader, record, reads, deletion, position: () => cursor?.position };
}

describe('the reader of outcomes', () => {
  it('looks at the first event at once, and at those of the next 100 ms together', async () => {
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

  it('does not wait for the next round when it is closed', async () => {
    const { clock, reader, record } = open();
    record(1);
    reader.wake();
    await clock.advance(0);
    reader.wake();
    await reader.close();
    expect(clock.timers).toBe(0);
  });

  it('is closed once what it deletes at that moment is gone', async () => {
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
});
