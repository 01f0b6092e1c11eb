import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { builtProgram } from '@laurel/testing/built';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

export interface StandaloneProcess {
  readonly process: ChildProcess;
  /** Everything it has printed so far. */
  readonly printed: () => string;
  readonly banner: string;
  readonly url: string;
  /** The exit code, or the name of the signal that ended it. */
  readonly ended: Promise<number | string>;
}

/**
 * Starts the standalone service in a separate process. Resolves with its banner. @throws Error with its output if it
 * ends first.
 */
export async function startProcess(
  environment: Readonly<Record<string, string>>,
  cwd: string = ROOT,
): Promise<StandaloneProcess> {
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('LAUREL_') && name !== 'NODE_OPTIONS'),
  );
  const child = spawn(process.execPath, ['--no-warnings', builtProgram('standalone')], {
    cwd,
    env: { ...inherited, LAUREL_PORT: '0', LAUREL_LOG_LEVEL: 'warn', ...environment },
  });
  let printed = '';
  child.stdout.on('data', (chunk) => (printed += String(chunk)));
  child.stderr.on('data', (chunk) => (printed += String(chunk)));
  const ended = once(child, 'exit').then(([code, signal]) => (code ?? signal) as number | string);
  while (!/^curl .*\n/m.test(printed)) {
    const outcome = await Promise.race([once(child.stdout, 'data').then(() => null), ended]);
    if (outcome !== null) throw new Error(printed);
  }
  const url = /http:\/\/\S+/.exec(printed)?.[0] ?? '';
  return { process: child, printed: () => printed, banner: printed, url, ended };
}
