import { BOOST_ROUNDINGS, LEVELS_BY, type LevelsBy } from '@laurel/kernel';
import type { AchievementTriggerDocument, ConfigurationDocument, PointsTriggerDocument } from '@laurel/schemas';
import fc from 'fast-check';

/** The parts that both documents of {@link republications} share. */
interface Frame {
  readonly frequency: 'daily' | 'weekly' | 'monthly';
  readonly weekStart: 'monday' | 'sunday';
  /** The levels of each points system, and what they follow. */
  readonly levels: readonly object[];
  readonly levelsBy: readonly LevelsBy[];
  readonly leaderboards: readonly object[];
}

/** All other parts of a document. */
interface Terms {
  readonly streak: object;
  readonly achievements: readonly object[];
  readonly points: readonly object[];
  readonly outgoing: object | null;
}

/** The metrics, points systems and achievements that `histories` name. */
const METRICS = ['lessons', '__proto__'];
const ACHIEVEMENTS = ['first', 'constructor', 'streak', 'all', 'both', 'called'];
/** The achievement that an API call completes. */
export const CALLED = 'called';

const metric = fc.constantFrom(...METRICS);
const points = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 9 }) },
  { weight: 1, arbitrary: fc.integer({ min: -9, max: -1 }) },
);
const activeFrom = fc.constantFrom(null, null, '2026-03-09T00:00:00Z', '2026-03-12T05:00:00Z');
const activeUntil = fc.constantFrom(null, null, null, '2026-03-13T00:00:00Z', '2026-03-20T12:00:00Z');
const window = { activeFrom: fc.oneof(fc.constant(null), activeFrom), activeUntil };

const period = fc.constantFrom('day', 'week', 'month');
const capOf = (per: fc.Arbitrary<string>) => fc.record({ per, points: fc.integer({ min: 3, max: 14 }) });
const cap = fc.option(capOf(period), { nil: null, freq: 2 });
const caps = fc
  .subarray(['day', 'week', 'month'])
  .chain((all) => fc.tuple(...all.map((per) => capOf(fc.constant(per)))));

/** Triggers of every kind. A new kind does not compile until it is added here. */
const TRIGGERS: Readonly<Record<PointsTriggerDocument['type'], fc.Arbitrary<object>>> = {
  metric: fc.record({ metric, threshold: fc.constantFrom(1, 2.5, 4), points, cap, ...window }),
  streak: fc.record({ length: fc.integer({ min: 1, max: 3 }), points, cap, ...window }),
  achievement: fc.record({ achievement: fc.constantFrom(...ACHIEVEMENTS), points, cap, ...window }),
  user_creation: fc.record({ points, ...window }),
  time: fc.oneof(
    fc.record({
      unit: fc.constant('hour'),
      interval: fc.integer({ min: 5, max: 60 }),
      points,
      activeFrom,
      activeUntil,
    }),
    fc.record({ unit: fc.constant('day'), interval: fc.integer({ min: 1, max: 3 }), points, activeFrom, activeUntil }),
  ),
};

/** Identifies a trigger without a key within its system. */
const identityOf = (trigger: object): string =>
  JSON.stringify(
    Object.entries(trigger).filter(
      ([name]) => name !== 'cap' && name !== 'activeUntil' && (name !== 'activeFrom' || 'interval' in trigger),
    ),
  );

/** One or two triggers of each kind, in any order. */
const triggers = fc
  .tuple(
    ...Object.entries(TRIGGERS).map(([type, fields]) =>
      fc.uniqueArray(
        fields.map((own) => ({ type, ...own })),
        { minLength: 1, maxLength: 2, selector: identityOf },
      ),
    ),
  )
  .chain((ofKinds) => {
    const all = ofKinds.flat();
    return fc.shuffledSubarray(all, { minLength: all.length });
  });

const levels = fc
  .uniqueArray(fc.integer({ min: 1, max: 25 }), { maxLength: 3 })
  .map((totals) => totals.map((total) => ({ key: `from-${total}`, name: 'A level', points: total })));

/** Boosts that begin, end and overlap within the stories. */
const boosts = fc.oneof(
  { weight: 2, arbitrary: fc.constant([]) },
  {
    weight: 1,
    arbitrary: fc
      .uniqueArray(
        fc.record({
          key: fc.constantFrom('double', '__proto__', '10'),
          multiplier: fc.constantFrom(0.33, 1.5, 2, 100),
          rounding: fc.constantFrom(...BOOST_ROUNDINGS),
          start: fc.constantFrom('2026-03-01T00:00:00Z', '2026-03-09T12:00:00Z', '2026-03-11T00:00:00Z'),
          end: fc.constantFrom(null, '2026-03-12T00:00:00Z', '2026-03-14T06:30:00Z'),
        }),
        { minLength: 1, maxLength: 3, selector: ({ key }) => key },
      )
      .map((all) => all.map((boost) => ({ name: boost.key, ...boost }))),
  },
);

const pointsSystem = (key: string) =>
  fc.record({
    key: fc.constant(key),
    name: fc.constant(key),
    maxPoints: fc.option(fc.integer({ min: 3, max: 30 }), { nil: null, freq: 3 }),
    caps: fc.oneof(fc.constant([]), caps),
    triggers,
    boosts,
  });

const freezes = fc
  .record({
    initial: fc.nat(2),
    max: fc.integer({ min: 1, max: 3 }),
    earning: fc.option(fc.record({ earnEvery: fc.integer({ min: 1, max: 6 }), earn: fc.integer({ min: 1, max: 2 }) })),
  })
  .map(({ initial, max, earning }) => ({ initial: Math.min(initial, max), max, ...earning }));

const streak = fc
  .record({
    mode: fc.constantFrom('any', 'all'),
    conditions: fc
      .subarray(METRICS, { minLength: 1 })
      .chain((metrics) =>
        fc.tuple(...metrics.map((key) => fc.constantFrom(0.5, 1, 2).map((threshold) => ({ metric: key, threshold })))),
      ),
    freezes: fc.option(freezes, { freq: 4 }),
  })
  .map(({ freezes: held, ...rest }) => ({ ...rest, ...(held && { freezes: held }) }));

/** Achievements of every kind, by key. A new kind does not compile until it is added here. */
const ACHIEVEMENTS_OF: { readonly [Type in AchievementTriggerDocument['type']]: fc.Arbitrary<object> } = {
  metric: fc.record({
    first: fc.record({ metric: fc.constant('lessons'), value: fc.constantFrom(1, 2.5, 6) }),
    constructor: fc.record({ metric: fc.constant('__proto__'), value: fc.constantFrom(2, 7.5) }),
  }),
  streak: fc.record({ streak: fc.record({ length: fc.integer({ min: 1, max: 4 }) }) }),
  achievement: fc.constant({
    all: { achievements: ['first', 'both'] },
    both: { achievements: [CALLED, 'streak'] },
  }),
  api: fc.constant({ [CALLED]: {} }),
};

const achievements = fc
  .tuple(fc.record(ACHIEVEMENTS_OF), fc.array(fc.record(window), { minLength: 6, maxLength: 6 }))
  .map(([kinds, windows]) =>
    Object.entries(kinds).flatMap(([type, ofKind]) =>
      Object.entries(ofKind).map(([key, fields]) => ({
        key,
        name: key,
        ...windows[ACHIEVEMENTS.indexOf(key)],
        trigger: { type, ...(fields as object) },
      })),
    ),
  );

const outgoing = fc.constantFrom(
  null,
  { events: 'all', reactivation: { days: [1, 3] } },
  { events: ['streak.at_risk', 'emails.recap_due'], atRisk: { at: '20:30' }, recap: { day: 'wednesday', at: '00:00' } },
);

const terms: fc.Arbitrary<Terms> = fc.record({
  streak,
  achievements,
  points: fc.tuple(pointsSystem('xp'), pointsSystem('energy')),
  outgoing,
});

const run = fc.option(
  fc.constantFrom(
    { runUnit: 'day', runInterval: 1 },
    { runUnit: 'day', runInterval: 5 },
    { runUnit: 'month', runInterval: 1 },
    { runUnit: 'year', runInterval: 2 },
  ),
);

const board = (key: string, ranked: object, runs: fc.Arbitrary<object | null> = run) =>
  fc
    .record({
      start: fc.constantFrom('2026-01-31', '2026-03-01', '2026-03-08'),
      end: fc.constantFrom(null, '2026-03-14', '2026-03-31'),
      maxParticipants: fc.integer({ min: 1, max: 3 }),
      runs,
    })
    .map(({ runs: unit, ...fields }) => ({ key, name: key, ...ranked, ...fields, ...unit }));

const frame: fc.Arbitrary<Frame> = fc.record({
  frequency: fc.constantFrom('daily', 'daily', 'daily', 'weekly', 'monthly'),
  weekStart: fc.constantFrom('monday', 'sunday'),
  levels,
  levelsBy: fc.array(fc.constantFrom(...LEVELS_BY), { minLength: 2, maxLength: 2 }),
  leaderboards: fc.tuple(
    board('lessons', { rankBy: 'metric', metric: 'lessons' }),
    board('words', { rankBy: 'metric', metric: '__proto__' }),
    board('xp', { rankBy: 'points', pointsSystem: 'xp' }),
    board('energy', { rankBy: 'points', pointsSystem: 'energy' }),
    board('streaks', { rankBy: 'streak' }, fc.constant(null)),
  ),
});

const documentOf = (
  { frequency, weekStart, levels: reached, levelsBy, leaderboards }: Frame,
  { streak: kept, points: systems, outgoing: told, ...rest }: Terms,
) =>
  ({
    version: 1,
    metrics: METRICS.map((key) => ({ key, name: key })),
    streak: { frequency, weekStart, ...kept },
    points: systems.map((system, place) => ({ ...system, levels: reached, levelsBy: levelsBy[place] })),
    leaderboards,
    ...rest,
    ...(told && { outgoing: told }),
  }) as unknown as ConfigurationDocument;

/** Documents with every kind of trigger, small maxima, and boards of every kind. */
export const configurations = fc.tuple(frame, terms).map(([boards, all]) => documentOf(boards, all));

/**
 * Two documents that an account publishes one after the other. The second changes triggers, maxima, conditions, freezes, achievements and
 * reminders. It keeps the frequency of the streak, the points systems with their levels, and the boards.
 */
export const republications = fc
  .tuple(frame, terms, terms)
  .map(([boards, before, after]) => [documentOf(boards, before), documentOf(boards, after)] as const);
