#!/usr/bin/env node
// The command line of a checkout: installs and builds what is missing, then runs what was built. It is a file of the repository
// because npm links a `bin` before anything is built.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
for (const step of ['tools/ensure-installed.mjs', 'tools/ensure-built.mjs']) {
  const { status } = spawnSync(process.execPath, [step], { cwd: ROOT, stdio: ['inherit', 2, 2] });
  if (status !== 0) process.exit(2);
}
const { readDotenv } = await import('../../../tools/read-dotenv.mjs');
readDotenv();
await import('../dist/main.js');
