import { createHash, randomUUID } from 'node:crypto';
import { runningTest } from './running-test.ts';
import { seedOf } from './seed-of.ts';

/** Number of UUIDs that each test has taken. */
const taken = new Map<string, number>();

/** A separate server may still have ids of an earlier run. */
const isOnGivenServer = process.env['LAUREL_TEST_URL'] !== undefined;

/** A UUID that no other test and no earlier call has, the same in each run with the same `LAUREL_TEST_SEED`. */
export function newUuid(): string {
  if (isOnGivenServer) return randomUUID();
  const key = JSON.stringify(runningTest());
  const count = taken.get(key) ?? 0;
  taken.set(key, count + 1);
  const digits = createHash('sha256')
    .update(`${seedOf(key)} ${count}`)
    .digest('hex');
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
}
