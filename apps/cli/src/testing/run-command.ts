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
  /** Set to let the time limits of requests expire at once. */
  readonly late?: boolean;
}

/**
 * Limits of waiting for an answer: of a usual command, of one that waits itself, and of an import. These are never
 * reached; any other delay ends at once.
 */
const LIMITS_MS: ReadonlySet<number> = new Set([30_000, 65_000, 300_000]);

/** Runs a command line in this process, with a clock that does not make it wait. */
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

/** A stream that collects what is written to it. */
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
