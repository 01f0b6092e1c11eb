import { describeLowSpace, type StorageStatus } from '@laurel/contracts';
import type { Health, Logger } from '@laurel/runtime';

/** Notes in `/readyz` that the disk fills up, for as long as it does, and logs it each time that it begins to. */
export function reportLowSpace(
  storage: { readonly latest: StorageStatus | null },
  health: Pick<Health, 'note'>,
  logger: Pick<Logger, 'warn'>,
): void {
  let wasLow = false;
  const note = (): string | null => {
    const { latest } = storage;
    const text = latest === null ? null : lowSpaceNote(latest);
    if (text !== null && !wasLow) logger.warn(text);
    wasLow = text !== null;
    return text;
  };
  note();
  health.note('disk', note);
}

const lowSpaceNote = ({ low, freeBytes, totalBytes }: StorageStatus): string | null =>
  low && freeBytes !== null && totalBytes !== null ? describeLowSpace({ freeBytes, totalBytes }) : null;
