import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { builtProgram } from '@laurel/testing/built';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

type Variables = Readonly<Record<string, string>>;

function start(app: 'cli' | 'standalone', words: readonly string[], variables: Variables): ChildProcess {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(LAUREL_|NODE_OPTIONS$)/.test(name));
  return spawn(process.execPath, ['--no-warnings', builtProgram(app), ...words], {
    cwd: ROOT,
    env: { ...Object.fromEntries(inherited), LAUREL_LOG_LEVEL: 'warn', ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

export interface ServiceProcess {
  readonly url: string;
  /** Its output until it was ready. */
  readonly banner: string;
  /** Ends it gracefully, and returns its exit code. */
  stop(): Promise<unknown>;
}

/** Starts the real service in a separate process. @throws Error with its output if it ends before it is ready. */
export async function startServiceProcess(variables: Variables): Promise<ServiceProcess> {
  const child = start('standalone', [], { LAUREL_PORT: '0', ...variables });
  const printed = collect(child);
  const ended = once(child, 'exit').then(([code, signal]) => (code ?? signal) as unknown);
  while (!/^curl .*\n/m.test(printed.stdout())) {
    const outcome = await Promise.race([once(child.stdout ?? child, 'data').then(() => null), ended]);
    if (outcome !== null) throw new Error(printed.stdout() + printed.stderr());
  }
  return {
    url: /http:\/\/\S+/.exec(printed.stdout())?.[0] ?? '',
    banner: printed.stdout(),
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

export interface Ended {
  readonly exitCode: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command line in a separate process. */
export interface LaurelProcess {
  readonly ended: Promise<Ended>;
  readonly stderr: () => string;
  /** Sends Ctrl-C. */
  interrupt(): void;
  /** Stops reading its output, as `| head` does. */
  closeOutput(): void;
  /** Sends SIGKILL. */
  kill(): void;
  /** Sends SIGKILL as soon as the output matches. */
  killOnce(isSo: (stdout: string) => boolean): void;
}

export function startLaurel(words: readonly string[], variables: Variables): LaurelProcess {
  const child = start('cli', words, variables);
  const printed = collect(child);
  return {
    ended: endOf(child, printed),
    stderr: printed.stderr,
    interrupt: () => void child.kill('SIGINT'),
    closeOutput: () => void child.stdout?.destroy(),
    kill: () => void child.kill('SIGKILL'),
    killOnce: (isSo) => void child.stdout?.on('data', () => isSo(printed.stdout()) && child.kill('SIGKILL')),
  };
}

/**
 * Starts the real service, expecting it to end by itself, and returns its output. A service that starts to serve is
 * ended.
 */
export function runStandalone(variables: Variables): Promise<Ended> {
  const child = start('standalone', [], variables);
  child.stdout?.on('data', (text) => /^curl /m.test(String(text)) && child.kill('SIGTERM'));
  return endOf(child, collect(child));
}

const endOf = async (child: ChildProcess, printed: ReturnType<typeof collect>): Promise<Ended> => {
  const [code, signal] = await once(child, 'close');
  return {
    exitCode: (code ?? signal) as number | string,
    stdout: printed.stdout(),
    stderr: printed.stderr(),
  };
};

function collect(child: ChildProcess) {
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text) => (stdout += String(text)));
  child.stderr?.setEncoding('utf8').on('data', (text) => (stderr += String(text)));
  return { stdout: () => stdout, stderr: () => stderr };
}
