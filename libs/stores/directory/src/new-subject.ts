import type { Subject } from '@laurel/kernel';
import { randomBytes } from 'node:crypto';

/** Random, not sequential: a directory that is recreated after a loss must not assign a number a second time. */
export function newSubject(): Subject {
  for (;;) {
    const subject = Number(randomBytes(8).readBigUInt64BE() >> 12n);
    if (subject > 0) return subject;
  }
}

export const newDataKey = (): Buffer => randomBytes(32);
