// npx nx g @laurel/tools:area NAME [--after=AREA]
import { execFileSync } from 'node:child_process';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatFiles, generateFiles, installPackagesTask, updateJson } from '@nx/devkit';
import { insertAfter, insertBefore } from './insert.mjs';
import library from './library.mjs';

const TEMPLATES = fileURLToPath(new URL('area', import.meta.url));
const TABLES = 'docs/architecture/tables.md';
const VERIFY_FULL = 'apps/standalone/src/verify-full.int.test.ts';

/**
 * Adds an area to the chain, in the service of the area before it: a library with a rule that counts, a table and a test, and its
 * entry in each place that lists the areas. It runs at once, standalone and distributed. A service of its own is the next step: see
 * docs/guides/add-a-service.md.
 *
 * @param {import('@nx/devkit').Tree} tree
 * @param {{ name: string, after: string }} options
 * @throws {Error} if there is a library of this name, or no user area `after`
 */
export default async function area(tree, { name, after }) {
  const before = `import { ${after}Area } from '@laurel/${after}';`;
  if (!tree.read('libs/operations/all-areas/src/user-areas.ts', 'utf8').includes(before))
    throw new Error(`no area of a user has the name ${after}`);
  library(tree, { name, group: 'domain', kind: 'area', dependencies: 'kernel,ports' });
  const folder = `libs/domain/${name}`;
  const [first, rest] = [name[0].toUpperCase(), name.slice(1)];
  const words = { name, Name: first + rest, NAME: name.toUpperCase(), thousand: nextThousand(tree), template: '' };
  generateFiles(tree, TEMPLATES, folder, words);

  insertAfter(tree, 'libs/kernel/src/area-names.ts', `'${after}'`, `, '${name}'`);
  insertAfter(tree, 'libs/ports/src/topology.ts', new RegExp(`areas: \\[[^\\]]*'${after}'`), `, '${name}'`);
  insertBefore(
    tree,
    'libs/operations/all-areas/src/user-areas.ts',
    before,
    `import { ${name}Area } from '@laurel/${name}';\n`,
  );
  insertAfter(
    tree,
    'libs/operations/all-areas/src/user-areas.ts',
    `\n  ${after}: ${after}Area,`,
    `\n  ${name}: ${name}Area,`,
  );
  declare(tree, 'libs/operations/all-areas', name, `../../domain/${name}`);
  addToService(tree, name, after);
  plantChanges(tree, name);
  document(tree, name, after);
  await formatFiles(tree);
  return () => {
    installPackagesTask(tree, true);
    // The API's document lists the areas, so it and the client must be generated again.
    execFileSync('npm', ['run', '--silent', 'generate'], { cwd: tree.root, stdio: 'inherit' });
  };
}

/** Adds the area to the program of the service that applies it. */
function addToService(tree, name, after) {
  const inService = new RegExp(`name: '([\\w-]+)',\\s*areas: \\[[^\\]]*'${after}'`);
  const [, service] = inService.exec(tree.read('libs/ports/src/topology.ts', 'utf8'));
  const main = `apps/${service}/src/main.ts`;
  insertAfter(tree, main, new RegExp(`ofUsers: \\[[^\\]]*${after}Area`), `, ${name}Area`);
  insertBefore(tree, main, 'import ', `import { ${name}Area } from '@laurel/${name}';\n`);
  declare(tree, `apps/${service}`, name, `../../libs/domain/${name}`);
}

function declare(tree, folder, name, path) {
  updateJson(tree, `${folder}/package.json`, (json) => ({
    ...json,
    dependencies: sorted({ ...json.dependencies, [`@laurel/${name}`]: '*' }),
  }));
  updateJson(tree, `${folder}/tsconfig.json`, (json) => ({
    ...json,
    // The order of tools/declare-dependencies.mjs: by the name of the library.
    references: [...json.references, { path }].sort((a, b) => (basename(a.path) < basename(b.path) ? -1 : 1)),
  }));
}

/**
 * A test changes a value in every read model and expects a full verification to find it; here a row counts in another
 * partition.
 */
function plantChanges(tree, name) {
  const planted = (table) => `\n  ${table}: \`jsonb_build_object('partition', 7)\`,`;
  insertAfter(tree, VERIFY_FULL, planted('user_counts'), planted(`${name}_counts`));
}

/** Adds the table to the documentation, after the tables of the area before it, for both topologies. */
function document(tree, name, after) {
  const row = `| \`${name}_counts\` | ${name} | of all users: metric events |\n`;
  insertAfter(tree, TABLES, new RegExp(`(\\|[^\\n|]*\\| ${after} +\\|[^\\n]*\\n)+`), row);
  const service = new RegExp(`areas: \\[[^\\]]*'${name}'[^}]*schema: '(\\w+)'`);
  const [, schema] = service.exec(tree.read('libs/ports/src/topology.ts', 'utf8'));
  insertAfter(tree, TABLES, new RegExp(`\\| \`${schema}\` +\\|[^\\n]*?(?= +\\|\\n)`), `, \`${name}_counts\``);
}

/** The number with which the area's migrations begin: each area has a thousand of its own. */
function nextThousand(tree) {
  const used = tree
    .children('libs/domain')
    .map((library) => `libs/domain/${library}/src/migrations.ts`)
    .filter((file) => tree.exists(file))
    .flatMap((file) =>
      [...tree.read(file, 'utf8').matchAll(/name: '(\d+)\d{3}-/g)].map(([, thousand]) => Number(thousand)),
    );
  return Math.max(...used) + 1;
}

const sorted = (record) => Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
