// Checks the types of one project, its tests included: node tools/nx/typecheck.mjs libs/domain/points
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';

const [root] = process.argv.slice(2);
if (root === undefined) {
  console.error('usage: node tools/nx/typecheck.mjs PROJECT_FOLDER');
  process.exit(2);
}
const folder = '.nx/typecheck';
const file = `${folder}/${root.replaceAll('/', '-')}.json`;
mkdirSync(folder, { recursive: true });
writeFileSync(
  file,
  JSON.stringify({
    extends: '../../tsconfig.test.json',
    include: [`../../${root}/src/**/*.ts`, '../../libs/**/src/**/*.d.ts'],
    exclude: ['../../**/dist'],
  }),
);
const { status } = spawnSync(process.execPath, ['tools/compiler/tsc.mjs', '-p', file], { stdio: 'inherit' });
process.exit(status ?? 1);
