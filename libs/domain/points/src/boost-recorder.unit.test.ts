import { compileHistory } from '@laurel/configuration';
import { BoostRecorder, publicationsIn } from '@laurel/engine';
import {
  StoreUnavailableError,
  type BoostEvent,
  type ConfigurationHistory,
  type DomainEvent,
  type RecordedEvent,
} from '@laurel/kernel';

const BOTH = ['points.boost_started', 'points.boost_finished'];
const WEEKEND = { key: 'weekend', start: '2026-03-07T00:00:00Z', end: '2026-03-09T00:00:00Z' };
const OPEN = { key: 'open', start: '2026-03-01T00:00:00Z' };

const documentOf = (boosts: readonly object[], events: readonly string[]) => ({
  version: 1,
  metrics: [{ key: 'lessons', name: 'Lessons' }],
  points: [
    { key: 'xp', name: 'XP', triggers: [], boosts: boosts.map((one) => ({ name: 'B', multiplier: 2, ...one })) },
  ],
  outgoing: { events },
});

/** An account whose log grows as it is told, and by what is recorded. */
function account(begin: string) {
  let now = Date.parse(begin);
  const records: RecordedEvent[] = [];
  const faults: { readonly isRecorded: boolean }[] = [];
  const reads = { count: 0 };
  let history: ConfigurationHistory;
  const append = (fact: DomainEvent, occurredAt = now) =>
    records.push({
      ...{ eventId: `${records.length}`, account: 'default', configurationVersion: 1, position: records.length + 1 },
      ...{ occurredAt, recordedAt: now, fact },
    });
  const open = () =>
    new BoostRecorder({
      log: {
        readAccountEvents: async (_, types) => {
          reads.count++;
          return records.filter(({ fact }) => types.some((type) => type === fact.type));
        },
      },
      configurations: () => history,
      clock: { now: () => now },
      record: async (_, fact, occurredAt) => {
        const fault = faults.shift();
        if (fault?.isRecorded !== false) append(fact, occurredAt);
        if (fault) throw new StoreUnavailableError('lost');
      },
    });
  let recorder = open();
  return {
    ...{ faults, reads },
    told: () =>
      records
        .filter((record): record is RecordedEvent<BoostEvent> => record.fact.type.startsWith('Boost'))
        .map(({ fact: { type, boost }, occurredAt }) => `${type} ${boost} ${new Date(occurredAt).toISOString()}`),
    publish: (boosts: readonly object[], events: readonly string[] = BOTH) => {
      const version = publicationsIn(records).length + 1;
      append({ type: 'ConfigurationPublished', version, document: documentOf(boosts, events) });
      history = compileHistory('default', publicationsIn(records));
    },
    restart: () => void (recorder = open()),
    at: (instant: string) => {
      now = Date.parse(instant);
      return recorder.recordDue('default');
    },
  };
}

describe('the beginnings and ends of boosts', () => {
  it('are recorded once each, dated when they happened', async () => {
    const { publish, at, told, restart } = account('2026-03-05T10:00:00Z');
    publish([WEEKEND]);
    await at('2026-03-06T23:59:59Z');
    expect(told()).toEqual([]);
    await at('2026-03-07T00:00:20Z');
    restart();
    await at('2026-03-08T00:00:00Z');
    expect(told()).toEqual(['BoostStarted weekend 2026-03-07T00:00:00.000Z']);
    await at('2026-03-09T00:00:00Z');
    restart();
    await at('2026-03-10T00:00:00Z');
    expect(told().slice(1)).toEqual(['BoostFinished weekend 2026-03-09T00:00:00.000Z']);
  });

  it('are those of the publication if a boost is published after its start, or removed before its end', async () => {
    const { publish, at, told } = account('2026-03-05T10:00:00Z');
    publish([OPEN]);
    await at('2026-03-05T10:00:20Z');
    expect(told()).toEqual(['BoostStarted open 2026-03-05T10:00:00.000Z']);
    await at('2026-03-06T10:00:00Z');
    publish([]);
    await at('2026-03-06T10:00:20Z');
    expect(told().slice(1)).toEqual(['BoostFinished open 2026-03-06T10:00:00.000Z']);
    await at('2026-03-07T10:00:00Z');
    publish([OPEN]);
    await at('2026-03-07T10:00:20Z');
    expect(told().slice(2)).toEqual(['BoostStarted open 2026-03-07T10:00:00.000Z']);
  });

  it('are not recorded of a boost that was over when it was published', async () => {
    const { publish, at, told } = account('2026-03-20T10:00:00Z');
    publish([WEEKEND]);
    await at('2026-03-20T10:00:20Z');
    expect(told()).toEqual([]);
  });

  it('are recorded only while the version in force names them, and not for the time before', async () => {
    const { publish, at, told, reads } = account('2026-03-05T10:00:00Z');
    publish([WEEKEND, OPEN], ['points.changed']);
    await at('2026-03-08T00:00:00Z');
    expect([told(), reads.count]).toEqual([[], 0]);
    publish([WEEKEND, OPEN]);
    await at('2026-03-08T00:00:20Z');
    expect(told()).toEqual([]);
    await at('2026-03-09T00:00:00Z');
    expect(told()).toEqual(['BoostFinished weekend 2026-03-09T00:00:00.000Z']);
  });

  it('are recorded after an outage, oldest first, and once even if an answer of the store is lost', async () => {
    const { publish, at, told, faults } = account('2026-03-05T10:00:00Z');
    publish([WEEKEND, { key: 'hour', start: '2026-03-07T10:00:00Z', end: '2026-03-07T11:00:00Z' }]);
    faults.push({ isRecorded: false });
    await expect(at('2026-03-20T00:00:00Z')).rejects.toThrow(StoreUnavailableError);
    faults.push({ isRecorded: true });
    await expect(at('2026-03-20T00:00:20Z')).rejects.toThrow(StoreUnavailableError);
    await at('2026-03-20T00:00:40Z');
    expect(told()).toEqual([
      'BoostStarted weekend 2026-03-07T00:00:00.000Z',
      'BoostStarted hour 2026-03-07T10:00:00.000Z',
      'BoostFinished hour 2026-03-07T11:00:00.000Z',
      'BoostFinished weekend 2026-03-09T00:00:00.000Z',
    ]);
  });
});
