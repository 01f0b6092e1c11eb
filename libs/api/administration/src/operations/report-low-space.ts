import { describeLowSpace, type CancelTimer, type Clock } from '@laurel/ports';
import type { StorageStatus } from '@laurel/schemas';
import type { Health, Logger } from '@laurel/runtime';

/** Interval of disk checks, in addition to those for `/readyz`. */
const LOOK_EVERY_MS = 60_000;

/**
 * Shows in `/readyz` that the disk is filling up, and logs it each time that this begins.
 * @returns a function that stops the checks
 */
export function reportLowSpace(
  storage: { readonly latest: StorageStatus | null },
  health: Pick<Health, 'note'>,
  logger: Pick<Logger, 'warn'>,
  clock: Pick<Clock, 'after'>,
): () => void {
  let wasLow = false;
  const note = (): string | null => {
    const { latest } = storage;
    const text = latest === null ? null : lowSpaceNote(latest);
    if (text !== null && !wasLow) logger.warn(text);
    wasLow = text !== null;
    return text;
  };
  let cancel: CancelTimer = () => undefined;
  const look = (): void => {
    note();
    cancel = clock.after(LOOK_EVERY_MS, look);
  };
  look();
  health.note('disk', note);
  return () => cancel();
}

const lowSpaceNote = ({ low, freeBytes, totalBytes }: StorageStatus): string | null =>
  low && freeBytes !== null && totalBytes !== null ? describeLowSpace({ freeBytes, totalBytes }) : null;
