import { CANDIDATES } from '../frame/candidates.mjs';
import { events } from './events.mjs';

/**
 * Laurel beside an earlier commit of itself, in turns: what the changes since then cost in throughput. A row replaces the one of the same
 * commit and number of connections, and the others stay.
 */
export async function versions(options, previous) {
  const { where, connections } = options;
  const { rounds, seconds, users, warmUp, levels } = await events({ ...options, candidates: ['laurel', 'before'] });
  const { title } = CANDIDATES.before;
  const rows = levels.map((level) => ({ title, ...where, rounds, seconds, users, warmUp, ...level }));
  const isKept = (row) => row.title !== title || !connections.includes(row.connections);
  return { rows: [...(previous?.rows.filter(isKept) ?? []), ...rows] };
}
