// Creates the frame of a library: node tools/new-library.mjs NAME KIND DEPENDENCY...
// KIND is the layer of docs/adr/0001: pure | contract | engine | area | composition | door | platform | testing.
import { mkdirSync, writeFileSync, readFileSync, existsSync } from 'node:fs';

const [name, kind, ...dependencies] = process.argv.slice(2);
if (!name || !kind) {
  console.error('usage: node tools/new-library.mjs NAME KIND [DEPENDENCY...]');
  process.exit(1);
}
const folder = `libs/${name}`;
if (existsSync(`${folder}/package.json`)) {
  console.error(`${folder} exists`);
  process.exit(1);
}
const write = (path, value) =>
  writeFileSync(path, typeof value === 'string' ? value : `${JSON.stringify(value, null, 2)}\n`);

mkdirSync(`${folder}/src`, { recursive: true });
write(`${folder}/package.json`, {
  name: `@laurel/${name}`,
  version: JSON.parse(readFileSync('package.json', 'utf8')).version,
  private: true,
  type: 'module',
  exports: {
    '.': { '@laurel/source': './src/index.ts', types: './dist/index.d.ts', default: './dist/index.js' },
  },
  dependencies: Object.fromEntries(dependencies.map((d) => [`@laurel/${d}`, '*'])),
  nx: { tags: [`kind:${kind}`, `scope:${name}`] },
});
write(`${folder}/tsconfig.json`, {
  extends: '../../tsconfig.base.json',
  compilerOptions: { rootDir: 'src', outDir: 'dist' },
  include: ['src'],
  exclude: ['**/*.test.ts'],
  references: dependencies.map((d) => ({ path: `../${d}` })),
});
if (!existsSync(`${folder}/src/index.ts`)) write(`${folder}/src/index.ts`, 'export {};\n');
