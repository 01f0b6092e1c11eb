// The tools have no types: what they take and give is in their comments.
const { findingsIn } = await import(new URL('./findings.mjs', import.meta.url).href);

const PATH = 'libs/domain/points/src/a.ts';
const many = (count: number, line: string) => Array.from({ length: count }, () => line).join('\n');
const numbersIn = async (text: string, path = PATH) => (await findingsIn(path, text)).numbers;

describe('the numbers of a file', () => {
  it('count lines of code without blank lines and comments', async () => {
    const text = `// one\n\n/* two\n*/\n${many(250, 'a();')}\n`;
    expect(await findingsIn(PATH, text)).toMatchObject({ codeLines: 250, numbers: { lines: [] } });
    expect((await numbersIn(`${text}a(); // another\n`)).lines).toEqual([{ name: null, number: 251 }]);
    expect((await findingsIn(PATH, '// nothing\n')).codeLines).toBe(0);
  });

  it('name long functions, with a number when a name repeats', async () => {
    const body = `{\n${many(60, 'a();')}\n}`;
    const text = [
      `function first() ${body}`,
      `class Queue { #take() ${body}\nput = () => ${body};\n constructor() ${body} }`,
      `const second = async () => ${body};`,
      `list.map(() => ${body}); list.map(() => ${body});`,
      `const parts = { third() ${body} };`,
      `(() => ${body})();`,
      `export default () => ${body};`,
      `const short = () => {\n${many(58, 'a();')}\n// a comment\n\n};`,
    ];
    const names = (await numbersIn(text.join('\n'))).functions.map(({ name, number }: Named) => `${name} ${number}`);
    expect(names).toEqual([
      'first 62',
      'Queue.#take 62',
      'Queue.put 62',
      'Queue.constructor 62',
      'second 62',
      'callback of map 62',
      'callback of map (2) 62',
      'third 62',
      'anonymous 62',
      'anonymous (2) 62',
    ]);
  });

  it('omit functions that return markup, but not the functions inside and beside them', async () => {
    const page = `function Page() {\n${many(60, 'a();')}\nreturn a ? <p /> : null;\n}`;
    const inner = `function Other() {\nconst load = () => {\n${many(60, 'a();')}\n};\nreturn <></>;\n}`;
    const text = `${page}\n${inner}\nfunction words() {\n${many(60, 'a();')}\nreturn [,() => <p />];\n}\n`;
    const { functions } = await numbersIn(text, 'libs/api/console/src/a.tsx');
    expect(functions).toEqual([
      { name: 'load', number: 62 },
      { name: 'words', number: 63 },
    ]);
  });

  it('name functions with too many parameters, except constructors of Nest', async () => {
    const five = '(a, b, c, d, e)';
    const text = [
      `function first${five} {} const fine = (a, b, c, d) => a;`,
      `type Handler = ${five.replaceAll(/[a-e]/g, '$&: number')} => void;`,
      `class Plain { constructor${five} {} } @Injectable() class Nest { constructor${five} {} serve${five} {} }`,
    ].join('\n');
    const names = ['first', 'Handler', 'Plain.constructor', 'Nest.serve'];
    expect((await numbersIn(text)).parameters).toEqual(names.map((name) => ({ name, number: 5 })));
    expect((await numbersIn(text, 'libs/domain/points/src/rules/a.ts')).parameters).toEqual([]);
    const six = 'function six(a, b, c, d, e, f) {}';
    expect((await numbersIn(six, 'libs/domain/points/src/rules/a.ts')).parameters).toEqual([
      { name: 'six', number: 6 },
    ]);
  });

  it('count spread object literals', async () => {
    const text = 'a = { ...{ a }, ...b, ...(c && { c }) }; f(...{ d });';
    expect((await numbersIn(text)).spreads).toEqual([{ name: null, number: 2 }]);
    expect((await numbersIn('a = { ...b };')).spreads).toEqual([]);
  });

  it('are the same when a comment disables rules', async () => {
    expect((await numbersIn('/* eslint-disable */\na = { ...{ b } };')).spreads).toHaveLength(1);
  });

  it('cannot be computed for invalid TypeScript', async () => {
    await expect(findingsIn(PATH, 'const = 1;')).rejects.toThrow('libs/domain/points/src/a.ts:1: ');
  });
});

interface Named {
  readonly name: string;
  readonly number: number;
}
