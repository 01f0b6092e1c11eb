import { TOPICS, type BoardOutcome, type ChainMessage, type Configuration } from '@laurel/contracts';
import { parseDay } from '@laurel/calendar';
import { partitionOf } from '@laurel/event-stream';
import { touchedBoards } from '@laurel/leaderboards';
import { subjectOf } from '@laurel/testing/subjects';
import { sampleConfiguration } from '@laurel/testing/doors';
import fc from 'fast-check';
import { fanOut, passOn, toCallers } from './chain-routes.ts';
import { narrowedTo } from './owned-boards.ts';

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

describe('a service of the user', () => {
  it('passes everything on to the same partition of the next topic, and tells callers nothing', () => {
    const routes = passOn(TOPICS.streaks, 12);
    const message = messageOf();
    expect([routes.topic, routes.partitions, routes.configurationTo(3)]).toEqual([TOPICS.streaks, 12, [3]]);
    expect(routes.record(applied(message))).toEqual([
      { partition: 3, key: String(ANN), streamed: { kind: 'record', message, trail: [5, 6] } },
    ]);
    expect(routes.effects(applied(message))).toEqual([]);
  });
});

describe('the last service of the user', () => {
  it('tells no partition of the leaderboards of a configuration', () => {
    expect(fanOut(TOPICS.points, 4).configurationTo(3)).toEqual([]);
  });

  it('passes a record on to each partition that holds a board which it touches, once, and tells callers which', () => {
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
          expect(routed.every(({ streamed }) => streamed.kind === 'record' && streamed.message === message)).toBe(true);
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

  it('passes a record that touches no board on to nobody', () => {
    const one = applied(messageOf(), boardsOf([]));
    expect(fanOut(TOPICS.points, 4).record(one)).toEqual([]);
    expect(fanOut(TOPICS.points, 4).effects(one)).toMatchObject([{ effect: { boards: [] } }]);
  });

  it.each([
    ['a sweep', SWEPT],
    ['an event of which only a receipt was wanted', { receiptOnly: true }],
  ] as const)('tells nobody of %s', (_what, fact) => {
    expect(fanOut(TOPICS.points, 4).effects(applied(messageOf(fact)))).toEqual([]);
  });
});

it('an event of which only a receipt was wanted goes all the way down the chain', () => {
  const [awaited, receipt] = [messageOf(), messageOf({ receiptOnly: true })];
  const targets = (message: ChainMessage) =>
    fanOut(TOPICS.points, 4)
      .record(applied(message))
      .map(({ partition }) => partition);
  expect(targets(receipt)).toEqual(targets(awaited));
  expect(targets(receipt)).not.toEqual([]);
  expect(passOn(TOPICS.streaks, 4).record(applied(receipt))).toMatchObject([{ streamed: { message: receipt } }]);
});

describe('the service of the leaderboards', () => {
  it('tells the owner of the user what became of the boards of its partition', () => {
    const outcomes = [{ key: 'monthly' } as BoardOutcome];
    const message: ChainMessage = { ...messageOf(), sections: { leaderboards: { boards: outcomes } } };
    const routes = toCallers(12);
    expect(routes.effects(applied(message))).toEqual([
      {
        partition: partitionOf('default', ANN, 12),
        key: String(ANN),
        effect: { kind: 'boards', eventId: 'e', partition: 3, outcomes },
      },
    ]);
    expect([routes.topic, routes.record(applied(message)), routes.configurationTo(3)]).toEqual([null, [], []]);
  });

  it('says so too where nothing has changed, because it is waited for', () => {
    expect(toCallers(12).effects(applied(messageOf()))).toMatchObject([{ effect: { outcomes: [] } }]);
  });

  it.each([SWEPT, { receiptOnly: true } as const])('tells nobody of %p', (fact) => {
    expect(toCallers(12).effects(applied(messageOf(fact)))).toEqual([]);
  });
});

describe('the configuration of a partition of leaderboards', () => {
  it('holds each board in one partition, in the order of the configuration, and nothing else is changed', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string({ minLength: 1, maxLength: 3 }), fc.constant('__proto__')), { maxLength: 12 }),
        fc.integer({ min: 1, max: 16 }),
        (keys, partitions) => {
          const configuration = boardsOf(keys);
          const all = configuration.leaderboards.map(({ key }) => key);
          const parts = Array.from({ length: partitions }, (_, at) => narrowedTo(at, partitions, configuration));
          const held = parts.flatMap(({ leaderboards }) => leaderboards.map(({ key }) => key));
          expect(held.toSorted()).toEqual(all.toSorted());
          for (const { leaderboards, leaderboardByKey, ...rest } of parts) {
            const kept = leaderboards.map(({ key }) => key);
            expect(kept).toEqual(all.filter((key) => kept.includes(key)));
            expect([...leaderboardByKey.keys()]).toEqual(kept);
            expect({ ...configuration, ...rest }).toEqual(configuration);
          }
        },
      ),
    );
  });

  it('is touched by a record where that is routed to, and nowhere else', () => {
    const configuration = boardsOf(['a', 'b', 'c', 'd', 'e']);
    const message = messageOf();
    const targets = fanOut(TOPICS.points, 8)
      .record(applied(message, configuration))
      .map(({ partition }) => partition);
    const touched = Array.from({ length: 8 }, (_, at) => touchedBoards(message, narrowedTo(at, 8, configuration)));
    expect(touched.flatMap((boards, at) => (boards.length > 0 ? [at] : []))).toEqual(targets);
  });
});
