import { NumberedNames, type ConfiguredNames } from '@laurel/kernel';
import fc from 'fast-check';
import { compileHistory, withPublication } from './compile-history.ts';
import type { Publication } from './publication.ts';

const KEYS = ['__proto__', 'constructor', '10', '2', 'a', 'b'];
const some = fc.uniqueArray(fc.constantFrom(...KEYS));

/** Everything that has a number comes and goes, in any order; triggers by key and by content. */
const document = fc
  .record({
    metrics: fc.shuffledSubarray(KEYS, { minLength: 1 }),
    achievements: some,
    systems: some,
    boards: some,
    triggers: some,
  })
  .map(({ metrics, achievements, systems, boards, triggers }) => ({
    version: 1,
    metrics: metrics.map((key) => ({ key, name: key })),
    achievements: achievements.map((key) => ({ key, name: key, trigger: { type: 'api' } })),
    points: systems.map((key) => ({
      key,
      name: key,
      triggers: [
        ...triggers.map((trigger) => ({ key: trigger, type: 'user_creation', points: 1 })),
        { type: 'time', unit: 'hour', interval: triggers.length + 1, points: 1, activeFrom: null },
      ],
      boosts: triggers.map((boost, place) => ({
        key: boost,
        name: boost,
        multiplier: place + 1,
        start: '2026-01-01T00:00:00Z',
      })),
    })),
    leaderboards: boards.map((key) => ({
      key,
      name: key,
      rankBy: 'metric',
      metric: metrics[0],
      start: '2026-01-01',
      maxParticipants: 9,
    })),
  }));

const publications = fc
  .array(document, { minLength: 2, maxLength: 5 })
  .map((all) => all.map((document, index): Publication => ({ version: index + 1, document, publishedAt: index })));

const KINDS = ['metrics', 'systems', 'triggers', 'boosts', 'achievements', 'boards'] as const;
const listed = (names: ConfiguredNames) => Object.fromEntries(KINDS.map((kind) => [kind, names[kind].all]));
const compile = (published: readonly Publication[]) => compileHistory('default', published);

describe('the numbers of configured names', () => {
  it('never change in later versions', () => {
    fc.assert(
      fc.property(publications, (published) => {
        const { versions } = compile(published);
        for (const [index, { configuration }] of versions.entries()) {
          const before = versions[index - 1]?.configuration.names;
          for (const kind of before ? KINDS : []) {
            const names = (before as ConfiguredNames)[kind].all;
            expect(configuration.names[kind].all.slice(0, names.length)).toEqual(names);
          }
        }
      }),
    );
  });

  it('are the same in every process, whether versions are compiled at once or one by one', () => {
    fc.assert(
      fc.property(publications, (published) => {
        const [first, ...others] = published;
        const whole = compile(published);
        const oneByOne = others.reduce(withPublication, compile(first ? [first] : []));
        expect(listed(oneByOne.current.names)).toEqual(listed(whole.current.names));
        const early = compile(published.slice(0, -1));
        expect(listed(early.current.names)).toEqual(listed(whole.at(published.length - 1).names));
      }),
    );
  });

  it('are unique, even after an entry is removed and when it returns', () => {
    fc.assert(
      fc.property(publications, (published) => {
        const { versions, current } = compile(published);
        const { names } = current;
        for (const { configuration } of versions) {
          for (const { id } of configuration.pointsSystems.flatMap(({ triggers }) => triggers))
            expect(names.triggers.nameOf(names.triggers.numberOf(id))).toBe(id);
          for (const { key } of configuration.metrics)
            expect(names.metrics.nameOf(names.metrics.numberOf(key))).toBe(key);
          for (const { key } of configuration.pointsSystems) expect(names.systems.all).toContain(key);
          for (const { key } of configuration.achievements) expect(names.achievements.all).toContain(key);
          for (const { key } of configuration.leaderboards) expect(names.boards.all).toContain(key);
        }
        for (const kind of KINDS) expect(new Set(names[kind].all).size).toBe(names[kind].all.length);
        const again = withPublication(compile(published), {
          version: published.length + 1,
          document: published[0]?.document,
          publishedAt: 9,
        });
        expect(listed(again.current.names)).toEqual(listed(names));
      }),
    );
  });
});

describe('NumberedNames', () => {
  const names = NumberedNames.NONE.with(['b', '__proto__', 'b']);

  it('numbers names from 1 in the order in which they are added', () => {
    expect(names.all).toEqual(['b', '__proto__']);
    expect([names.numberOf('b'), names.numberOf('__proto__')]).toEqual([1, 2]);
  });

  it('refuses unknown names and unknown numbers', () => {
    expect(() => names.numberOf('toString')).toThrow('no version of the configuration names "toString"');
    for (const number of [0, 3, -1, 1.5]) expect(() => names.nameOf(number)).toThrow(`names number ${number}`);
  });
});
