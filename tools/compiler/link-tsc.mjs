// Makes `npx tsc` the compiler of this repository. npm would link the older one, there for tools that need its API: then two
// compilers would take turns, and each would build everything again. npm runs this after every installation.
import { existsSync, rmSync, symlinkSync } from 'node:fs';

const BIN = 'node_modules/.bin';

// On Windows, commands are no links, and the older compiler does as well.
if (process.platform !== 'win32' && existsSync(BIN)) {
  rmSync(`${BIN}/tsc`, { force: true });
  symlinkSync('../../tools/compiler/tsc.mjs', `${BIN}/tsc`);
}
