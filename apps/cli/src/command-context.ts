import type { Clock } from '@laurel/ports';
import { createClock } from '@laurel/runtime/surroundings';

/** A destination of text; `isTTY` if it is a terminal. */
export type TextStream = NodeJS.WritableStream & { readonly isTTY?: boolean };

/** The process as its commands see it. Results go to `stdout`, all other text to `stderr`. */
export interface Surroundings {
  /** The environment, by name. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** The machine's clock, for waiting and for durations; recorded instants never come from it. */
  readonly clock: Clock;
  readonly stdout: TextStream;
  readonly stderr: TextStream;
  /** Aborted by Ctrl-C, or with an {@link OutputClosedError}: the command then cleans up and ends. */
  readonly interrupted: AbortSignal;
}

export interface CommandContext extends Surroundings {
  /** Sets the exit code of a completed command whose answer is no. */
  readonly setExitCode: (code: number) => void;
}

/** The reader of the output has closed it (`| head`). */
export class OutputClosedError extends Error {}

/** A second signal within this time is the same key press: npm forwards the signal that the terminal sends to the whole group. */
const SAME_PRESS_MS = 500;

/** The exit code that a shell reports for a program that writes to a closed pipe. */
export const OUTPUT_CLOSED = 141;

/** The time for a command to delete what it has created at the service. */
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

/** From now on a closed output stops the running command like Ctrl-C. Other failures of the output end the process. */
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
