// npm run typecheck: the types of all projects, of the pure code without Node's types, and of the tests. It prints each part before it
// starts, because a part takes up to a minute in a fresh clone, and stops at the first part with errors.
import { spawnSync } from 'node:child_process';

const TSC = 'tools/compiler/tsc.mjs';
const PARTS = [
  ['all projects', ['-b']],
  ["the pure code without Node's types", ['-p', 'tsconfig.pure.json']],
  ['the tests', ['-p', 'tsconfig.test.json']],
];

const startedAt = performance.now();
for (const [name, options] of PARTS) {
  console.log(`Checking the types of ${name} ...`);
  const { status } = spawnSync(process.execPath, [TSC, ...options], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
console.log(`Types checked in ${Math.round((performance.now() - startedAt) / 1_000)} s.`);
