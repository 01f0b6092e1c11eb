import { storedAnswers } from '@laurel/stored-effects';
import { ACCOUNT, AREAS, type Recorded, type AnswerParts, type RecordedUserEvent } from '@laurel/kernel';
import type { Clock } from '@laurel/ports';
import { sqlReader } from '@laurel/database';
import { postgresStateReader } from '@laurel/engine';
import { serveOnFreshDatabase, type Served } from './testing/serve-in-process.ts';

const CONFIGURATION = `
version: 1
metrics: [{ key: lessons, name: Lessons }]
streak: { frequency: daily, conditions: [{ metric: lessons, threshold: 2 }], freezes: { initial: 1, max: 2, earnEvery: 7, earn: 1 } }
achievements:
  - { key: five, name: Five, trigger: { type: metric, metric: lessons, value: 5 } }
  - { key: all, name: All, trigger: { type: achievement, achievements: [five] } }
points:
  - key: xp
    name: XP
    triggers:
      - { type: metric, metric: lessons, threshold: 1, points: 10 }
      - { type: achievement, achievement: five, points: 7 }
    levels: [{ key: low, name: Low, points: 30 }, { key: high, name: High, points: 100 }]
  - { key: energy, name: Energy, triggers: [{ type: time, unit: hour, interval: 1, points: 1 }] }
`;
const DAY_MS = 86_400_000;

describe('the stored answer to an event', () => {
  let now = Date.parse('2026-03-02T20:00:00Z');
  const clock: Clock = { now: () => now, elapsedMs: () => 0, after: () => () => undefined };
  let served: Served;
  beforeAll(async () => {
    served = await serveOnFreshDatabase(CONFIGURATION, clock);
  });
  afterAll(async () => {
    await served.close();
  });

  it('contains what the event was answered with', async () => {
    const { engine, directory, dataSource, log } = served.service;
    const sql = sqlReader(dataSource);
    const read = async (record: RecordedUserEvent, areas: readonly (typeof AREAS)[number][] = AREAS) => {
      const parts = {
        sqlOf: () => sql,
        states: postgresStateReader(sql),
        configurations: () => engine.historyOf(ACCOUNT),
      };
      return (await storedAnswers(parts, ACCOUNT, [{ record, areas }]))[0] as AnswerParts;
    };
    const subject = await directory.assign(ACCOUNT, 'ada');
    const records: RecordedUserEvent[] = [];
    const answered: AnswerParts[] = [];
    for (const value of [1, 0, 1, 4, -2, 3, 2, 5]) {
      const [outcome] = await engine.submit([
        {
          type: 'RecordMetricEvent',
          ...{ account: ACCOUNT, subject, metric: 'lessons', value: BigInt(value) * 1_000_000n, occurredAt: null },
          ...{ user: { tz: 'Asia/Tokyo' }, attributes: new Map(), keyHash: null },
        },
      ]);
      const { position, sections } = outcome as Recorded;
      const [record] = (await log.read(position - 1, 1)) as RecordedUserEvent[];
      const stored = await read(record as RecordedUserEvent);
      const { leaderboards: _, users, streaks, ...others } = sections;
      expect(stored).toEqual({
        ...others,
        users: { ...users, previousZone: 'Asia/Tokyo' },
        streaks: { ...streaks, changes: [] },
      });
      records.push(record as RecordedUserEvent);
      answered.push(sections);
      now += DAY_MS / 4;
    }
    expect(answered.some(({ achievements }) => achievements?.completed.length === 2)).toBe(true);
    expect(answered.some(({ points }) => points?.systems.some(({ level }) => level === 'high'))).toBe(true);
    expect(answered.some(({ points }) => points?.awards.some(({ due }) => due))).toBe(true);

    // Later events change nothing of the totals of earlier ones; an event of value 0 has stored none.
    for (const [place, record] of records.entries()) {
      const { users, achievements, points } = await read(record);
      if (place !== 1) expect(users?.total).toBe(answered[place]?.users?.total);
      expect({ achievements, points }).toEqual({
        achievements: answered[place]?.achievements,
        points: answered[place]?.points,
      });
    }
    expect(Object.keys(await read(records[0] as RecordedUserEvent, ['users', 'streaks']))).toEqual([
      'users',
      'streaks',
    ]);
  });
});
