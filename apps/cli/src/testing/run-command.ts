import { Writable } from 'node:stream';
import type { Clock } from '@laurel/ports';
import { createClock } from '@laurel/runtime';
import type { Surroundings } from '../command-context.ts';
import { runLaurel } from '../program.ts';

export interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The pauses of the command in milliseconds, in order. */
  readonly waitedMs: readonly number[];
}

export interface RunOptions {
  readonly variables?: Readonly<Record<string, string>>;
  readonly interrupted?: AbortSignal;
  /** The limits of requests run out at once. */
  readonly late?: boolean;
}

/** How long a command waits for an answer, for one that waits itself, and an import. These are never reached; any other delay is over at once. */
const LIMITS_MS: ReadonlySet<number> = new Set([30_000, 65_000, 300_000]);

/** Carries out a command line within this process, with a clock that does not let it wait. */
export async function runCommand(words: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const stdout = memory();
  const stderr = memory();
  const waitedMs: number[] = [];
  const surroundings: Surroundings = {
    variables: options.variables ?? {},
    clock: impatientClock(waitedMs, options.late ?? false),
    stdout: stdout.stream,
    stderr: stderr.stream,
    interrupted: options.interrupted ?? new AbortController().signal,
  };
  const exitCode = await runLaurel(words, surroundings);
  return { exitCode, stdout: stdout.text(), stderr: stderr.text(), waitedMs };
}

/** A stream that keeps what is written to it. */
export function memory(): { readonly stream: Writable; readonly text: () => string } {
  let text = '';
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk: string, _encoding, done) => {
      text += chunk;
      done();
    },
  });
  return { stream, text: () => text };
}

function impatientClock(waitedMs: number[], late: boolean): Clock {
  const system = createClock({ type: 'system' });
  return {
    ...system,
    after: (delayMs, task) => {
      const isLimit = LIMITS_MS.has(delayMs);
      if (!isLimit) waitedMs.push(delayMs);
      return isLimit && !late ? () => undefined : system.after(0, task);
    },
  };
}
