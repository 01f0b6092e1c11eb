import { createHash } from 'node:crypto';

/** The number of Postgres's advisory lock for something that has a name. */
export const advisoryLockOf = (name: string): string =>
  createHash('sha256').update(`laurel ${name}`).digest().readBigInt64BE().toString();
