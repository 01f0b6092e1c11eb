// npx nx g @laurel/tools:library NAME --group=GROUP --kind=KIND [--dependencies=amounts,calendar]
import { posix } from 'node:path';
import { installPackagesTask, readJson, writeJson } from '@nx/devkit';
import { insertBefore } from './insert.mjs';

/**
 * @param {import('@nx/devkit').Tree} tree
 * @param {{ name: string, group: string, kind: string, dependencies: string }} options `group`: the folder in `libs`
 *   for the new library
 * @throws {Error} if the library exists, or one that it imports does not
 */
export default function library(tree, { name, group, kind, dependencies: list }) {
  const folder = `libs/${group}/${name}`;
  const dependencies = list.split(',').filter((dependency) => dependency !== '');
  const present = folderOf(tree, name);
  if (present !== null) throw new Error(`${present} exists`);
  const missing = dependencies.filter((dependency) => folderOf(tree, dependency) === null);
  if (missing.length > 0) throw new Error(`no such library: ${missing.join(', ')}`);

  writeJson(tree, `${folder}/package.json`, {
    name: `@laurel/${name}`,
    version: readJson(tree, 'package.json').version,
    private: true,
    type: 'module',
    exports: {
      '.': { '@laurel/source': './src/index.ts', types: './dist/index.d.ts', default: './dist/index.js' },
    },
    dependencies: Object.fromEntries(dependencies.map((dependency) => [`@laurel/${dependency}`, '*'])),
    nx: { tags: [`kind:${kind}`, `scope:${name}`] },
  });
  writeJson(tree, `${folder}/tsconfig.json`, {
    extends: '../../../tsconfig.base.json',
    compilerOptions: { rootDir: 'src', outDir: 'dist' },
    include: ['src'],
    exclude: ['**/*.test.ts', '**/*.fixture.ts'],
    references: dependencies.map((dependency) => ({ path: posix.relative(folder, folderOf(tree, dependency)) })),
  });
  tree.write(`${folder}/src/index.ts`, 'export {};\n');
  tree.write(`${folder}/README.md`, pageOf(name, kind));
  insertBefore(tree, 'tsconfig.json', '\n  ]', `,\n    { "path": "${folder}" }`);
  addToKinds(tree, name, kind);
  return () => installPackagesTask(tree, true);
}

/** A README that lint accepts; its author writes the rest. */
const pageOf = (name, kind) => `# ${name}

Say what this library owns, and which of its exports others use.

**May import** what \`tools/boundaries/kinds.mjs\` allows for the kind \`${kind}\`.

**Begin with** \`src/index.ts\`.

**Test** \`npx nx test @laurel/${name}\`.
`;

/** @returns {string | null} the folder of a library, in `libs` or in a group of it, or null if there is none */
export function folderOf(tree, name) {
  const folders = ['libs', ...tree.children('libs').map((group) => `libs/${group}`)].map(
    (folder) => `${folder}/${name}`,
  );
  return folders.find((folder) => tree.exists(`${folder}/package.json`)) ?? null;
}

/**
 * The boundaries read the kind of a library from this list and from its own tags; a kind that only one of them names is
 * an error.
 */
function addToKinds(tree, name, kind) {
  const key = /^[a-z]+$/.test(name) ? name : `'${name}'`;
  insertBefore(tree, 'tools/boundaries/kinds.mjs', '\n  achievements:', `\n  ${key}: '${kind}',`);
}
