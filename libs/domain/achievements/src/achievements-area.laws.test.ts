import type { AchievementDefinition } from '@laurel/kernel';
import fc from 'fast-check';
import {
  completedBy,
  configuration,
  live,
  type StoryEvent,
  onAll,
  onCall,
  onStreak,
  onTotal,
} from './achievements.fixture.ts';

const METRICS = ['lessons', 'words'] as const;
const SIZE = 12;

const keyOf = (index: number) => ['__proto__', 'constructor', '10', '2'][index] ?? `a${index}`;

/** Each may be made of those before it, so there is no circle; the document lists them in any order. */
const definitions: fc.Arbitrary<readonly AchievementDefinition[]> = fc
  .tuple(...Array.from({ length: SIZE }, (_, index) => definitionAt(index)))
  .chain((all) => fc.shuffledSubarray(all, { minLength: SIZE, maxLength: SIZE }));

function definitionAt(index: number): fc.Arbitrary<AchievementDefinition> {
  const key = keyOf(index);
  const direct = fc.oneof(
    fc.record({ metric: fc.constantFrom(...METRICS), value: fc.integer({ min: 1, max: 9 }) }).map(({ metric, value }) => onTotal(key, metric, value)), // prettier-ignore
    fc.integer({ min: 1, max: 5 }).map((length) => onStreak(key, length)),
    fc.constant(onCall(key)),
  );
  if (index === 0) return direct;
  const parts = fc.uniqueArray(fc.nat(index - 1), { minLength: 1, maxLength: 3 });
  return fc.oneof(direct, parts.map((indexes) => onAll(key, ...indexes.map(keyOf)))); // prettier-ignore
}

const happening: fc.Arbitrary<StoryEvent> = fc.oneof(
  fc.record({
    total: fc.tuple(fc.constantFrom(...METRICS), fc.integer({ min: -9, max: 9 })),
    extendedTo: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
  }),
  fc.nat(SIZE - 1).map((index) => ({ called: keyOf(index) })),
  fc.constantFrom<StoryEvent>({}, { swept: true }),
);
const life = fc.array(happening, { maxLength: 12 });

const stepOf = ({ trigger }: AchievementDefinition) => ['metric', 'streak', 'api', 'achievement'].indexOf(trigger.type);

describe('completions', () => {
  it('happen at most once per achievement', () => {
    fc.assert(
      fc.property(definitions, life, (all, happenings) => {
        const completed = completedBy(configuration(...all), ...happenings).flat();
        expect(new Set(completed).size).toBe(completed.length);
      }),
    );
  });

  it('do not depend on the order of the configuration', () => {
    fc.assert(
      fc.property(definitions, life, (all, happenings) => {
        const sets = (list: readonly AchievementDefinition[]) =>
          completedBy(configuration(...list), ...happenings).map((keys) => keys.toSorted());
        expect(sets(all)).toEqual(sets(all.toReversed()));
      }),
    );
  });

  it('do not depend on group, tier or hidden, whenever these change', () => {
    const shown = fc.record({ group: fc.constantFrom(null, 'g'), tier: fc.option(fc.nat(3)), hidden: fc.boolean() });
    fc.assert(
      fc.property(definitions, life, fc.array(shown, { minLength: 1, maxLength: 5 }), (all, happenings, changes) => {
        const changed = (step: number) =>
          configuration(...all.map((one, place) => ({ ...one, ...changes[(step + place) % changes.length] })));
        const plain = live(...happenings.map((happening) => [configuration(...all), happening] as const));
        expect(live(...happenings.map((happening, step) => [changed(step), happening] as const))).toEqual(plain);
      }),
    );
  });

  it('by metric occur once the total reaches the value, and those by API occur with the first call', () => {
    fc.assert(
      fc.property(definitions, life, (all, happenings) => {
        const completed = new Set(completedBy(configuration(...all), ...happenings).flat());
        for (const { key, trigger } of all) {
          const totals = happenings.flatMap(({ total }) =>
            trigger.type === 'metric' && total?.[0] === trigger.metric.key ? [BigInt(total[1]) * 1_000_000n] : [],
          );
          if (trigger.type === 'metric')
            expect(completed.has(key)).toBe(totals.some((total) => total >= trigger.value));
          if (trigger.type === 'api') expect(completed.has(key)).toBe(happenings.some(({ called }) => called === key));
        }
      }),
    );
  });

  it('of composite achievements occur exactly when every part is complete', () => {
    fc.assert(
      fc.property(definitions, life, (all, happenings) => {
        const complete = new Set<string>();
        for (const keys of completedBy(configuration(...all), ...happenings)) {
          for (const key of keys) complete.add(key);
          for (const { key, trigger } of all)
            if (trigger.type === 'achievement')
              expect(complete.has(key)).toBe(trigger.achievements.every((part) => complete.has(part.key)));
        }
      }),
    );
  });

  it('are listed by metric, streak, API call, then composites in rounds, each in configuration order', () => {
    fc.assert(
      fc.property(definitions, life, (all, happenings) => {
        const byKey = new Map(all.map((definition, place) => [definition.key, { definition, place }]));
        const before = new Set<string>();
        for (const keys of completedBy(configuration(...all), ...happenings)) {
          const ranks = new Map<string, number>();
          for (const key of keys) {
            const { definition } = byKey.get(key)!;
            const parts =
              definition.trigger.type === 'achievement' ? definition.trigger.achievements.map((part) => part.key) : [];
            const rounds = parts.filter((part) => !before.has(part)).map((part) => ranks.get(part)!);
            ranks.set(key, Math.max(stepOf(definition), ...rounds.map((round) => round + 1)));
          }
          const named = keys.map((key) => [ranks.get(key)!, byKey.get(key)!.place] as const);
          expect(named).toEqual(named.toSorted(([a, x], [b, y]) => a - b || x - y));
          for (const key of keys) before.add(key);
        }
      }),
    );
  });
});
