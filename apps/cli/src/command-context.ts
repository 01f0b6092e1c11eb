import type { Clock } from '@laurel/ports';
import { createClock } from '@laurel/runtime/surroundings';

/** Where text goes; `isTTY` on a terminal. */
export type TextStream = NodeJS.WritableStream & { readonly isTTY?: boolean };

/** What a process gives its commands. Results go to `stdout`, all else to `stderr`. */
export interface Surroundings {
  /** The environment, by name. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** The machine's clock: for waiting and for durations, never for what is recorded. */
  readonly clock: Clock;
  readonly stdout: TextStream;
  readonly stderr: TextStream;
  /** Aborted by Ctrl-C, or with an {@link OutputClosedError}: the command then ends as soon as it has tidied up. */
  readonly interrupted: AbortSignal;
}

export interface CommandContext extends Surroundings {
  /** The exit code of a command that has been carried out and has a "no" to tell. */
  readonly setExitCode: (code: number) => void;
}

/** Whoever reads the output has had enough of it (`| head`). */
export class OutputClosedError extends Error {}

/** A second signal within this time is the same key press: npm hands on what the terminal has sent to the whole group. */
const SAME_PRESS_MS = 500;

/** What a shell reports of a program that writes to a closed pipe. */
export const OUTPUT_CLOSED = 141;

/** For a command that deletes at the service what it has made there. */
const LONGEST_TIDYING_MS = 10_000;

const interruption = new AbortController();

/** The surroundings of this process. */
export const PROCESS: CommandContext = {
  variables: process.env,
  clock: createClock({ type: 'system' }),
  stdout: process.stdout,
  stderr: process.stderr,
  interrupted: interruption.signal,
  setExitCode: (code) => {
    process.exitCode = code;
  },
};

/** From now on Ctrl-C asks the running command to stop; a second one ends the process at once. */
export function listenForInterrupt(): void {
  let firstAtMs: number | null = null;
  process.on('SIGINT', () => {
    firstAtMs ??= PROCESS.clock.elapsedMs();
    if (interruption.signal.aborted && PROCESS.clock.elapsedMs() - firstAtMs > SAME_PRESS_MS) process.exit(130);
    interruption.abort();
  });
}

/** From now on a command whose output nobody reads any more stops as it does for Ctrl-C. Other failures of the output end the process. */
export function watchOutput(): void {
  PROCESS.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') {
      PROCESS.stderr.write(`laurel: the output cannot be written: ${error.message}\n`);
      process.exit(2);
    }
    if (interruption.signal.reason instanceof OutputClosedError) return;
    interruption.abort(new OutputClosedError());
    PROCESS.clock.after(LONGEST_TIDYING_MS, () => process.exit(OUTPUT_CLOSED));
  });
}
