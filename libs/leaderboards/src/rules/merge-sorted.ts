import { compareStandings, type Standing } from './standing.ts';

/** Two sorted lists as one. */
export function mergeSorted(a: readonly Standing[], b: readonly Standing[]): Standing[] {
  const merged = new Array<Standing>(a.length + b.length);
  for (let i = 0, j = 0, k = 0; k < merged.length; k++) {
    const left = a[i];
    const right = b[j];
    const takeLeft = right === undefined || (left !== undefined && compareStandings(left, right) <= 0);
    if (takeLeft) i++;
    else j++;
    merged[k] = (takeLeft ? left : right) as Standing;
  }
  return merged;
}
