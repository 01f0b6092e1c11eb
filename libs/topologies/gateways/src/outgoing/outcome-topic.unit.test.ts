import type { OutgoingMessage } from '@laurel/event-stream';
import type { Outcome } from '@laurel/outgoing';
import { createClock } from '@laurel/runtime';
import { OutcomeTopic } from './outcome-topic.ts';

const outcome = (sequence: number, userKey: string | null): Outcome => {
  const user = userKey === null ? {} : { user: { id: `user ${userKey}` } };
  const id = `id-${sequence}`;
  const type = 'streak.started';
  const timestamp = Date.parse('2026-03-01T12:00:00Z');
  return {
    sequence,
    id,
    type,
    userKey,
    otherKeys: [],
    timestamp,
    body: JSON.stringify({ id, type, sequence, ...user }),
  };
};

const ALL = [outcome(1, '7'), outcome(2, null), outcome(3, '8'), outcome(4, '7')];

/** The table, which outlives a process, and what is in the topic. */
function stored() {
  const sent: OutgoingMessage[] = [];
  const table = { sequence: 0 };
  let wake = (): void => undefined;
  const open = (onSave: () => void = () => undefined): Promise<unknown> =>
    new Promise((resolve) => {
      let isThrough = false;
      let failure: unknown;
      const topic = new OutcomeTopic({
        outcomes: {
          read: async (_, { after }) => {
            const some = ALL.filter(({ sequence }) => sequence > after).slice(0, 2);
            if (some.length === 0) isThrough = true;
            return some;
          },
          oldest: async () => 1,
          newest: async () => 4,
          onWritten: (listener) => {
            wake = listener;
            return () => undefined;
          },
        },
        sql: {
          query: async <R extends object>(text: string, parameters: readonly unknown[]) => {
            if (text.startsWith('select sequence')) return [{ sequence: String(table.sequence) }] as unknown as R[];
            if (text.startsWith('select')) return [];
            onSave();
            table.sequence = Number(parameters[3]);
            return [];
          },
        },
        producer: {
          send: async (messages) => void sent.push(...messages),
          sendTombstones: async () => undefined,
        },
        retention: async () => ({ retentionMs: 1_000, compactionLagMs: 1_000 }),
        clock: createClock({ type: 'system' }),
        ...{ account: 'default', partitions: 4 },
        onUnknownRetention: (error) => {
          throw error;
        },
        onFailure: (error) => {
          failure = error;
          isThrough = true;
        },
      });
      topic.begin();
      wake();
      const look = (): void => void (isThrough ? topic.close().then(() => resolve(failure)) : setImmediate(look));
      look();
    });
  return { sent, table, open };
}

describe('the topic of outcomes', () => {
  it('contains each outcome once, as a CloudEvent, those of a user in one partition', async () => {
    const { sent, open } = stored();
    await open();
    await open();
    expect(sent.map(({ value }) => value)).toEqual(ALL.map(({ body }) => body));
    expect(sent[0]).toMatchObject({
      topic: 'laurel.outcomes',
      key: 'id-1',
      headers: {
        ...{ ce_specversion: '1.0', ce_id: 'id-1', ce_type: 'laurel.streak.started.v1', ce_sequence: '1' },
        ...{ ce_source: '/accounts/default', ce_subject: 'user 7', ce_time: '2026-03-01T12:00:00.000Z' },
        'content-type': 'application/json',
      },
    });
    expect(sent[3]?.partition).toBe(sent[0]?.partition);
  });

  it('receives outcomes again that a crash left unsaved, under the same sequence', async () => {
    const { sent, table, open } = stored();
    const crash = new Error('a crash');
    expect(
      await open(() => {
        throw crash;
      }),
    ).toBe(crash);
    expect(table.sequence).toBe(0);
    await open();
    const sequences = sent.map(({ headers }) => Number(headers['ce_sequence']));
    expect(new Set(sequences)).toEqual(new Set([1, 2, 3, 4]));
    expect(sequences.slice(-4)).toEqual([1, 2, 3, 4]);
  });
});
