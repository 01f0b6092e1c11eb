import { API_KEY, CANDIDATES, Candidates } from '../frame/candidates.mjs';
import { startLoad } from '../frame/load.mjs';
import { median } from '../frame/surroundings.mjs';

const POOL_SIZES = [4, 8, 16, 32];
const CONNECTIONS = 64;

/** For each baseline with a pool of connections, the size of 4, 8, 16, 32 that answers most events at 64 connections. */
export async function tune({ candidates: names, rounds, seconds, users, warmUp }) {
  const load = startLoad();
  const chosen = {};
  try {
    for (const name of names.filter((name) => CANDIDATES[name].pool)) {
      const candidates = new Candidates();
      try {
        await candidates.start('laurel').then(({ stop }) => stop());
        const sized = [];
        for (const poolSize of POOL_SIZES)
          sized.push({ poolSize, ...(await candidates.start(name, { poolSize })), rates: [] });
        const shot = (candidate, extent) =>
          load.shoot({ url: candidate.url, apiKey: API_KEY, connections: CONNECTIONS, users, ...extent });
        for (const candidate of sized) await shot(candidate, { count: warmUp });
        for (let round = 0; round < rounds; round++)
          for (const candidate of sized) {
            const { count, seconds: passed } = await shot(candidate, { seconds });
            candidate.rates.push(count / passed);
          }
        const rates = new Map(sized.map(({ poolSize, rates }) => [poolSize, Math.round(median(rates))]));
        const [best] = [...rates].toSorted(([, one], [, other]) => other - one)[0];
        chosen[name] = { poolSize: best, 'events/s by size': Object.fromEntries(rates) };
        const all = [...rates].map(([size, rate]) => `${size}: ${rate}/s`).join(', ');
        console.log(`${name}: a pool of ${best} (${all})`);
      } finally {
        await candidates.close();
      }
    }
  } finally {
    load.close();
  }
  return { chosen };
}
