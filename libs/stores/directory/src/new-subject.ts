import type { Subject } from '@laurel/kernel';
import { randomBytes } from 'node:crypto';

/** Random, not counted: a directory that was lost and begun anew must not hand numbers out a second time. */
export function newSubject(): Subject {
  for (;;) {
    const subject = Number(randomBytes(8).readBigUInt64BE() >> 12n);
    if (subject > 0) return subject;
  }
}

export const newDataKey = (): Buffer => randomBytes(32);
