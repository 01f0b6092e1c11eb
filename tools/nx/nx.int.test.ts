import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readJson, type Tree } from '@nx/devkit';
import { createTreeWithEmptyWorkspace } from '@nx/devkit/testing';
import { format } from 'prettier';

// The tools have no types: what they take and give is in their comments.
const { default: library } = await import(new URL('./library.mjs', import.meta.url).href);
const { default: area } = await import(new URL('./area.mjs', import.meta.url).href);
const { libraryPageProblems } = await import(new URL('../check-library-pages.mjs', import.meta.url).href);
const { isBuilt, projectsOf } = await import(new URL('../projects.mjs', import.meta.url).href);

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'nx-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const env = {
  ...process.env,
  NX_DAEMON: 'false',
  NX_CACHE_DIRECTORY: join(folder, 'cache'),
  NX_WORKSPACE_DATA_DIRECTORY: join(folder, 'data'),
};
const nx = (...words: string[]) =>
  execFileSync(process.execPath, ['node_modules/nx/dist/bin/nx.js', ...words], { cwd: ROOT, env, encoding: 'utf8' });
const projects = (...words: string[]) => JSON.parse(nx('show', 'projects', '--json', ...words)) as string[];

const PROJECTS = (projectsOf(ROOT) as { root: string; name: string }[]).filter(isBuilt);
const namesOf = (found: typeof PROJECTS) => found.map(({ name }) => name).toSorted();
const hasTests = ({ root }: { root: string }) =>
  readdirSync(join(ROOT, root, 'src'), { recursive: true, encoding: 'utf8' }).some((file) =>
    /(?<!\.kafka|\.secured|\.distributed|\.cluster|\.faults|\.outgoing|\.pooler)\.test\.ts$/.test(file),
  );

describe('the targets of Nx', () => {
  it.each(['build', 'typecheck', 'lint'])('exist for every app and library: %s', (target) => {
    expect(projects('--with-target', target).toSorted()).toEqual(namesOf(PROJECTS));
  });

  it('include test for every project with tests', () => {
    const tested = namesOf(PROJECTS.filter(hasTests));
    expect(tested.length).toBeGreaterThan(20);
    expect(projects('--with-target', 'test').toSorted()).toEqual(tested);
  });

  it('are affected by a change in a dependency, and by no other', () => {
    const affected = projects('--affected', '--files', 'libs/domain/points/src/rules/points.ts');
    expect(affected).toEqual(expect.arrayContaining(['@laurel/points', '@laurel/all-areas', '@laurel/standalone']));
    expect(affected).not.toContain('@laurel/amounts');
  });

  it('are affected by the rules of an area only in services that apply it', () => {
    const affected = projects('--affected', '--files', 'libs/domain/streaks/src/rules/streaks.ts');
    expect(affected).toEqual(expect.arrayContaining(['@laurel/streak-service', '@laurel/area-service']));
    for (const other of ['achievement-service', 'points-service', 'leaderboard-service'])
      expect(affected).not.toContain(`@laurel/${other}`);
  });

  it('bundle the console before tests start services that serve it', () => {
    const { tasks } = JSON.parse(nx('run', '@laurel/cli:test', '--graph=stdout')) as {
      tasks: { tasks: Record<string, { overrides: object }>; dependencies: Record<string, string[]> };
    };
    expect(tasks.dependencies['@laurel/cli:test']).toContain('@laurel/console-server:build');
    expect(tasks.dependencies['@laurel/console-server:build']).toContain('@laurel/console:build');
    const { targets } = JSON.parse(nx('show', 'project', '@laurel/console-server', '--json')) as {
      targets: { build: { options: { command: string } } };
    };
    expect(targets.build.options.command).toContain('node tools/build-console.mjs');
  });

  it('run once and then come from the cache', () => {
    const run = () => nx('run-many', '-t', 'build', '-p', '@laurel/amounts', '--output-style=static');
    expect(run()).not.toMatch(/cache\]/);
    expect(run()).toMatch(/cache\]|existing outputs match the cache/);
  });
});

/** Lint holds the pages of libraries to their form, and all documents to prettier's. */
async function expectPage(tree: Tree, root: string) {
  const path = `${root}/README.md`;
  const page = tree.read(path, 'utf8') ?? '';
  expect(libraryPageProblems([root], new Map([[path, page]]))).toEqual([]);
  expect(await format(page, { filepath: path, printWidth: 120 })).toBe(page);
}

describe('the library generator', () => {
  function workspace() {
    const tree = createTreeWithEmptyWorkspace();
    for (const file of ['package.json', 'tsconfig.json', 'tools/boundaries/kinds.mjs'])
      tree.write(file, readFileSync(join(ROOT, file), 'utf8'));
    tree.write('libs/values/amounts/package.json', '{}');
    return tree;
  }

  it('adds the library to the builds and to its layer', () => {
    const tree = workspace();
    library(tree, { name: 'badges', group: 'values', kind: 'pure', dependencies: 'amounts' });
    expect(readJson(tree, 'libs/values/badges/package.json')).toMatchObject({
      name: '@laurel/badges',
      dependencies: { '@laurel/amounts': '*' },
      nx: { tags: ['kind:pure', 'scope:badges'] },
    });
    expect(readJson(tree, 'libs/values/badges/tsconfig.json').references).toEqual([{ path: '../amounts' }]);
    expect(readJson(tree, 'tsconfig.json').references).toContainEqual({ path: 'libs/values/badges' });
    expect(tree.read('tools/boundaries/kinds.mjs', 'utf8')).toContain("\n  badges: 'pure',\n");
  });

  it('writes a page that lint accepts', async () => {
    const tree = workspace();
    library(tree, { name: 'badges', group: 'values', kind: 'pure', dependencies: '' });
    await expectPage(tree, 'libs/values/badges');
  });

  it('refuses an existing name and a missing dependency', () => {
    const tree = workspace();
    expect(() => library(tree, { name: 'amounts', group: 'values', kind: 'pure', dependencies: '' })).toThrow(
      'libs/values/amounts exists',
    );
    expect(() => library(tree, { name: 'badges', group: 'values', kind: 'pure', dependencies: 'amonts' })).toThrow(
      'no such library: amonts',
    );
    expect(existsSync(join(ROOT, 'libs/values/badges'))).toBe(false);
  });
});

describe('the area generator', () => {
  const PLACES = [
    ...[
      '.prettierrc.json',
      'package.json',
      'tsconfig.json',
      'tools/boundaries/kinds.mjs',
      'docs/architecture/tables.md',
    ],
    ...[
      'libs/kernel/package.json',
      'libs/ports/package.json',
      'libs/kernel/src/area-names.ts',
      'libs/ports/src/topology.ts',
    ],
    ...[
      'libs/operations/all-areas/src/user-areas.ts',
      'libs/operations/all-areas/package.json',
      'libs/operations/all-areas/tsconfig.json',
      'libs/domain/leaderboards/src/migrations.ts',
    ],
    'apps/standalone/src/verify-full.int.test.ts',
    ...['achievement-service', 'points-service'].flatMap((app) =>
      ['src/main.ts', 'package.json', 'tsconfig.json'].map((file) => `apps/${app}/${file}`),
    ),
  ];

  function workspace() {
    const tree = createTreeWithEmptyWorkspace();
    for (const file of PLACES) tree.write(file, readFileSync(join(ROOT, file), 'utf8'));
    return tree;
  }

  it.each([
    ['achievements', 'achievement-service', "'achievements', 'badges', 'points'"],
    ['points', 'points-service', "'points', 'badges', 'leaderboards'"],
  ])('puts the area after %s wherever areas are listed', async (after, service, chain) => {
    const tree = workspace();
    await area(tree, { name: 'badges', after });
    const text = (file: string) => tree.read(file, 'utf8');
    expect(text('libs/kernel/src/area-names.ts')).toContain(chain);
    expect(text('libs/ports/src/topology.ts')).toContain(`areas: ['${after}', 'badges']`);
    expect(text('libs/operations/all-areas/src/user-areas.ts')).toContain(`\n  badges: badgesArea,\n`);
    expect(text('libs/domain/badges/src/badges-area.ts')).toContain('migrations: badgesMigrations');
    expect(text(`apps/${service}/src/main.ts`)).toContain(`ofUsers: [${after}Area, badgesArea]`);
    expect(readJson(tree, `apps/${service}/package.json`)).toMatchObject({ dependencies: { '@laurel/badges': '*' } });
    expect(text('libs/domain/badges/src/migrations.ts')).toContain("'6001-badges'");
    expect(text('apps/standalone/src/verify-full.int.test.ts')).toContain('\n  badges_counts: ');
    expect(text('docs/architecture/tables.md')?.match(/badges_counts/g)).toHaveLength(2);
    expect(readJson(tree, 'libs/operations/all-areas/package.json')).toMatchObject({
      dependencies: { '@laurel/badges': '*' },
    });
    expect(text('libs/domain/badges/src/badges-area.ts')).toContain('BADGES_COUNTS.name');
    expect(text('libs/domain/badges/src/rules/badges.unit.test.ts')).not.toContain('<%');
    expect(text('libs/domain/badges/README.md')).toContain('numbered from 6001');
    await expectPage(tree, 'libs/domain/badges');
  });

  it('refuses an unknown place', async () => {
    await expect(area(workspace(), { name: 'badges', after: 'leaderboards' })).rejects.toThrow(
      'no area of a user has the name leaderboards',
    );
  });
});
