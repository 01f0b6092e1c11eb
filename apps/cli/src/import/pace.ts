import type { Clock } from '@laurel/ports';
import { duration } from '../terminal/progress.ts';
import type { ImportCounts } from './import-events.ts';

/** The progress of an import in words: number of lines, speed, remaining time. */
export function paceText(clock: Clock): (counts: ImportCounts, share: number) => string {
  const startedAtMs = clock.elapsedMs();
  return ({ sent, refused }, share) => {
    const tookMs = clock.elapsedMs() - startedAtMs;
    const rate = Math.round((sent / Math.max(1, tookMs)) * 1_000);
    const left = share === 0 ? '?' : duration((tookMs / share) * (1 - share));
    return `${sent} events, ${rate}/s, ${left} left, ${refused} refused`;
  };
}
