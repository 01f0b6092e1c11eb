import { besideBefore } from '../frame/beside.mjs';
import { CANDIDATES, Candidates, available, readV1 } from '../frame/candidates.mjs';
import { checkAnswers } from '../frame/check-answers.mjs';
import { startLoad } from '../frame/load.mjs';
import { shoot, summary } from '../frame/shoot.mjs';
import { median } from '../frame/surroundings.mjs';
import { tune } from './tune.mjs';

const USERS_LOOKED_AT = 100;

/**
 * Single events over HTTP with their whole answers: all candidates side by side, round by round, every other round beginning with the
 * last one. Nothing is measured before all of them have given the same answers.
 */
export async function events(options) {
  const { connections: levels, rounds, seconds, users, warmUp, checkEvents } = options;
  const names = available(options.candidates);
  await checkAnswers(names, { events: checkEvents });
  const pools = options.pools ?? (await tune(options)).chosen;
  const candidates = new Candidates();
  const load = startLoad();
  try {
    const running = [];
    for (const name of names) {
      const candidate = await candidates.start(name, { poolSize: pools[name]?.poolSize });
      running.push({ ...candidate, answered: {}, shots: new Map(levels.map((connections) => [connections, []])) });
    }
    for (const candidate of running) await shootAndCount(load, candidate, { connections: 64, users, count: warmUp });
    for (let round = 0; round < rounds; round++)
      for (const connections of levels)
        for (const candidate of round % 2 === 0 ? running : running.toReversed())
          candidate.shots.get(connections).push(await shootAndCount(load, candidate, { connections, users, seconds }));
    for (const candidate of running) await nothingIsLost(candidate, users);
    return {
      rounds,
      seconds,
      users,
      warmUp,
      pools,
      levels: levels.map((connections) => ({
        connections,
        ...ratiosTo('before', running, connections),
        ...besideBefore(cpuByName(running, connections)),
        candidates: running.map(({ name, title, shots }) => ({ name, title, ...summary(shots.get(connections)) })),
      })),
    };
  } finally {
    load.close();
    await candidates.close();
  }
}

/** Laurel's rate by that of another in each round, and their median; nothing if one of them is not measured. */
function ratiosTo(other, running, connections) {
  const [laurel, before] = ['laurel', other].map((name) => running.find((one) => one.name === name));
  if (laurel === undefined || before === undefined) return {};
  const rates = [laurel, before].map(({ shots }) => shots.get(connections).map(({ rate }) => rate));
  const ratios = rates[0].map((rate, round) => Number((rate / rates[1][round]).toFixed(3)));
  console.log(
    `${connections} connections, Laurel to ${before.title}: median ${median(ratios)} of ${ratios.length} rounds (${ratios.join(', ')})`,
  );
  return { ratios, ratio: median(ratios) };
}

/** µs of Node and the database for an event, by candidate and round. */
const cpuByName = (running, connections) =>
  new Map(
    running.map(({ name, shots }) => [
      name,
      shots.get(connections).map(({ cpu }) => cpu && Number((cpu.node + cpu.database).toPrecision(4))),
    ]),
  );

/** Load on a candidate, and what was answered is added up. */
async function shootAndCount(load, candidate, order) {
  const { lessons, ...shot } = await shoot(load, candidate, order);
  const { answered } = candidate;
  for (const [user, sum] of Object.entries(lessons)) answered[user] = (answered[user] ?? 0) + sum;
  return shot;
}

/** @throws {Error} if the totals of some users are not the sums of what was answered */
async function nothingIsLost({ name, url, answered }, users) {
  const step = Math.max(1, Math.floor(users / USERS_LOOKED_AT));
  for (let user = 0; user < users; user += step) {
    if (answered[user] === undefined) continue;
    const id = `user-${user}`;
    const total = CANDIDATES[name].laurel
      ? (await readV1(url, `users/${id}/metrics/lessons`)).current
      : (await fetch(`${url}/state/${id}`).then((response) => response.json())).metrics.lessons;
    if (total !== answered[user])
      throw new Error(`${name}: ${id} has ${total} lessons, but ${answered[user]} were answered with 201`);
  }
}
