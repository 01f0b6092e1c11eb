import type { Subject } from '@laurel/contracts';
import { hash } from 'node:crypto';

/** A subject for a test's user, the same for the same name. */
export const subjectOf = (name: string): Subject =>
  (Number.parseInt(hash('sha256', name, 'hex').slice(0, 12), 16) % (2 ** 52 - 1)) + 1;
