import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

// The tools have no types: what they take and give is in their comments.
const { measure } = await import(new URL('./measure.mjs', import.meta.url).href);
const { textOf } = await import(new URL('./print.mjs', import.meta.url).href);
const { treeIn } = await import(new URL('./tree.mjs', import.meta.url).href);

const packageOf = (name: string, subpaths: readonly string[] = []) =>
  JSON.stringify({
    name: `@laurel/${name}`,
    exports: Object.fromEntries(
      ['index', ...subpaths].map((file) => [
        file === 'index' ? '.' : `./${file}`,
        { '@laurel/source': `./src/${file}.ts` },
      ]),
    ),
  });

const ARCHITECTURE = `
## The path of an event

\`\`\`text
POST
 1 libs/rules/points/src/apply.ts   decides
 2 apps/service/src/main.ts         answers
\`\`\`

Elsewhere: libs/rules/points/src/index.ts
`;

const numbered = (count: number, line: (index: number) => string) => Array.from({ length: count }, (_, i) => line(i));

const FILES: Readonly<Record<string, string>> = {
  'ARCHITECTURE.md': ARCHITECTURE,
  'libs/amounts/package.json': packageOf('amounts', ['exact']),
  'libs/amounts/src/index.ts': `
    export type { Amount } from './amount.ts';
    export interface Unused { readonly amount: number }
    export class Place {}
    export const ofTools = 1, ofTests = 2, ofBuilt = 3;
  `,
  'libs/amounts/src/amount.ts': 'export interface Amount { readonly units: bigint }\n',
  'libs/amounts/src/exact.ts': 'export const exact = (value: number): number => value;\n',
  // A library may lie in a group.
  'libs/rules/points/package.json': packageOf('points'),
  'libs/rules/points/src/index.ts': `
    export { apply } from './apply.ts';
    export interface Place { readonly first: number }
  `,
  'libs/rules/points/src/apply.ts': `
    import type { Amount } from '@laurel/amounts';
    import { luxon, type DateTime } from 'luxon';
    import * as due from './due/due.ts';
    interface State<T> { readonly total: Amount; readonly at: DateTime; readonly more: T }
    enum Kind { Once }
    type Sum = Amount;
    declare module 'luxon' { interface Zone { readonly sum: Sum } }
    export function apply(state: State<number>, other: Map<Sum, due.Due>): Kind {
      luxon(state.total, other);
      return applyAreas(state).Kind;
    }
  `,
  'libs/rules/points/src/due/due.ts': `
    import type { Room } from '../rules/room.ts';
    import { apply } from '../apply.ts';
    export interface Due { readonly room: Room }
    export const again = apply;
    export const settle = (area, state) => area.apply(state);
  `,
  'libs/rules/points/src/rules/room.ts': `
    import type { Due } from '../due/due.ts';
    export interface Room { readonly due: Due }
    export const five = (a: number, b: number, c: number, d: number, e: number) => a + b + c + d + e;
    export const six = (a: number, b: number, c: number, d: number, e: number, f: number) => five(a, b, c, d, e) + f;
  `,
  'libs/rules/points/src/rules/room.unit.test.ts': `
    import { Due } from '../due/due.ts';
    import { ofTests } from '@laurel/amounts';
    applyAreas(...{ ...{ ofTests } });
  `,
  'libs/client/package.json': packageOf('client'),
  'libs/client/src/index.ts': `export type { Amount } from './generated/api.ts';`,
  'libs/client/src/generated/api.ts': ['export interface Amount {', '', '  units: string;', '}', ''].join('\n'),
  'tools/tool.mjs': `import { ofBuilt } from '../libs/amounts/dist/index.js';\nconst { ofTools } = await import('@laurel/amounts');\napplyAreas(ofTools);\n`,
  'apps/service/package.json': JSON.stringify({ name: '@laurel/service' }),
  'apps/service/src/main.ts': `
    import { apply } from '@laurel/points';
    import { Controller } from '@nestjs/common';
    const options = { ...{ a: 1 }, ...{ b: 2 }, ...(apply ? { c: 3 } : {}) };
    @Controller()
    export class Service {
      constructor(a: number, b: number, c: number, d: number, e: number) { this.serve(a, b, c, d, e); }
      // It does nothing.
      serve(a: number, b: number, c: number, d: number, e: number) {}
    }
  `,
  'apps/service/src/long.ts': [
    'export function long() {',
    ...numbered(59, (index) => `  console.log(${index}); // ${index}\n\n  // a comment`),
    '}',
    ...numbered(190, (index) => `export const a${index} = ${index};`),
    '',
  ].join('\n'),
};

describe('the measures of the structure', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'structure-'));
    for (const [path, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const measured = async (options?: object) => await measure(treeIn(folder), options);

  it('count the project types that the files on the path of an event name, each once', async () => {
    const { eventPath } = await measured();
    expect(eventPath.types).toEqual({
      names: [
        'Amount (libs/amounts/src/amount.ts)',
        'Due (libs/rules/points/src/due/due.ts)',
        'Kind (libs/rules/points/src/apply.ts)',
        'Service (apps/service/src/main.ts)',
        'State (libs/rules/points/src/apply.ts)',
        'Sum (libs/rules/points/src/apply.ts)',
      ],
      byFile: { 'libs/rules/points/src/apply.ts': 5, 'apps/service/src/main.ts': 1 },
    });
  });

  it('count the files that fold a user, without tests and tools', async () => {
    expect((await measured({ fold: 'applyAreas' })).folds.files).toEqual(['libs/rules/points/src/apply.ts']);
    expect((await measured()).folds.files).toEqual(['libs/rules/points/src/due/due.ts']);
    expect((await measured({ fold: 'luxon' })).folds.files).toEqual(['libs/rules/points/src/apply.ts']);
    expect((await measured({ fold: 'serve' })).folds.files).toEqual(['apps/service/src/main.ts']);
  });

  it('count pairs of folders that import each other, except files directly in src', async () => {
    expect((await measured()).mutualFolders).toEqual(['libs/rules/points/src: due ↔ rules']);
  });

  it('count exported names, names that nobody imports and names that several libraries declare', async () => {
    expect((await measured()).exports).toEqual({
      byLibrary: { '@laurel/amounts': 6, '@laurel/points': 2 },
      importedNowhere: ['@laurel/amounts: Unused', '@laurel/amounts: Place', '@laurel/points: Place'],
      declaredTwice: ['Place: libs/amounts/src/index.ts, libs/rules/points/src/index.ts'],
    });
  });

  it('list what exceeds the limits, without blank lines, comments, tests and Nest constructors', async () => {
    const { sizes } = await measured();
    expect(sizes.lines).toEqual([{ path: 'apps/service/src/long.ts', number: 251 }]);
    expect(sizes.functions).toEqual([{ path: 'apps/service/src/long.ts', name: 'long', number: 61 }]);
    expect(sizes.parameters).toEqual([
      { path: 'libs/rules/points/src/rules/room.ts', name: 'six', number: 6 },
      { path: 'apps/service/src/main.ts', name: 'Service.serve', number: 5 },
    ]);
    expect(sizes.spreads).toEqual([{ path: 'apps/service/src/main.ts', number: 2 }]);
    expect(sizes.codeLines.generated).toBe(3);
    expect(sizes.codeLines.handWritten).toBe(251 + 8 + 4 + 1 + 1 + 2 + 11 + 5 + 4 + 1);
  });

  it('are printed one per line, and on request with the counted items', async () => {
    const all = await measured();
    expect(textOf(all, { verbose: false }).split('\n')).toContain('      2  object literals that are spread');
    expect(textOf(all, { verbose: false })).not.toContain('apps/service/src/main.ts');
    expect(textOf(all, { verbose: true })).toContain('           5 apps/service/src/main.ts: Service.serve\n');
  });
});
