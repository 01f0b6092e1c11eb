import { API_KEY, Candidates } from '../frame/candidates.mjs';
import { startLoad } from '../frame/load.mjs';
import { shoot, summary } from '../frame/shoot.mjs';
import { startWatchers } from '../frame/watchers.mjs';

const CONNECTIONS = 64;
/** As many as a process lets watch. */
const WATCHERS = 32;

/** What the console costs those who record: without one, with one that nobody uses, and with as many watchers as there may be. */
export async function watchers({ rounds, seconds, users, warmUp }) {
  const candidates = new Candidates();
  const load = startLoad();
  const watching = startWatchers();
  try {
    const without = await candidates.start('laurel', { environment: { LAUREL_CONSOLE: 'off' } });
    const own = await candidates.start('laurel');
    const kinds = [
      { title: 'LAUREL_CONSOLE=off', running: without, watchers: 0, shots: [] },
      { title: 'nobody watches', running: own, watchers: 0, shots: [] },
      { title: `${WATCHERS} watch`, running: own, watchers: WATCHERS, shots: [] },
    ];
    for (const running of [without, own])
      await shoot(load, running, { connections: CONNECTIONS, users, count: warmUp });
    const messages = [];
    for (let round = 0; round < rounds; round++)
      for (const { running, watchers: count, shots } of kinds) {
        if (count > 0) await watching.watch({ url: running.url, apiKey: API_KEY, count });
        shots.push(await shoot(load, running, { connections: CONNECTIONS, users, seconds }));
        if (count > 0) messages.push((await watching.leave()).messages);
      }
    return {
      ...{ rounds, seconds, users, warmUp, connections: CONNECTIONS, watchers: WATCHERS },
      /** The fewest that a watcher got in a round. */
      messages: Math.min(...messages),
      kinds: kinds.map(({ title, shots }) => ({ title, ...summary(shots) })),
    };
  } finally {
    load.close();
    watching.close();
    await candidates.close();
  }
}
