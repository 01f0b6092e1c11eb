import { API_KEY, Candidates, CONFIGURATION } from '../frame/candidates.mjs';
import { startLoad } from '../frame/load.mjs';
import { profile, profiled } from '../frame/profile.mjs';
import { shoot, summary } from '../frame/shoot.mjs';
import { median } from '../frame/surroundings.mjs';

const CONNECTIONS = 64;
const OUTCOMES_AT_A_TIME = 1_000;
/** For outcomes of the last events, which are made a moment later. */
const CATCH_UP_MS = 3_000;
/** Taken after the rounds, because profiling slows the process. */
const PROFILED_SECONDS = 15;

const STREAKS = ['started', 'extended', 'lost', 'freeze_consumed', 'freeze_earned', 'at_risk'];
const NAMED = ['achievement.completed', ...STREAKS.map((name) => `streak.${name}`), 'points.level_changed'];

const KINDS = [
  { title: 'none', configuration: CONFIGURATION },
  { title: 'completions, streaks, levels', configuration: naming(JSON.stringify(NAMED)) },
  { title: 'all', configuration: naming('all') },
];

/** What outcomes cost those who record, and where: with no type named, with those that few events have, with all. */
export async function outgoing({ rounds, seconds, users, warmUp }) {
  const load = startLoad();
  const candidates = KINDS.map(({ configuration }) => new Candidates({ configuration }));
  try {
    const kinds = [];
    for (const [index, { title }] of KINDS.entries()) {
      const folder = candidates[index].newFolder('laurel');
      const running = await candidates[index].start('laurel', { folder, environment: profiled(folder) });
      await shoot(load, running, { connections: CONNECTIONS, users, count: warmUp });
      kinds.push({ title, running, cursor: await outcomesBehind(running, null), shots: [], made: [] });
    }
    for (let round = 0; round < rounds; round++)
      for (const kind of kinds) {
        const shot = await shoot(load, kind.running, { connections: CONNECTIONS, users, seconds });
        kind.shots.push(shot);
        const made = await outcomesBehind(kind.running, kind.cursor.cursor);
        kind.cursor = await outcomesBehind(kind.running, made.cursor, CATCH_UP_MS);
        kind.made.push({
          perEvent: (made.count + kind.cursor.count) / shot.count,
          late: kind.cursor.count / Math.max(1, made.count + kind.cursor.count),
        });
        console.log(`round ${round + 1}, ${kind.title}: ${shot.rate.toFixed(0)} events/s`);
      }
    const profiles = [];
    for (const { running } of kinds)
      profiles.push(
        await profile(running, running.folder, () =>
          shoot(load, running, { connections: CONNECTIONS, users, seconds: PROFILED_SECONDS }),
        ),
      );
    const [{ shots: without }] = kinds;
    return {
      ...{ rounds, seconds, users, warmUp, connections: CONNECTIONS },
      profiledSeconds: PROFILED_SECONDS,
      kinds: kinds.map(({ title, shots, made }, index) => ({
        title,
        ...summary(shots),
        /** µs of main thread time per event, by library. */
        profile: profiles[index],
        /** To no type in the same round. */
        ratios: shots.map(({ rate }, round) => Number((rate / without[round].rate).toPrecision(3))),
        outcomesPerEvent: Number(median(made.map(({ perEvent }) => perEvent)).toPrecision(3)),
        /** The share of a round's outcomes that was not made yet when its last event was answered. */
        late: Number(median(made.map(({ late }) => late)).toPrecision(2)),
      })),
    };
  } finally {
    load.close();
    await Promise.all(candidates.map((all) => all.close()));
  }
}

function naming(events) {
  return `${CONFIGURATION}outgoing: { events: ${events} }\n`;
}

/** How many there are behind a cursor, and the cursor behind them. */
async function outcomesBehind({ url }, cursor, afterMs = 0) {
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  let count = 0;
  for (let after = cursor; ;) {
    const asked = after === null ? '' : `&after=${encodeURIComponent(after)}`;
    const response = await fetch(`${url}/admin/v1/outcomes?limit=${OUTCOMES_AT_A_TIME}${asked}`, {
      headers: { 'x-api-key': API_KEY },
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`the outcomes answer ${response.status}: ${text}`);
    const lines = text.split('\n').length - 1;
    count += lines;
    after = response.headers.get('laurel-cursor') ?? after;
    if (lines < OUTCOMES_AT_A_TIME) return { count, cursor: after };
  }
}
