import { ESLint, type Linter } from 'eslint';
import tseslint from 'typescript-eslint';

// The tools have no types: what they take and give is in their comments.
const { ceilingsOf, entriesOf } = await import(new URL('./list.mjs', import.meta.url).href);
const { problemsOfLowering } = await import(new URL('./lower.mjs', import.meta.url).href);
const { ceilingsPlugin } = await import(new URL('./plugin.mjs', import.meta.url).href);

const PATH = 'libs/domain/points/src/a.ts';
const lines = (count: number) => Array.from({ length: count }, () => 'a();').join('\n');

/** What the rules report about a file whose ceilings are these. */
async function reportsOf(ceilings: object, text: string, path = PATH): Promise<readonly string[]> {
  const rules = ['lines', 'functions', 'parameters', 'spreads'].map((name) => [`ceilings/${name}`, 'error'] as const);
  const config = {
    files: ['**/*.ts'],
    languageOptions: { parser: tseslint.parser as Linter.Parser },
    plugins: { ceilings: ceilingsPlugin({ [path]: ceilings }) as ESLint.Plugin },
    rules: Object.fromEntries(rules),
  };
  const eslint = new ESLint({ overrideConfigFile: true, overrideConfig: config });
  const [result] = await eslint.lintText(text, { filePath: path });
  return (result?.messages ?? []).map(({ line, message }) => `${line}: ${message}`);
}

describe('the ceilings rule', () => {
  it('reports a file beyond a limit, with the line', async () => {
    expect(await reportsOf({}, `\n${lines(251)}`)).toEqual([
      expect.stringMatching(/^\d+: the file has 251 lines of code, more than 250$/),
    ]);
    expect(await reportsOf({}, `\nfunction count() {\n${lines(59)}\n}`)).toEqual([
      '2: count has 61 lines of code, more than 60',
    ]);
    expect(await reportsOf({}, '\n\nconst a = { ...{ b }, ...{ c } };')).toEqual([
      '3: the file spreads 2 object literals, more than 0',
    ]);
    const five = 'const five = (a, b, c, d, e) => a;';
    expect(await reportsOf({}, five)).toEqual(['1: five has 5 positional parameters, more than 4']);
    expect(await reportsOf({}, five, 'libs/domain/points/src/rules/a.ts')).toEqual([]);
  });

  it('accepts what is on the list, and no more', async () => {
    expect(await reportsOf({ lines: 251 }, lines(251))).toEqual([]);
    expect(await reportsOf({ lines: 251 }, lines(252))).toEqual([
      expect.stringContaining('the file has 252 lines of code, more than its ceiling of 251'),
    ]);
    const two = 'const one = (a, b, c, d, e) => a, two = (a, b, c, d, e, f) => a;';
    expect(await reportsOf({ parameters: { one: 5, two: 6 } }, two)).toEqual([]);
    expect(await reportsOf({ parameters: { one: 5, two: 5 } }, two)).toEqual([
      '1: two has 6 positional parameters, more than its ceiling of 5',
    ]);
    expect(await reportsOf({ parameters: { one: 5 } }, two)).toEqual([
      '1: two has 6 positional parameters, more than 4',
    ]);
  });

  it('reports a ceiling that can be lowered, with the new number', async () => {
    expect(await reportsOf({ lines: 300 }, lines(251))).toEqual([
      expect.stringContaining(
        'the file has 251 lines of code: lower its ceiling of 300 to 251 with node tools/lower-ceilings.mjs',
      ),
    ]);
    expect(await reportsOf({ lines: 300, spreads: 2, functions: { count: 90 } }, 'const a = { ...{ b } };')).toEqual([
      '1: the file has 300 lines of code no longer: remove this ceiling with node tools/lower-ceilings.mjs',
      '1: count has 90 lines of code no longer: remove this ceiling with node tools/lower-ceilings.mjs',
      '1: the file spreads 1 object literal: lower its ceiling of 2 to 1 with node tools/lower-ceilings.mjs',
    ]);
  });

  it('accepts files of any size that are tests, generated, or outside libraries and apps', async () => {
    for (const path of [
      'libs/domain/points/src/a.unit.test.ts',
      'libs/domain/points/src/a.fixture.ts',
      'libs/domain/points/src/testing/a.ts',
      'libs/testing/src/a.ts',
      'libs/api/client/src/generated/a.ts',
      'tools/a.ts',
    ])
      expect([path, await reportsOf({}, lines(300), path)]).toEqual([path, []]);
    expect(await reportsOf({}, `// Written by \`npm run generate\`.\n${lines(300)}`)).toEqual([]);
    expect(await reportsOf({}, `// Written by hand.\n${lines(300)}`)).toHaveLength(1);
  });
});

describe('the list of ceilings', () => {
  const entry = (path: string, kind: string, name: string | null, number: number) => ({ path, kind, name, number });
  const assemble = entry('libs/a/src/a.ts', 'functions', 'assemble', 150);
  const goneFunction = (number: number) => entry('libs/gone/src/a.ts', 'functions', `f${number}`, number);
  const isPresent = (path: string) => path.startsWith('libs/a/');
  const problems = (before: readonly object[], now: readonly object[]) => problemsOfLowering(before, now, isPresent);

  it('is sorted, whatever the order of its entries', () => {
    const entries = [
      entry('b.ts', 'spreads', null, 2),
      entry('b.ts', 'parameters', 'two', 5),
      entry('b.ts', 'parameters', 'one', 6),
      entry('b.ts', 'lines', null, 300),
      entry('a.ts', 'functions', 'one', 61),
    ];
    const list = ceilingsOf(entries);
    expect(JSON.stringify(list)).toBe(
      '{"a.ts":{"functions":{"one":61}},"b.ts":{"lines":300,"parameters":{"one":6,"two":5},"spreads":2}}',
    );
    expect(ceilingsOf(entriesOf(list))).toEqual(list);
  });

  it('may contain lower and fewer numbers', () => {
    expect(problems([assemble], [{ ...assemble, number: 149 }])).toEqual([]);
    expect(problems([assemble], [])).toEqual([]);
  });

  it('may contain no higher numbers and no new entries', () => {
    expect(problems([assemble], [{ ...assemble, number: 151 }])).toEqual([
      'libs/a/src/a.ts: assemble has 151 lines of code, above its ceiling of 150',
    ]);
    const other = { ...assemble, name: 'other', number: 61 };
    expect(problems([assemble], [assemble, other])).toEqual([
      'libs/a/src/a.ts: other has 61 lines of code, without a ceiling',
    ]);
    expect(problems([assemble], [{ ...other, path: 'libs/a/src/b.ts' }])).toHaveLength(1);
    expect(problems([assemble], [{ ...assemble, kind: 'parameters' }])).toHaveLength(1);
  });

  it('lets something moved or renamed take its ceiling along, once', () => {
    const renamed = { ...assemble, name: 'start' };
    const moved = { ...assemble, path: 'libs/a/src/start/a.ts' };
    expect(problems([assemble], [renamed])).toEqual([]);
    expect(problems([assemble], [moved])).toEqual([]);
    expect(problems([assemble], [{ ...moved, number: 151 }])).toHaveLength(1);
    expect(problems([assemble], [moved, renamed])).toHaveLength(1);
    const gone = { ...assemble, path: 'libs/gone/src/a.ts' };
    expect(problems([gone], [{ ...renamed, path: 'libs/a/src/b.ts' }])).toEqual([]);
    const file = entry('libs/a/src/a.ts', 'lines', null, 300);
    expect(problems([file], [{ ...file, path: 'libs/a/src/b/a.ts' }])).toEqual([]);
    expect(problems([file], [{ ...file, path: 'libs/a/src/b.ts' }])).toHaveLength(1);
    const halves = ['one', 'other'].map((name) => ({ ...renamed, name, number: 75 }));
    expect(problems([gone], halves)).toHaveLength(1);
  });

  it('gives a moved number the smallest sufficient ceiling', () => {
    const [small, large] = [goneFunction(61), goneFunction(150)];
    const now = [100, 61].map((number) => entry('libs/a/src/a.ts', 'functions', `g${number}`, number));
    expect(problems([small, large], now)).toEqual([]);
    expect(problems([small, large], now.toReversed())).toEqual([]);
  });

  it('divides the spreads of a file among the files into which it is split', () => {
    const gone = entry('libs/gone/src/a.ts', 'spreads', null, 3);
    const parts = (one: number, other: number) => [
      entry('libs/a/src/b.ts', 'spreads', null, one),
      entry('libs/a/src/c.ts', 'spreads', null, other),
    ];
    expect(problems([gone], parts(1, 2))).toEqual([]);
    expect(problems([gone], parts(2, 2))).toEqual([
      'libs/a/src/c.ts: the file spreads 2 object literals, without a ceiling',
    ]);
  });
});
