import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
let isBuilt = false;

/**
 * The program of an app, built if a source has changed since. A process of the built one starts with a third of the CPU time that one of
 * the sources takes.
 */
export function builtProgram(app: string): string {
  if (!isBuilt) {
    const { status, stderr } = spawnSync(process.execPath, ['tools/ensure-built.mjs'], { cwd: ROOT, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    isBuilt = true;
  }
  return `${ROOT}apps/${app}/dist/main.js`;
}
