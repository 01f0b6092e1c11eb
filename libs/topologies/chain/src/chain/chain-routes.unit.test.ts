import type { BoardOutcome, ChainMessage, Configuration, Contributions } from '@laurel/kernel';
import { TOPICS } from '@laurel/ports';
import { parseDay } from '@laurel/calendar';
import { partitionOf } from '@laurel/event-stream';
import { subjectOf } from '@laurel/testing/subjects';
import { sampleConfiguration } from '@laurel/testing/http-modules';
import fc from 'fast-check';
import { contributionsTo, fanOut, passOn, toCallers } from './chain-routes.ts';

const AT = Date.UTC(2026, 0, 10, 12);
const DAY = parseDay('2026-01-10');

const ANN = subjectOf('ann');

const messageOf = (fact: Partial<ChainMessage['record']['fact']> = {}): ChainMessage => ({
  record: {
    eventId: 'e',
    account: 'default',
    configurationVersion: 1,
    occurredAt: AT,
    recordedAt: AT,
    position: 9,
    fact: {
      type: 'MetricEventRecorded',
      subject: ANN,
      metric: 'commits',
      value: 1_000_000n,
      user: {},
      attributes: new Map(),
      keyHash: null,
      imported: false,
      ...fact,
    } as ChainMessage['record']['fact'],
  },
  areas: ['users', 'streaks', 'achievements', 'points'],
  user: { createdAt: 0, zone: 'UTC', previousZone: 'UTC', day: DAY, total: 1_000_000 },
  effects: [{ type: 'MetricTotalChanged', metric: 'commits', change: 1_000_000, total: 1_000_000, day: DAY }],
  sections: {},
});

const SWEPT = { type: 'UserSwept', place: 0 } as const;

/** As many boards of one metric as there are keys. */
function boardsOf(keys: readonly string[]): Configuration {
  const sample = sampleConfiguration('default');
  const [board] = sample.leaderboards;
  const leaderboards = [...new Set(keys)].map((key) => ({ ...(board as NonNullable<typeof board>), key }));
  const names = { ...sample.names, boards: sample.names.boards.with(leaderboards.map(({ key }) => key)) };
  return { ...sample, leaderboards, leaderboardByKey: new Map(leaderboards.map((one) => [one.key, one])), names };
}

const applied = (message: ChainMessage, configuration = sampleConfiguration('default'), partition = 3) => ({
  message,
  configuration,
  trail: [5, 6],
  partition,
});

/** What the message changes in a board, whose one run begins with the board. */
const changeOf = (configuration: Configuration, key: string) => ({
  board: configuration.names.boards.numberOf(key),
  run: parseDay(configuration.leaderboardByKey.get(key)?.start ?? ''),
  ...{ change: 1_000_000, sets: false, at: AT, ordinal: 0, due: false },
});

describe('a user service in the middle of the chain', () => {
  it('passes everything on to the same partition of the next topic and sends callers nothing', () => {
    const routes = passOn(TOPICS.streaks, 12);
    const message = messageOf();
    expect([routes.topic, routes.partitions, routes.configurationTo(3)]).toEqual([TOPICS.streaks, 12, [3]]);
    expect(routes.record(applied(message))).toEqual([
      { partition: 3, key: String(ANN), streamed: { kind: 'record', message, trail: [5, 6] } },
    ]);
    expect(routes.effects(applied(message))).toEqual([]);
  });
});

describe('the last user service of the chain', () => {
  it('sends no configuration to the partitions of the leaderboards', () => {
    expect(fanOut(TOPICS.points, 4).configurationTo(3)).toEqual([]);
  });

  it('sends each partition the changes of its boards once, and tells callers which partitions', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ minLength: 1, maxLength: 3 }), { maxLength: 12 }),
        fc.integer({ min: 1, max: 16 }),
        (keys, partitions) => {
          const configuration = boardsOf(keys);
          const message = messageOf();
          const one = applied(message, configuration);
          const routed = fanOut(TOPICS.points, partitions).record(one);
          const targets = routed.map(({ partition }) => partition);
          const wanted = new Set(configuration.leaderboards.map(({ key }) => partitionOf('default', key, partitions)));
          expect(targets).toEqual([...wanted].sort((a, b) => a - b));
          for (const { partition, key, streamed } of routed) {
            expect(key).toBe(String(ANN));
            const boards = configuration.leaderboards.filter(
              (board) => partitionOf('default', board.key, partitions) === partition,
            );
            expect(streamed).toEqual({
              kind: 'contributions',
              contributions: {
                ...{ account: 'default', configurationVersion: 1, subject: ANN, position: 9 },
                recordedAt: null,
                changes: boards.map((board) => changeOf(configuration, board.key)),
                answer: { eventId: 'e', day: DAY },
              },
            });
          }
          expect(fanOut(TOPICS.points, partitions).effects(one)).toEqual([
            {
              partition: 3,
              key: String(ANN),
              effect: { kind: 'trunk', eventId: 'e', message, trail: [5, 6], boards: targets },
            },
          ]);
        },
      ),
    );
  });

  it('marks contributions of a receipt-only event as not awaited', () => {
    const routed = fanOut(TOPICS.points, 4).record(applied(messageOf({ receiptOnly: true })));
    expect(routed).not.toEqual([]);
    for (const { streamed } of routed) expect(streamed).toMatchObject({ contributions: { answer: null } });
  });

  it('refuses a record that an area which the boards need has not applied', () => {
    const message: ChainMessage = { ...messageOf(), areas: ['users', 'streaks'] };
    expect(() => fanOut(TOPICS.points, 4).record(applied(message))).toThrow('leaderboards needs points');
  });

  it('sends nothing for a record that changes no board', () => {
    const one = applied(messageOf(), boardsOf([]));
    expect(fanOut(TOPICS.points, 4).record(one)).toEqual([]);
    expect(fanOut(TOPICS.points, 4).effects(one)).toMatchObject([{ effect: { boards: [] } }]);
  });

  it.each([
    ['a sweep', SWEPT],
    ['a receipt-only event', { receiptOnly: true }],
  ] as const)('sends callers no effects of %s', (_what, fact) => {
    expect(fanOut(TOPICS.points, 4).effects(applied(messageOf(fact)))).toEqual([]);
  });
});

it('a receipt-only event passes through the whole chain', () => {
  const [awaited, receipt] = [messageOf(), messageOf({ receiptOnly: true })];
  const targets = (message: ChainMessage) =>
    fanOut(TOPICS.points, 4)
      .record(applied(message))
      .map(({ partition }) => partition);
  expect(targets(receipt)).toEqual(targets(awaited));
  expect(targets(receipt)).not.toEqual([]);
  expect(passOn(TOPICS.streaks, 4).record(applied(receipt))).toMatchObject([{ streamed: { message: receipt } }]);
});

describe('the leaderboard service', () => {
  const contributions: Contributions = {
    ...{ account: 'default', configurationVersion: 1, subject: ANN, position: 9, recordedAt: null },
    ...{ changes: [], answer: { eventId: 'e', day: DAY } },
  };

  it('sends the outcome of its boards to the query gateway that owns the user', () => {
    const outcomes = [{ key: 'monthly' } as BoardOutcome];
    const routes = toCallers(12);
    expect(routes.effects({ contributions, outcomes, partition: 3 })).toEqual([
      {
        partition: partitionOf('default', ANN, 12),
        key: String(ANN),
        effect: { kind: 'boards', eventId: 'e', partition: 3, outcomes },
      },
    ]);
    expect([routes.topic, routes.record(applied(messageOf())), routes.configurationTo(3)]).toEqual([null, [], []]);
  });

  it('sends an outcome without changes, too, because a caller waits for it', () => {
    const effects = toCallers(12).effects({ contributions, outcomes: [], partition: 3 });
    expect(effects).toMatchObject([{ effect: { outcomes: [] } }]);
  });

  it('sends nothing when nobody waits for the answer', () => {
    const unawaited = { ...contributions, answer: null };
    expect(toCallers(12).effects({ contributions: unawaited, outcomes: [], partition: 3 })).toEqual([]);
  });

  it('derives from a record of an earlier release the contributions that its partition receives today', () => {
    const configuration = boardsOf(['a', 'b', 'c', 'd', 'e']);
    const routed = new Map(
      fanOut(TOPICS.points, 8)
        .record(applied(messageOf(), configuration))
        .map(({ partition, streamed }) => [partition, streamed.kind === 'contributions' && streamed.contributions]),
    );
    for (let partition = 0; partition < 8; partition++) {
      const worked = contributionsTo(partition, 8, messageOf(), configuration);
      expect(worked).toEqual(routed.get(partition) ?? { ...contributions, changes: [] });
    }
  });
});
