// Writes into package.json and tsconfig.json of each library and app which others its sources import.
// node tools/declare-dependencies.mjs [--check]
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { isBuilt, projectsOf } from './projects.mjs';

const check = process.argv.includes('--check');
const projects = projectsOf().filter(isBuilt);
const folderOf = new Map(projects.map(({ name, root }) => [name, root]));

/** Dependencies that apps need only in their tests, which are not built. */
const isForTests = (path) => /^apps\/[^/]+\/src\/testing$/.test(path);

const sourcesIn = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (isForTests(path)) return [];
    return entry.isDirectory() ? sourcesIn(path) : /(?<!\.test|\.fixture)\.ts$/.test(path) ? [path] : [];
  });

const importsOf = (path) =>
  [
    ...readFileSync(path, 'utf8').matchAll(
      /^(?:import|export)\b[^;]*?from '(@laurel\/[^'/]+)(?:\/[^']*)?'|import\('(@laurel\/[^'/]+)(?:\/[^']*)?'\)/gm,
    ),
  ].map(([, static_, dynamic]) => static_ ?? dynamic);

let changed = 0;
for (const { root: folder, name: own } of projects) {
  const imported = [...new Set(sourcesIn(`${folder}/src`).flatMap(importsOf))].filter((name) => name !== own).sort();
  changed += await update(`${folder}/package.json`, (file) => {
    const foreign = Object.entries(file.dependencies ?? {}).filter(([name]) => !name.startsWith('@laurel/'));
    const dependencies = Object.fromEntries([...imported.map((name) => [name, '*']), ...foreign]);
    const { nx, devDependencies, ...rest } = file;
    delete rest.dependencies;
    return {
      ...rest,
      ...(Object.keys(dependencies).length > 0 && { dependencies }),
      ...(devDependencies && { devDependencies }),
      nx,
    };
  });
  changed += await update(`${folder}/tsconfig.json`, (file) => {
    delete file.references;
    const references = imported.map((name) => ({ path: relative(folder, folderOf.get(name)) }));
    return { ...file, ...(references.length > 0 && { references }) };
  });
}
if (check && changed > 0) process.exitCode = 1;

async function update(path, change) {
  const present = readFileSync(path, 'utf8');
  const options = { ...(await resolveConfig(path)), filepath: path };
  const wanted = await format(JSON.stringify(change(JSON.parse(present)), null, 2), options);
  if (wanted === present) return 0;
  console.log(`${path}${check ? ' does not declare what is imported: node tools/declare-dependencies.mjs' : ''}`);
  if (!check) writeFileSync(path, wanted);
  return 1;
}
