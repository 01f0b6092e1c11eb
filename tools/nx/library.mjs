// npx nx g @laurel/tools:library NAME --kind=KIND [--dependencies=amounts,calendar]
import { installPackagesTask, readJson, writeJson } from '@nx/devkit';
import { insertBefore } from './insert.mjs';

/**
 * @param {import('@nx/devkit').Tree} tree
 * @param {{ name: string, kind: string, dependencies: string }} options
 * @throws {Error} if the library exists, or one that it imports does not
 */
export default function library(tree, { name, kind, dependencies: list }) {
  const folder = `libs/${name}`;
  const dependencies = list.split(',').filter((dependency) => dependency !== '');
  if (tree.exists(`${folder}/package.json`)) throw new Error(`${folder} exists`);
  const missing = dependencies.filter((dependency) => !tree.exists(`libs/${dependency}/package.json`));
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
    extends: '../../tsconfig.base.json',
    compilerOptions: { rootDir: 'src', outDir: 'dist' },
    include: ['src'],
    exclude: ['**/*.test.ts', '**/*.fixture.ts'],
    references: dependencies.map((dependency) => ({ path: `../${dependency}` })),
  });
  tree.write(`${folder}/src/index.ts`, 'export {};\n');
  addToBuilds(tree, folder, kind);
  addToKinds(tree, name, kind);
  return () => installPackagesTask(tree, true);
}

function addToBuilds(tree, folder, kind) {
  insertBefore(tree, 'tsconfig.json', '\n  ]', `,\n    { "path": "${folder}" }`);
  if (kind === 'pure')
    insertBefore(tree, 'tsconfig.pure.json', '\n    "libs/**/src/rules', `\n    "${folder}/src/**/*.ts",`);
}

/** Boundaries know a library by this list and by its own tags: one that stands in one of them only is an error. */
function addToKinds(tree, name, kind) {
  const key = /^[a-z]+$/.test(name) ? name : `'${name}'`;
  insertBefore(tree, 'tools/boundaries/kinds.mjs', '\n  achievements:', `\n  ${key}: '${kind}',`);
}
