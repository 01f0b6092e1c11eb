import { API_KEY } from './candidates.mjs';
import { cpuOf } from './cpu.mjs';
import { median } from './surroundings.mjs';

const MICROSECONDS = 1_000;

/**
 * Load on a candidate.
 *
 * @param {{ url: string, pid: number }} candidate
 * @param {object} order what `startLoad` takes beside url and key
 * @returns the shot, with its rate and what each process took for an event, in µs of CPU
 */
export async function shoot(load, { url, pid }, order) {
  const before = cpuOf(pid);
  const shot = await load.shoot({ url, apiKey: API_KEY, ...order });
  const after = cpuOf(pid);
  const perEvent = (ms) => (ms * MICROSECONDS) / shot.count;
  return {
    ...shot,
    rate: shot.count / shot.seconds,
    cpu: before && { node: perEvent(after.node - before.node), database: perEvent(after.database - before.database) },
    load: perEvent(shot.cpuMs),
  };
}

/** The medians of shots, and the rate of each. */
export function summary(shots) {
  const of = (read) => median(shots.map(read));
  const rounded = (value) => Number(value.toPrecision(3));
  return {
    rate: rounded(of(({ rate }) => rate)),
    p50: rounded(of(({ p50 }) => p50)),
    p99: rounded(of(({ p99 }) => p99)),
    nodeMicroseconds: shots[0].cpu && rounded(of(({ cpu }) => cpu.node)),
    databaseMicroseconds: shots[0].cpu && rounded(of(({ cpu }) => cpu.database)),
    loadMicroseconds: rounded(of(({ load }) => load)),
    rates: shots.map(({ rate }) => rounded(rate)),
  };
}
