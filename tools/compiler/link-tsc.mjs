// Makes `npx tsc` the compiler of this repository. npm would link the older compiler, which is installed for tools that
// need its API; the two would then take turns, and each would build everything again. npm runs this after every
// installation.
import { existsSync, rmSync, symlinkSync } from 'node:fs';

const BIN = 'node_modules/.bin';

// On Windows commands are not links, and the older compiler is good enough.
if (process.platform !== 'win32' && existsSync(BIN)) {
  rmSync(`${BIN}/tsc`, { force: true });
  symlinkSync('../../tools/compiler/tsc.mjs', `${BIN}/tsc`);
}
