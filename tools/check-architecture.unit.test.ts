// The tools have no types: what they take and give is in their comments.
const {
  declaredEffects,
  effectProblems,
  effectRows,
  effectTableProblems,
  headingsIn,
  isPresent,
  linkProblems,
  pathsIn,
} = await import(new URL('./check-architecture.mjs', import.meta.url).href);

describe('the paths of a document', () => {
  it('are those of files, and of folders inside code', () => {
    const text =
      'See `libs/domain/points/src/rules/`, `lane.ts` and libs/operations/verify/src/index.ts; libs/prose is none, nor is `NAME.ts`.';
    expect(pathsIn(text)).toEqual(['lane.ts', 'libs/operations/verify/src/index.ts', 'libs/domain/points/src/rules']);
  });

  it('exist when they match whole names at the end of an existing path', () => {
    const files = [
      'libs/domain/points/src/rules/points.ts',
      'libs/domain/points/src/rules/points.unit.test.ts',
      'apps/cli/src/main.ts',
    ];
    const there = [
      'points.ts',
      'rules/points.ts',
      'libs/domain/points/src',
      'apps/*/src',
      '.unit.test.ts',
      '*.unit.test.ts',
    ];
    expect(there.filter((path) => !isPresent(path, files))).toEqual([]);
    const missing = ['oints.ts', 'libs/poi', 'apps/*/test', '.laws.test.ts', 'points/points.ts'];
    expect(missing.filter((path) => isPresent(path, files))).toEqual([]);
  });
});

describe('the links of the documents', () => {
  const contents = new Map([
    ['README.md', '# A\n[b](docs/b.md#what-it-is-for) [self](#a) [web](https://example.com) [folder](docs)\n'],
    ['docs/b.md', '# B\n\n## What it is: for\n\n[up](../README.md)\n'],
  ]);

  it('are accepted when they lead to files, folders and headings', () => {
    expect(linkProblems(contents, [...contents.keys()])).toEqual([]);
    expect(headingsIn('## The `sh` of [it](x.md)\n```sh\n# no heading\n```\n')).toEqual(['the-sh-of-it']);
  });

  it('are reported when they lead nowhere', () => {
    const broken = new Map([...contents, ['c.md', '[x](x.md) [b](docs/b.md#b2)']]);
    expect(linkProblems(broken, [...broken.keys()])).toEqual([
      'c.md: there is no x.md',
      'c.md: docs/b.md has no heading #b2',
    ]);
  });
});

describe('the table of effects', () => {
  const declare = (area: string, ...types: readonly string[]) =>
    `export const ${area}_EFFECTS = {\n${types.map((type) => `  ${type}: effect({\n    fields: {},\n  }),\n`).join('')}};\n`;
  const declared = declaredEffects(declare('USER', 'A', 'B') + declare('POINTS', 'C'));
  const rows = effectRows(
    [
      '<!-- effects: held -->',
      '| area | file | effects |',
      '| users | `u.ts` | `A`, `B` |',
      '| points | `p.ts` | `C` |',
      '<!-- /effects -->',
    ].join('\n'),
  );
  const emit = (...types: readonly string[]) => types.map((type) => `sink.emit({ type: '${type}' });`).join('\n');
  const sources = new Map([
    ['u.ts', emit('A', 'B')],
    ['p.ts', emit('C')],
  ]);

  it('names every effect once with the file that emits it', () => {
    expect(effectProblems(rows, declared, sources)).toEqual([]);
  });

  it('lists the effects of an area in as many rows as files emit them', () => {
    const split = [
      ...rows.slice(0, -1),
      { area: 'points', file: 'p.ts', effects: ['C'] },
      { area: 'points', file: 'q.ts', effects: ['D'] },
    ];
    const more = new Map([...declared].map(([name, effects]) => [name, effects.includes('C') ? ['C', 'D'] : effects]));
    expect(effectProblems(split, more, new Map([...sources, ['q.ts', emit('D')]]))).toEqual([]);
  });

  it('agrees with the code', () => {
    expect(effectTableProblems()).toEqual([]);
  });

  it('is reported when an effect is missing or is emitted elsewhere, too', () => {
    const more = new Map([...declared, ['STREAK_EFFECTS', ['D']]]);
    expect(effectProblems(rows, more, sources)).toEqual(['no row says: D']);
    expect(effectProblems(rows, declared, new Map([...sources, ['other.ts', emit('C')]]))).toEqual([
      'C is emitted in p.ts, other.ts, not in p.ts',
    ]);
    expect(effectProblems(rows, declared, new Map([['u.ts', emit('A', 'B')]]))).toEqual([
      'C is emitted in no file, not in p.ts',
    ]);
  });
});
