import { spawn } from 'node:child_process';

/** The account of a program; null for the account of this process. */
export interface ServerAccount {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** The result of a finished program. `code` is null if a signal ended it or it could not be started. */
export interface ProgramResult {
  readonly code: number | null;
  readonly output: string;
  readonly error: Error | null;
}

/** Hides the caller's PG* variables, locale and time zone from the server. */
export const programEnvironment = (): NodeJS.ProcessEnv => ({ PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' });

export const spawnIdentity = (account: ServerAccount | null): { uid?: number; gid?: number } =>
  account === null ? {} : { uid: account.uid, gid: account.gid };

/** Runs a program to its end and collects its output. Never rejects: a failed start is in `error`. */
export function runProgram(
  command: string,
  parameters: readonly string[],
  options: {
    readonly account?: ServerAccount | null;
    readonly input?: string;
    readonly inheritedFd?: number;
    readonly folder?: string;
  } = {},
): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const child = spawn(command, parameters, {
      ...spawnIdentity(options.account ?? null),
      cwd: options.folder ?? '/',
      env: programEnvironment(),
      stdio: ['pipe', 'pipe', 'pipe', ...(options.inheritedFd === undefined ? [] : [options.inheritedFd])],
    });
    let output = '';
    const collect = (chunk: Buffer): void => void (output += chunk.toString());
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    // A program that ends without reading its input breaks the pipe; only its exit code matters.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(options.input ?? '');
    child.once('error', (error) => resolve({ code: null, output, error }));
    child.once('close', (code) => resolve({ code, output, error: null }));
  });
}
