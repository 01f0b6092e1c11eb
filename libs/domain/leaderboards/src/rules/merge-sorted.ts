import type { StandingSlots } from './standing-slots.ts';

/** Merges two lists of slots, each in the order of the board. */
export function mergeSorted(standings: StandingSlots, a: Uint32Array, b: Uint32Array): Uint32Array<ArrayBuffer> {
  const merged = new Uint32Array(a.length + b.length);
  for (let i = 0, j = 0, k = 0; k < merged.length; k++) {
    const left = a[i];
    const right = b[j];
    const takeLeft = right === undefined || (left !== undefined && standings.compare(left, right) <= 0);
    if (takeLeft) i++;
    else j++;
    merged[k] = (takeLeft ? left : right) as number;
  }
  return merged;
}
