import { compileHistory } from '@laurel/configuration';
import {
  StoreUnavailableError,
  type ConfigurationHistory,
  type DomainEvent,
  type RecordedEvent,
  type RunEvent,
} from '@laurel/kernel';
import { publicationsIn, RunRecorder } from '@laurel/engine';
import { runTurns } from '@laurel/contributions';

const BOTH = ['leaderboard.started', 'leaderboard.finished'];
const DAILY = { key: 'daily', name: 'Daily', start: '2004-11-01', runUnit: 'day', runInterval: 1 };
const WEEKLY = { key: 'weekly', name: 'Weekly', start: '2026-03-02', runUnit: 'day', runInterval: 7 };
const EVER = { key: 'ever', name: 'Ever', start: '2026-03-04' };

const documentOf = (boards: readonly object[], events: readonly string[] | null) => ({
  version: 1,
  metrics: [{ key: 'lessons', name: 'Lessons' }],
  leaderboards: boards.map((board) => ({ rankBy: 'metric', metric: 'lessons', ...board })),
  ...(events !== null && { outgoing: { events } }),
});

/** An account whose log grows as it is told, and by what is recorded. */
function account(at: string) {
  let now = Date.parse(at);
  const records: RecordedEvent[] = [];
  const faults: { readonly error: Error; readonly isRecorded: boolean }[] = [];
  const reads = { count: 0 };
  let history: ConfigurationHistory;
  const append = (fact: DomainEvent, occurredAt = now) =>
    records.push({
      eventId: `${records.length}`,
      account: 'default',
      configurationVersion: 1,
      position: records.length + 1,
      occurredAt,
      recordedAt: now,
      fact,
    });
  const open = () =>
    new RunRecorder({
      log: {
        readAccountEvents: async (_, types) => {
          reads.count++;
          return records.filter(({ fact }) => types.some((type) => type === fact.type));
        },
      },
      configurations: () => history,
      boards: { runTurns },
      clock: { now: () => now },
      record: async (_, fact, occurredAt) => {
        const fault = faults.shift();
        if (fault?.isRecorded !== false) append(fact, occurredAt);
        if (fault) throw fault.error;
      },
    });
  let recorder = open();
  const told = () =>
    records
      .filter((record): record is RecordedEvent<RunEvent> => record.fact.type.startsWith('LeaderboardRun'))
      .map(({ fact: { type, board, run }, occurredAt }) =>
        [type === 'LeaderboardRunEnded' ? 'ended' : 'started', board, run, new Date(occurredAt).toISOString()].join(
          ' ',
        ),
      );
  return {
    faults,
    told,
    reads,
    publish: (boards: readonly object[], events: readonly string[] | null) => {
      const version = publicationsIn(records).length + 1;
      append({ type: 'ConfigurationPublished', version, document: documentOf(boards, events) });
      history = compileHistory('default', publicationsIn(records));
    },
    restart: () => void (recorder = open()),
    at: (instant: string) => {
      now = Date.parse(instant);
      return recorder.recordDue('default');
    },
  };
}

describe('the starts and ends of leaderboard runs', () => {
  it('are recorded once each, dated when the run began or became final', async () => {
    const { publish, at, told, restart } = account('2026-03-01T10:00:00Z');
    publish([WEEKLY, EVER], BOTH);
    await at('2026-03-01T23:59:59Z');
    expect(told()).toEqual([]);
    await at('2026-03-02T00:00:00Z');
    await at('2026-03-02T00:00:20Z');
    restart();
    await at('2026-03-05T00:00:00Z');
    expect(told()).toEqual([
      'started weekly 2026-03-02 2026-03-02T00:00:00.000Z',
      'started ever 2026-03-04 2026-03-04T00:00:00.000Z',
    ]);
    await at('2026-03-09T12:09:59Z');
    expect(told().slice(2)).toEqual(['started weekly 2026-03-09 2026-03-09T00:00:00.000Z']);
    await at('2026-03-09T12:10:00Z');
    restart();
    await at('2026-03-09T12:10:20Z');
    expect(told().slice(3)).toEqual(['ended weekly 2026-03-02 2026-03-09T12:00:00.000Z']);
  });

  it('are not looked up while no version includes their outcomes', async () => {
    const { publish, at, told, reads } = account('2026-03-01T10:00:00Z');
    publish([DAILY, WEEKLY], ['streak.lost']);
    await at('2026-04-01T00:00:00Z');
    publish([DAILY, WEEKLY], null);
    await at('2026-05-01T00:00:00Z');
    expect([told(), reads.count]).toEqual([[], 0]);
  });

  it('are ignored if they precede the version that added the type or the board, even 22 years of them', async () => {
    const { publish, at, told } = account('2026-03-01T10:00:00Z');
    publish([DAILY], ['leaderboard.started']);
    await at('2026-03-02T00:00:20Z');
    expect(told()).toEqual(['started daily 2026-03-02 2026-03-02T00:00:00.000Z']);
    await at('2026-03-03T13:00:00Z');
    publish([DAILY, WEEKLY], BOTH);
    await at('2026-03-04T12:10:00Z');
    expect(told().slice(2)).toEqual([
      'started daily 2026-03-04 2026-03-04T00:00:00.000Z',
      'ended daily 2026-03-03 2026-03-04T12:00:00.000Z',
    ]);
  });

  it('are recorded again when a board returns, except ends from the time of its absence', async () => {
    const { publish, at, told } = account('2026-03-01T10:00:00Z');
    publish([DAILY], ['leaderboard.finished']);
    await at('2026-03-02T13:00:00Z');
    publish([WEEKLY], ['leaderboard.finished']);
    await at('2026-03-05T13:00:00Z');
    publish([DAILY], ['leaderboard.finished']);
    await at('2026-03-06T13:00:00Z');
    expect(told()).toEqual([
      'ended daily 2026-02-28 2026-03-01T12:00:00.000Z',
      'ended daily 2026-03-01 2026-03-02T12:00:00.000Z',
      'ended daily 2026-03-05 2026-03-06T12:00:00.000Z',
    ]);
  });

  it('are all recorded after weeks of downtime, oldest first, in batches of bounded size', async () => {
    const { publish, at, told } = account('2026-03-01T10:00:00Z');
    publish([WEEKLY, DAILY], BOTH);
    await at('2026-03-23T13:00:00Z');
    const ends = told().map((line) => line.split(' ')[3]);
    expect(ends).toEqual([...ends].sort());
    expect(told().filter((line) => line.startsWith('ended daily'))).toHaveLength(23);
    expect(told().filter((line) => line.startsWith('ended weekly'))).toHaveLength(3);
    expect(told().filter((line) => line.startsWith('started weekly'))).toHaveLength(4);
    const before = told().length;
    await at('2029-03-23T13:00:00Z');
    expect(told().length - before).toBe(1_000);
    for (let turn = 0; turn < 4; turn++) await at('2029-03-23T13:00:00Z');
    expect(new Set(told()).size).toBe(told().length);
    expect(told().at(-1)).toBe('ended daily 2029-03-22 2029-03-23T12:00:00.000Z');
  });

  it('are recorded once even if the store is unavailable or its answer is lost', async () => {
    const { publish, at, told, faults } = account('2026-03-01T10:00:00Z');
    publish([WEEKLY, EVER], BOTH);
    const error = new StoreUnavailableError('not now');
    faults.push({ error, isRecorded: false }, { error, isRecorded: true });
    await expect(at('2026-03-05T00:00:00Z')).rejects.toThrow('not now');
    expect(told()).toEqual([]);
    await expect(at('2026-03-05T00:00:20Z')).rejects.toThrow('not now');
    expect(told()).toHaveLength(1);
    await at('2026-03-05T00:00:40Z');
    await at('2026-03-05T00:01:00Z');
    expect(told()).toHaveLength(2);
  });

  it('are not recorded again if the clock goes back or the end of a board moves', async () => {
    const { publish, at, told } = account('2026-03-01T10:00:00Z');
    publish([{ ...EVER, start: '2026-03-02', end: '2026-03-03' }], BOTH);
    await at('2026-03-04T13:00:00Z');
    await at('2026-03-01T10:00:00Z');
    await at('2026-03-04T13:00:00Z');
    publish([{ ...EVER, start: '2026-03-02', end: '2026-03-08' }], BOTH);
    await at('2026-03-20T13:00:00Z');
    expect(told()).toEqual([
      'started ever 2026-03-02 2026-03-02T00:00:00.000Z',
      'ended ever 2026-03-02 2026-03-04T12:00:00.000Z',
    ]);
  });
});
