import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const LOADER = fileURLToPath(new URL('../../../testing/src/typescript-loader.mjs', import.meta.url));
const MODULE = new URL('./uncaught-errors.ts', import.meta.url).href;

/** Runs a program that goes on for a minute unless it ends. */
function run(failure: string) {
  const program = `
    const { endOnUncaughtErrors } = await import(${JSON.stringify(MODULE)});
    endOnUncaughtErrors();
    setTimeout(() => undefined, 60_000);
    setImmediate(() => { ${failure} });`;
  const flags = ['--conditions=@laurel/source', '--import', LOADER, '--input-type=module', '--eval', program];
  const { status, stdout } = spawnSync(process.execPath, flags, {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] },
  });
  return { status, lines: stdout.trimEnd().split('\n') };
}

describe('an uncaught error', () => {
  it.each([
    ['an exception', `throw Object.assign(new Error('broken'), { code: 'E_BROKEN' })`, 'uncaughtException'],
    [
      'a rejection',
      `void Promise.reject(Object.assign(new Error('broken'), { code: 'E_BROKEN' }))`,
      'unhandledRejection',
    ],
  ])('is logged as one JSON line and ends the process with 1: %s', (_, failure, origin) => {
    const { status, lines } = run(failure);
    expect([status, lines.length]).toEqual([1, 1]);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'fatal',
      origin,
      err: { message: 'broken', code: 'E_BROKEN', stack: expect.stringContaining('Error: broken') },
    });
  });

  it('may be any thrown value', () => {
    const { status, lines } = run(`throw 'a text'`);
    expect([status, JSON.parse(lines[0] ?? '')]).toMatchObject([1, { err: 'a text' }]);
  });
});
