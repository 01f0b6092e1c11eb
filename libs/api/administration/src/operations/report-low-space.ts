import { describeLowSpace, type CancelTimer, type Clock } from '@laurel/ports';
import type { StorageStatus } from '@laurel/schemas';
import type { Health, Logger } from '@laurel/runtime';

/** How often the disk is looked at, also if nobody asks for `/readyz`. */
const LOOK_EVERY_MS = 60_000;

/**
 * Notes in `/readyz` that the disk fills up, for as long as it does, and logs it each time that it begins to.
 * @returns what ends the looking
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
