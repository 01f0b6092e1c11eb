import cliProgress from 'cli-progress';

export interface ImportCounts {
  sent: number;
  recorded: number;
  replayed: number;
  refused: number;
}

export interface Progress {
  update(counts: ImportCounts, share: number): void;
  stop(): void;
}

const LINE_EVERY_MS = 2_000;

/** A bar on a terminal, a plain line every two seconds otherwise; both on the standard error. `nowMs` never goes back. */
export function showProgress(stream: NodeJS.WriteStream, nowMs: () => number): Progress {
  const startedAtMs = nowMs();
  const rate = (counts: ImportCounts): number => Math.round((counts.sent / Math.max(1, nowMs() - startedAtMs)) * 1_000);
  const left = (share: number): string =>
    share === 0 ? '?' : duration(((nowMs() - startedAtMs) / share) * (1 - share));
  return stream.isTTY ? bar(stream, rate, left) : lines(stream, rate, left, nowMs);
}

type Rate = (counts: ImportCounts) => number;
type Left = (share: number) => string;

function bar(stream: NodeJS.WriteStream, rate: Rate, left: Left): Progress {
  const format = '{bar} {percentage}% | {sent} events | {rate}/s | {left} left | {refused} refused';
  const single = new cliProgress.SingleBar(
    { stream, format, hideCursor: true, clearOnComplete: false },
    cliProgress.Presets.shades_classic,
  );
  single.start(1_000, 0, { sent: 0, rate: 0, left: '?', refused: 0 });
  return {
    update: (counts, share) =>
      single.update(Math.round(share * 1_000), {
        sent: counts.sent,
        rate: rate(counts),
        left: left(share),
        refused: counts.refused,
      }),
    stop: () => single.stop(),
  };
}

function lines(stream: NodeJS.WriteStream, rate: Rate, left: Left, nowMs: () => number): Progress {
  let lastMs = nowMs();
  return {
    update: (counts, share) => {
      if (nowMs() - lastMs < LINE_EVERY_MS) return;
      lastMs = nowMs();
      stream.write(
        `${Math.round(share * 100)}%: ${counts.sent} events, ${rate(counts)}/s, ${left(share)} left, ${counts.refused} refused\n`,
      );
    },
    stop: () => undefined,
  };
}

function duration(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m ${seconds % 60}s`;
}
