import { CANDIDATES } from './candidates.mjs';
import { median } from './surroundings.mjs';

/**
 * What an event costs Laurel, beside the commit that it is compared with.
 *
 * @typedef {object} Beside
 * @property {string} title of the other
 * @property {number} laurel µs of CPU for an event, the median of the rounds
 * @property {number} before the same of the other
 * @property {readonly number[]} ratios Laurel's CPU for an event divided by that of the other, by round
 * @property {number} ratio their median
 *
 * @param {ReadonlyMap<string, readonly (number | null)[]>} cpu by candidate: µs for an event, by round
 * @returns {{ beside?: Beside }} nothing if one of them was not measured, or where CPU time is not known
 */
export function besideBefore(cpu) {
  const [laurel, before] = ['laurel', 'before'].map((name) => cpu.get(name));
  if (laurel === undefined || before === undefined || [...laurel, ...before].includes(null)) return {};
  const ratios = laurel.map((one, round) => Number((one / before[round]).toFixed(3)));
  const { title } = CANDIDATES.before;
  console.log(`CPU, Laurel to ${title}: median ${median(ratios)} of ${ratios.length} rounds (${ratios.join(', ')})`);
  const rounded = (values) => Number(median(values).toPrecision(3));
  return { beside: { title, laurel: rounded(laurel), before: rounded(before), ratios, ratio: median(ratios) } };
}
