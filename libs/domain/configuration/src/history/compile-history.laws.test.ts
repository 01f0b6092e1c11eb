import fc from 'fast-check';
import type { Configuration } from '@laurel/kernel';
import type { PointsTriggerDocument } from '@laurel/schemas';
import { compileHistory, withPublication } from './compile-history.ts';

const KEYS = ['__proto__', 'constructor', '10', '2', 'a', 'A', '-', '_'];
const key = fc.constantFrom(...KEYS);
const points = fc.constantFrom(-5, -1, 1, 2, 1_000_000_000);
const optionalKey = fc.option(key, { nil: undefined });

/** One for each kind: the compiler asks for that of a new one. */
const TRIGGERS: { readonly [Type in PointsTriggerDocument['type']]: fc.Arbitrary<object> } = {
  metric: fc.record({
    type: fc.constant('metric'),
    metric: key,
    threshold: fc.constantFrom(0.000001, 1, 2.5, 1e15),
    points,
  }),
  streak: fc.record({ type: fc.constant('streak'), length: fc.integer({ min: 1, max: 9 }), points }),
  achievement: fc.record({ type: fc.constant('achievement'), achievement: key, points }),
  user_creation: fc.record({ type: fc.constant('user_creation'), points }),
  time: fc.record({
    type: fc.constant('time'),
    unit: fc.constantFrom('hour', 'day'),
    interval: fc.integer({ min: 1, max: 3 }),
    points,
    activeFrom: fc.constantFrom(null, '2026-01-01T00:00:00Z', '2026-06-01T00:00:00.5Z'),
  }),
};
const trigger = fc.oneof(...Object.values(TRIGGERS));

/** Triggers, each known by its key or else by its content. */
const triggers = fc.uniqueArray(
  fc
    .tuple(optionalKey, trigger)
    .map(([given, content]) => (given === undefined ? content : { key: given, ...content })),
  { selector: (one) => ('key' in one ? one.key : JSON.stringify(one)), maxLength: 6 },
);

const all = <T extends object>(entry: T) => KEYS.map((name) => ({ key: name, name, ...entry }));

const document = fc.record({ triggers, maxPoints: fc.constantFrom(null, 10, 20) }).map((system) => ({
  version: 1,
  metrics: all({}),
  achievements: all({ trigger: { type: 'api' } }),
  points: [
    { key: '__proto__', name: 'XP', levels: all({}).map((level, index) => ({ ...level, points: index })), ...system },
  ],
}));

const publications = fc
  .array(fc.tuple(document, fc.integer({ min: 0, max: 1e12 })), { minLength: 1, maxLength: 5 })
  .map((all) => all.map(([document, publishedAt], index) => ({ version: index + 1, document, publishedAt })));

function idsOf({ pointsSystems }: Configuration): string[] {
  return pointsSystems.flatMap((system) => system.triggers.map(({ id }) => id)).sort();
}

describe('compileHistory', () => {
  it('keeps the ids of triggers when they are reordered', () => {
    fc.assert(
      fc.property(document, fc.array(fc.nat(), { minLength: 6, maxLength: 6 }), (original, seeds) => {
        const [system] = original.points;
        const shuffled = (system?.triggers ?? [])
          .map((one, index) => ({ one, rank: seeds[index] ?? 0 }))
          .sort((a, b) => a.rank - b.rank)
          .map(({ one }) => one);
        const other = { ...original, points: [{ ...system, triggers: shuffled }] };
        const ids = [original, other].map((document) =>
          idsOf(compileHistory('default', [{ version: 1, document, publishedAt: 0 }]).current),
        );
        expect(ids[0]).toEqual(ids[1]);
        expect(new Set(ids[0]).size).toBe(shuffled.length);
      }),
    );
  });

  it('is deterministic, whether it compiles all publications at once or one after the other', () => {
    fc.assert(
      fc.property(publications, (published) => {
        const [first, ...others] = published;
        const atOnce = compileHistory('default', published);
        const oneByOne = others.reduce(withPublication, compileHistory('default', first ? [first] : []));
        expect(oneByOne.versions).toEqual(atOnce.versions);
      }),
    );
  });

  it('does not change earlier versions when it adds a later one', () => {
    fc.assert(
      fc.property(publications, (published) => {
        const whole = compileHistory('default', published);
        const part = compileHistory('default', published.slice(0, -1).concat(published.length === 1 ? published : []));
        expect(whole.at(part.current.version)).toEqual(part.current);
      }),
    );
  });

  it('orders the open validity periods like the time triggers of the newest version', () => {
    fc.assert(
      fc.property(publications, (published) => {
        for (const { validityPeriods, triggers } of compileHistory('default', published).current.pointsSystems) {
          const open = validityPeriods.filter(({ until }) => until === Infinity);
          const ordered = open.toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0)).map(({ trigger }) => trigger.id);
          expect(new Set(open.map(({ order }) => order)).size).toBe(open.length);
          expect(ordered).toEqual(triggers.filter(({ type }) => type === 'time').map(({ id }) => id));
        }
      }),
    );
  });

  it('creates no overlapping validity periods for a trigger, and keeps those of the newest version open', () => {
    fc.assert(
      fc.property(publications, (published) => {
        const { current } = compileHistory('default', published);
        for (const { validityPeriods, triggers } of current.pointsSystems) {
          for (const [index, a] of validityPeriods.entries()) {
            expect(a.from).toBeLessThan(a.until);
            const others = validityPeriods.slice(index + 1).filter((b) => b.trigger.id === a.trigger.id);
            for (const b of others) expect(a.until).toBeLessThanOrEqual(b.from);
          }
          const open = validityPeriods.filter(({ until }) => until === Infinity).map(({ trigger }) => trigger);
          const timed = triggers.filter(({ type }) => type === 'time');
          expect(open).toHaveLength(timed.length);
          expect(open).toEqual(expect.arrayContaining(timed));
        }
      }),
    );
  });
});
