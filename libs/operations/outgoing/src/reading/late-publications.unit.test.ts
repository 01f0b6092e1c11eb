import type { Configuration, ConfigurationHistory, RecordedEvent } from '@laurel/kernel';
import { ManualClock } from '@laurel/testing/clock';
import { OutcomeReader } from './outcome-reader.ts';
import { outcomesInMemory } from './outcomes-in-memory.fixture.ts';
import type { Caused } from './reader-dependencies.ts';

const NAMED = {
  outgoing: { types: new Set(['user.created', 'configuration.published']), keepMs: 1_000, announceTop: 10 },
};
const SILENT = { outgoing: null };

/** Distributed, with the log in EventStoreDB: `publications` (the history) is a table, the log is read from a copy of it. */
function open() {
  const log: RecordedEvent[] = [];
  let versions: number[] = [];
  let current: object = SILENT;
  const { store, told: notified, position } = outcomesInMemory();
  const configuration = (version: number): Configuration =>
    (version === 1 ? SILENT : NAMED) as unknown as Configuration;
  const meanwhile = { now: (): void => undefined };
  const history = (): ConfigurationHistory => {
    const known = versions;
    return {
      current,
      at: (version: number) => {
        if (!known.includes(version)) throw new Error('not known');
        return configuration(version);
      },
    } as unknown as ConfigurationHistory;
  };
  const reader = new OutcomeReader(
    {
      log: {
        read: async (after, limit) => log.slice(after, after + limit),
        readAccountEvents: async (_, types) => log.filter(({ fact }) => types.some((type) => type === fact.type)),
        readAdministrativeBehind: async (_, after, limit) => {
          const read = log
            .filter(({ position, fact }) => position > after && fact.type !== 'MetricEventRecorded')
            .slice(0, limit);
          meanwhile.now();
          return read;
        },
        head: async () => log.length,
      },
      store,
      caused: async (_, asked) =>
        asked.map(({ occurredAt: at }) => ({ ...ADA, effects: [{ type: 'UserCreated', at }] }) as unknown as Caused),
      runs: async () => [],
      finalRuns: async () => [],
      configurations: history,
      applied: () => Infinity,
      oldestNeeded: async () => null,
      clock: new ManualClock(),
      onFailure: (error) => {
        throw error;
      },
    },
    'default',
  );
  const learn = (version: number) => {
    versions = [...versions, version];
    current = { ...configuration(version) };
  };
  const append = (fact: object, configurationVersion: number) => {
    const position = log.length + 1;
    const eventId = `00000000-0000-5000-8000-${String(position).padStart(12, '0')}`;
    log.push({
      account: 'default',
      eventId,
      position,
      occurredAt: position,
      recordedAt: position,
      configurationVersion,
      fact,
    } as unknown as RecordedEvent);
  };
  return { reader, learn, append, told: notified, meanwhile, position };
}

const ADA = {
  userId: 'ada',
  effects: [],
  standing: null,
  profile: { attributes: new Map(), createdAt: 0, updatedAt: 0, notifications: {} },
};
const publication = (version: number) => ({ type: 'ConfigurationPublished', version });
const event = { type: 'MetricEventRecorded', subject: 1, imported: false };
const EXPECTED = ['configuration.published 2', 'user.created 3'];

describe('outcomes under a version that reaches the event store after its process has learned of it', () => {
  it('are made if the publication was known before the event store was read', async () => {
    const { reader, learn, append, told: notified, position } = open();
    append(publication(1), 1);
    learn(1);
    await reader.catchUp();
    learn(2);
    await reader.catchUp();
    append(publication(2), 2);
    append(event, 2);
    append({ type: 'ApiKeyRevoked' }, 2);
    await reader.catchUp();
    await reader.catchUp();
    expect({ told: notified, position: position() }).toEqual({ told: EXPECTED, position: 4 });
  });

  it('are made if the publication becomes known while the event store is read', async () => {
    const { reader, learn, append, told: notified, meanwhile, position } = open();
    append(publication(1), 1);
    learn(1);
    await reader.catchUp();
    append(publication(2), 2);
    append(event, 2);
    append({ type: 'ApiKeyRevoked' }, 2);
    meanwhile.now = () => {
      meanwhile.now = () => undefined;
      learn(2);
    };
    await reader.catchUp();
    await reader.catchUp();
    expect({ told: notified, position: position() }).toEqual({ told: EXPECTED, position: 4 });
  });
});
