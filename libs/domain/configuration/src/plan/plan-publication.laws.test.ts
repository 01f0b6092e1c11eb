import fc from 'fast-check';
import { achievementTriggerKind, type WrittenAttributes, type WrittenConditions } from '@laurel/kernel';
import type { AchievementTriggerDocument, PointsTriggerDocument } from '@laurel/schemas';
import { sameDocument } from '../document/same-document.ts';
import { canonicalConditions } from '../document/trigger-content.ts';
import { planPublication } from './plan-publication.ts';

const KEYS = ['__proto__', 'constructor', '10', '2', 'a'];
const key = fc.constantFrom(...KEYS);
const name = fc.constantFrom('N', 'M');
const text = fc.constantFrom(null, 'D');
const badgeUrl = fc.constantFrom(null, 'https://b.example/1.png');
const points = fc.constantFrom(-1, 1, 2);
const threshold = fc.constantFrom(0.000001, 2.5, 1e15);
const listOf = <T extends { readonly key: string }>(one: fc.Arbitrary<T>, minLength = 0) =>
  fc.uniqueArray(one, { selector: ({ key }) => key, minLength, maxLength: 3 });

const streak = fc.record({
  frequency: fc.constantFrom('daily', 'weekly'),
  mode: fc.constantFrom('all', 'any'),
  weekStart: fc.constantFrom('monday', 'sunday'),
  conditions: fc.uniqueArray(fc.record({ metric: key, threshold }), {
    selector: ({ metric }) => metric,
    minLength: 1,
    maxLength: 3,
  }),
  freezes: fc.option(
    fc.record({
      initial: fc.constantFrom(0, 1),
      max: fc.constantFrom(5, 6),
      earnEvery: fc.constantFrom(null, 7),
      earn: fc.constantFrom(null, 1),
    }),
    { nil: undefined },
  ),
});

const required = fc.constantFrom<WrittenAttributes>(
  { plan: 'pro' },
  { plan: ['pro'] },
  { plan: ['pro', 'free'] },
  { plan: ['free', 'pro'], city: 'x' },
  { city: 'x', plan: ['free', 'pro'] },
);
const where = (...on: readonly ('event' | 'user')[]) =>
  fc.option(fc.record(Object.fromEntries(on.map((whose) => [whose, required])), { requiredKeys: on.slice(-1) }));

/** One for each kind: the compiler asks for that of a new one. */
const ACHIEVEMENT_TRIGGERS: { readonly [Type in AchievementTriggerDocument['type']]: fc.Arbitrary<{ type: Type }> } = {
  metric: fc.record({ type: fc.constant('metric' as const), metric: key, value: threshold }),
  streak: fc.record({ type: fc.constant('streak' as const), length: fc.constantFrom(1, 2) }),
  api: fc.constant({ type: 'api' as const }),
  achievement: fc.record({
    type: fc.constant('achievement' as const),
    achievements: fc.uniqueArray(key, { minLength: 1, maxLength: 2 }),
  }),
};
const achievementTrigger = fc.oneof(...Object.values(ACHIEVEMENT_TRIGGERS));

/** One for each kind: the compiler asks for that of a new one. */
const TRIGGERS: { readonly [Type in PointsTriggerDocument['type']]: fc.Arbitrary<object> } = {
  metric: fc.record({ type: fc.constant('metric'), metric: key, threshold, points, where: where('event', 'user') }),
  streak: fc.record({ type: fc.constant('streak'), length: fc.constantFrom(1, 2), points, where: where('user') }),
  achievement: fc.record({ type: fc.constant('achievement'), achievement: key, points, where: where('user') }),
  user_creation: fc.record({ type: fc.constant('user_creation'), points, where: where('user') }),
  time: fc.record({
    type: fc.constant('time'),
    unit: fc.constantFrom('hour', 'day'),
    interval: fc.constantFrom(1, 24),
    points,
    activeFrom: fc.constantFrom(null, '2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00Z'),
  }),
};
const trigger = fc.oneof(...Object.values(TRIGGERS));

const canonicallyWhere = (trigger: object) => {
  const conditions = 'where' in trigger ? (trigger.where as WrittenConditions | null) : null;
  return { ...trigger, where: conditions && canonicalConditions(conditions) };
};

const triggers = fc.uniqueArray(
  fc.tuple(fc.option(key, { nil: undefined }), trigger).map(([given, content]) => ({ key: given, ...content })),
  { selector: (one) => one.key ?? JSON.stringify(canonicallyWhere(one)).replace('.000Z', 'Z'), maxLength: 3 },
);

const document = fc.record({
  version: fc.constant(1),
  metrics: listOf(fc.record({ key, name }), 1),
  attributes: fc.option(
    fc.record({
      user: fc.constantFrom(['plan', 'city'], ['city', 'plan']),
      event: fc.constantFrom(['plan', 'city'], ['plan', 'city', 'x']),
    }),
    { nil: undefined },
  ),
  streak: fc.option(streak, { nil: undefined }),
  achievements: listOf(
    fc
      .record({
        key,
        name,
        description: text,
        badgeUrl,
        group: fc.constantFrom(null, 'g'),
        tier: fc.constantFrom(null, 1, 2),
        hidden: fc.boolean(),
        triggered: achievementTrigger.chain((trigger) => {
          const { where: on } = achievementTriggerKind(trigger.type);
          return fc.record({
            trigger: fc.constant(trigger),
            where: on.length === 0 ? fc.constant(null) : where(...on),
          });
        }),
      })
      .map(({ triggered, ...achievement }) => ({ ...achievement, ...triggered })),
  ),
  points: listOf(
    fc.record({
      key,
      name,
      description: text,
      badgeUrl,
      maxPoints: fc.constantFrom(null, 10, 20),
      triggers,
      levels: listOf(fc.record({ key, name, description: text, badgeUrl })).map((levels) =>
        levels.map((level, index) => ({ ...level, points: index })),
      ),
    }),
  ),
  leaderboards: listOf(
    fc
      .record({
        key,
        name,
        description: text,
        start: fc.constantFrom('2026-01-01', '2026-02-01'),
        end: fc.constantFrom(null, '2027-01-01'),
        runUnit: fc.constantFrom(null, 'day', 'month'),
        runInterval: fc.constantFrom(null, 1, 2),
        maxParticipants: fc.constantFrom(1, 1000),
        ranking: fc.oneof(
          fc.record({ rankBy: fc.constant('metric'), metric: key }),
          fc.record({ rankBy: fc.constant('points'), pointsSystem: key }),
          fc.constant({ rankBy: 'streak' }),
        ),
      })
      .map(({ ranking, ...board }) => ({ ...board, ...ranking })),
  ),
});

/** Two documents, of which the second has some of its parts from the first. */
const documents = fc
  .tuple(document, document, fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }))
  .map(([one, other, fresh]) => {
    const parts = Object.entries(other).filter((_, index) => fresh[index]);
    return [one, { ...one, ...Object.fromEntries(parts) }] as const;
  });

const planOf = (before: unknown, after: unknown) =>
  planPublication({ publications: [{ version: 1, document: before, publishedAt: 0 }], holdsEvents: true }, after);

const pathsOf = (before: unknown, after: unknown, kind: 'added' | 'removed' | 'changed') =>
  planOf(before, after)
    .changes.filter((change) => change.kind === kind)
    .map(({ path }) => path);

describe('planPublication', () => {
  it('finds no changes exactly if the two documents are the same', () => {
    fc.assert(
      fc.property(documents, ([before, after]) => {
        expect(planOf(before, after).changes.length === 0).toBe(sameDocument(before, after));
      }),
      { numRuns: 1_000 },
    );
  });

  it('removes what the reverse plan adds, and changes the same paths in both directions', () => {
    fc.assert(
      fc.property(documents, ([before, after]) => {
        // A new points system shows its triggers, too; one that is gone goes as a whole.
        const whole = (path: string) => path.split('.triggers')[0];
        const added = pathsOf(before, after, 'added');
        const removed = pathsOf(after, before, 'removed');
        expect(new Set(removed)).toEqual(new Set(added.filter((path) => removed.includes(path))));
        expect(removed).toEqual(expect.arrayContaining(added.filter((path) => whole(path) === path)));
        expect(pathsOf(before, after, 'changed').sort()).toEqual(pathsOf(after, before, 'changed').sort());
      }),
    );
  });

  it('names no path twice for the same kind of change', () => {
    fc.assert(
      fc.property(documents, ([before, after]) => {
        const paths = planOf(before, after).changes.map(({ kind, path }) => `${kind} ${path}`);
        expect(new Set(paths).size).toBe(paths.length);
      }),
    );
  });

  it('describes the effect of every change in whole sentences', () => {
    fc.assert(
      fc.property(documents, ([before, after]) => {
        for (const { effect } of planOf(before, after).changes) {
          expect(effect).toMatch(/^[A-Z].*\.$/);
          expect(effect).not.toMatch(/undefined|null|NaN|\[object| {2}|\.\./);
        }
      }),
    );
  });
});
