import { createHash } from 'node:crypto';

/** The number of the advisory lock with this name. */
export const advisoryLockOf = (name: string): string =>
  createHash('sha256').update(`laurel ${name}`).digest().readBigInt64BE().toString();
