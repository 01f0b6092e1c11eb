import { randomFillSync } from 'node:crypto';
import type { Instant } from '@laurel/calendar';
import { v7 as uuidv7 } from 'uuid';

const BYTES = 16;
const pool = new Uint8Array(256 * BYTES);
let used = pool.length;

/** A UUID v7 of this instant. Random bytes are drawn for 256 ids at a time, because a draw costs more than the rest. */
export function newEventId(at: Instant): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  return uuidv7({ msecs: at, random: pool.subarray(used, (used += BYTES)) });
}
