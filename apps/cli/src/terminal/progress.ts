import cliProgress from 'cli-progress';
import type { Clock } from '@laurel/ports';
import type { TextStream } from '../command-context.ts';

/** The progress of an operation: a share from 0 to 1, and a text. */
export interface Progress {
  update(share: number, text: string): void;
  stop(): void;
}

const LINE_EVERY_MS = 2_000;
const STEPS = 1_000;

/**
 * A bar on a terminal, otherwise a line every two seconds. For the standard error, because results go to the standard
 * output.
 */
export const showProgress = (stream: TextStream, clock: Clock): Progress =>
  stream.isTTY ? bar(stream) : lines(stream, clock);

/** Appears with the first update, so that an earlier error stands alone. */
function bar(stream: TextStream): Progress {
  const format = '{bar} {percentage}% | {text}';
  const single = new cliProgress.SingleBar(
    { stream, format, hideCursor: true, clearOnComplete: false },
    cliProgress.Presets.shades_classic,
  );
  return {
    update: (share, text) => {
      if (!single.isActive) single.start(STEPS, 0, { text });
      single.update(Math.floor(share * STEPS), { text });
    },
    stop: () => {
      if (single.isActive) single.stop();
    },
  };
}

function lines(stream: TextStream, clock: Clock): Progress {
  let lastMs = clock.elapsedMs();
  return {
    update: (share, text) => {
      if (clock.elapsedMs() - lastMs < LINE_EVERY_MS) return;
      lastMs = clock.elapsedMs();
      stream.write(`${Math.floor(share * 100)}%: ${text}\n`);
    },
    stop: () => undefined,
  };
}

/** A duration for people, such as `42s` or `3m 5s`. */
export function duration(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m ${seconds % 60}s`;
}
