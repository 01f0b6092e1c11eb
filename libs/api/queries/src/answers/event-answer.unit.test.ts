import type { Metric, Recorded, Replayed, AnswerParts } from '@laurel/kernel';
import { completionAnswer, eventAnswer, writeJson } from '@laurel/schemas';
import { sampleConfiguration } from '@laurel/testing/http-modules';
import { composeCompletionAnswer } from './completion-answer.ts';
import { composeEventAnswer } from './event-answer.ts';

const AT = Date.UTC(2026, 5, 1, 12);
const configuration = sampleConfiguration('default');
const metric = configuration.metricByKey.get('commits') as Metric;

const sections = {
  users: {
    created: true,
    createdAt: AT,
    zone: 'UTC',
    previousZone: 'UTC',
    date: '2026-06-01',
    total: 9_007_199_254_740_993_000_001n,
  },
  streaks: {
    extended: true,
    streak: {
      length: 7,
      frequency: 'daily',
      started: '2026-05-26',
      periodStart: '2026-06-01',
      periodEnd: '2026-06-01',
      expires: '2026-06-02',
      extendedAt: AT,
      freezes: 2,
    },
    changes: [{ at: AT, length: 7 }],
  },
  achievements: {
    completed: [
      { key: 'first', achievedAt: AT },
      { key: 'week', achievedAt: AT },
      { key: 'both', achievedAt: AT },
    ],
  },
  points: {
    awards: [
      {
        id: 'a1',
        system: 'xp',
        triggerId: 't-time',
        awarded: 1n,
        total: 101n,
        at: AT - 1,
        date: '2026-06-01',
        due: true,
      },
      { id: 'a2', system: 'xp', triggerId: 't-metric', awarded: 10n ** 17n, total: 10n ** 17n + 101n, at: AT, date: '2026-06-01', due: false }, // prettier-ignore
      { id: 'a3', system: 'xp', triggerId: 't-achievement', awarded: -5n, total: 10n ** 17n + 96n, at: AT, date: '2026-06-01', due: false }, // prettier-ignore
    ],
    systems: [
      { key: 'xp', total: 10n ** 17n + 96n, added: 10n ** 17n - 5n, level: 'adept' },
      { key: '__proto__', total: 0n, added: 0n },
    ],
  },
  leaderboards: {
    boards: [
      { key: 'monthly', runStart: '2026-06-01', runEnd: '2026-06-30', previousRank: 3, rank: 1, threshold: 500_000n },
    ],
  },
} satisfies AnswerParts;

const recorded = (over: Partial<Recorded> = {}): Recorded => ({
  kind: 'recorded',
  eventId: 'e-1',
  position: 1,
  occurredAt: AT,
  configuration,
  sections,
  pending: [],
  ...over,
});
const replayed = (over: Partial<Replayed> = {}): Replayed => ({
  kind: 'replayed',
  eventId: 'e-1',
  configuration,
  sections,
  pending: [],
  ...over,
});
const unkeyed = { metric, idempotencyKey: null };
const compose = (
  outcome: Recorded | Replayed,
  request: typeof unkeyed | { metric: Metric; idempotencyKey: string } = unkeyed,
) => composeEventAnswer(outcome, request);

describe('the answer to an event', () => {
  it('contains every effect of the event, exact to the last digit', () => {
    const text = writeJson(compose(recorded()));
    expect(text).toContain('"total":9007199254740993.000001,');
    expect(text).toContain('"added":99999999999999995,');
    expect(eventAnswer.safeParse(JSON.parse(text)).error).toBeUndefined();
  });

  it('names metric, event and achievements in order, each with the fields of its trigger', () => {
    const { metricId, eventId, achievements } = compose(recorded());
    expect({ metricId, eventId }).toEqual({ metricId: 'id-of-commits', eventId: 'e-1' });
    expect(achievements[0]).toEqual({
      id: 'id-of-first',
      key: 'first',
      trigger: 'metric',
      metricId: 'id-of-commits',
      metricName: 'Commits',
      metricValue: 1.5,
      name: 'First',
      description: null,
      badgeUrl: null,
      achievedAt: '2026-06-01T12:00:00.000Z',
      userAttributes: [],
    });
    expect(achievements[1]).toMatchObject({ trigger: 'streak', streakLength: 7, metricId: null });
    expect(achievements[2]).toMatchObject({ trigger: 'achievement', achievementIds: ['id-of-first', 'id-of-week'] });
  });

  it('says whether this event extended the streak, and shows freezes only when they are on', () => {
    const { currentStreak } = compose(recorded());
    expect(currentStreak).toEqual({
      length: 7,
      frequency: 'daily',
      started: '2026-05-26',
      periodStart: '2026-06-01',
      periodEnd: '2026-06-01',
      expires: '2026-06-02',
      extended: true,
    });
    const freezes = { initial: 2, max: 3, earnEvery: null, earn: null };
    const streak = configuration.streak && { ...configuration.streak, freezes };
    expect(compose(recorded({ configuration: { ...configuration, streak } })).currentStreak).toMatchObject({
      freezes: 2,
      maxFreezes: 3,
      freezeAutoEarnInterval: null,
      freezeAutoEarnAmount: null,
    });
  });

  it('omits due time awards from the awards of a system', () => {
    const { xp } = compose(recorded()).points;
    expect(xp?.awards.map(({ id }) => id)).toEqual(['a2', 'a3']);
    expect(xp?.awards.map(({ trigger }) => trigger?.type)).toEqual(['metric', 'achievement']);
  });

  it('shows a level only when the event changed it, and null below all levels', () => {
    const { points } = compose(recorded());
    expect(points['xp']?.level).toEqual({
      id: 'id-of-adept',
      key: 'adept',
      name: 'Adept',
      description: 'Able.',
      badgeUrl: null,
      points: 1_000,
    });
    const systems = [{ key: 'xp', total: 0n, added: -1n, level: null }];
    const fallen = compose(recorded({ sections: { ...sections, points: { awards: [], systems } } }));
    expect(fallen.points['xp']).toHaveProperty('level', null);
    const steady = compose(recorded({ sections: { ...sections, points: { awards: [], systems: [{ key: 'xp', total: 0n, added: -1n }] } } })); // prettier-ignore
    expect(steady.points['xp']).not.toHaveProperty('level');
  });

  it('treats a system with the key __proto__ like any other', () => {
    const { points } = JSON.parse(writeJson(compose(recorded())));
    expect(Object.keys(points)).toEqual(['xp', '__proto__']);
    expect(Object.getPrototypeOf(points)).toBe(Object.prototype);
  });

  it('dates a leaderboard by its run', () => {
    expect(compose(recorded()).leaderboards['monthly']).toMatchObject({
      start: '2026-06-01',
      end: '2026-06-30',
      previousRank: 3,
      rank: 1,
      threshold: 0.5,
      runUnit: 'month',
      runInterval: 1,
      metricKey: 'commits',
      pointsSystemKey: null,
    });
  });

  it('has the idempotency fields exactly when a key was sent', () => {
    const keyed = { metric, idempotencyKey: 'k' };
    expect(compose(recorded(), keyed)).toMatchObject({ idempotentReplayed: false, idempotencyKey: 'k' });
    expect(compose(replayed(), keyed)).toMatchObject({ idempotentReplayed: true, idempotencyKey: 'k' });
    expect(Object.keys(compose(recorded()))).toEqual([
      'metricId',
      'eventId',
      'total',
      'achievements',
      'currentStreak',
      'points',
      'leaderboards',
    ]);
  });

  it('names pending areas and has null or empty values for them', () => {
    const { users, streaks } = sections;
    const pending = ['achievements', 'points', 'leaderboards'] as const;
    expect(compose(recorded({ sections: { users, streaks }, pending }))).toMatchObject({
      pending: ['achievements', 'points', 'leaderboards'],
      achievements: [],
      points: {},
      leaderboards: {},
    });
    const nothing = compose(recorded({ sections: {}, pending: ['users', 'streaks', ...pending] }));
    expect(nothing).toMatchObject({ eventId: 'e-1', total: null, currentStreak: null });
    expect(eventAnswer.safeParse(nothing).error).toBeUndefined();
  });

  it('is valid even if a section names something that the configuration lacks', () => {
    const unknown: AnswerParts = {
      achievements: { completed: [{ key: 'gone', achievedAt: AT }] },
      points: { awards: [], systems: [{ key: 'gone', total: 0n, added: 0n }] },
      leaderboards: {
        boards: [{ key: 'gone', runStart: '2026-01-01', runEnd: null, previousRank: null, rank: null, threshold: 0n }],
      },
    };
    expect(compose(recorded({ sections: unknown }))).toMatchObject({ achievements: [], points: {}, leaderboards: {} });
  });
});

describe('the answer to a completion by call', () => {
  const definition = configuration.achievementByKey.get('first');
  if (definition === undefined) throw new Error('the fixture has no such achievement');
  const completion = { account: 'default', userId: 'u', definition, achievedAt: AT };

  it('names everything that the call caused beside the achievement itself', () => {
    const answer = composeCompletionAnswer({ ...completion, outcome: recorded() });
    expect(completionAnswer.safeParse(JSON.parse(writeJson(answer))).error).toBeUndefined();
    expect(answer.achievement.key).toBe('first');
    expect(answer.achievements.map(({ key }) => key)).toEqual(['week', 'both']);
    expect(Object.keys(answer.points)).toEqual(['xp', '__proto__']);
    expect(answer.leaderboards['monthly']).toMatchObject({ previousRank: 3, rank: 1, start: '2026-06-01' });
    expect(answer).not.toHaveProperty('pending');
  });

  it('omits pending areas and names them', () => {
    const outcome = recorded({ sections: {}, pending: ['leaderboards'] });
    expect(composeCompletionAnswer({ ...completion, outcome })).toMatchObject({
      achievements: [],
      points: {},
      leaderboards: {},
      pending: ['leaderboards'],
    });
  });
});
