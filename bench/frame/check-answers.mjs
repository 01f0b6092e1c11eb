// Before anything is measured: the same sequence of requests goes to all candidates, one after the other. Every answer and what is
// known of every user in the end must be the same.
import { isDeepStrictEqual } from 'node:util';
import { Agent, request } from 'undici';
import { API_KEY, CANDIDATES, Candidates, readV1 } from './candidates.mjs';
import { sequenceOf } from './sequence.mjs';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** Fewer of something that the sequence should hold say nothing about it. */
const FEWEST = 2;

/**
 * @param {readonly string[]} names Laurel first: the others are compared with it
 * @throws {Error} with the first differences, if there are any
 */
export async function checkAnswers(names, { seed = 2, events, users = 12 }) {
  const sequence = sequenceOf({ seed, events, users });
  const candidates = new Candidates({ startsAt: sequence[0].at });
  const agent = new Agent({ connections: 16 });
  try {
    const start = async (name) => new Client(await candidates.start(name, { poolSize: 4 }), agent);
    const clients = [await start(names[0]), ...(await Promise.all(names.slice(1).map(start)))];
    const seen = { ...NOTHING };
    for (const [index, { at, ...sent }] of sequence.entries()) {
      candidates.setClock(at);
      const answers = await Promise.all(clients.map((client) => client.post(sent)));
      compare(`event ${index + 1} (${JSON.stringify({ at: new Date(at), ...sent })})`, names, answers);
      note(seen, answers[0].body);
    }
    await checkTogether(names, clients);
    for (const user of new Set(sequence.map(({ body }) => body.user.id))) {
      const states = await Promise.all(clients.map((client) => client.state(user)));
      compare(`what is known of ${user}`, names, states);
    }
    for (const bad of REFUSED) {
      const statuses = await Promise.all(clients.map((client) => client.refused(bad)));
      compare(`a request that is refused (${JSON.stringify(bad)})`, names, statuses);
    }
    for (const [what, count] of Object.entries(seen))
      if (count < FEWEST) throw new Error(`the sequence is too short to say anything: ${what} ${count}`);
    return { events, users, seen };
  } finally {
    await agent.close();
    await candidates.close();
  }
}

/**
 * Requests that come together: of those with one key exactly one counts, and nothing is lost. In which order they are taken is open,
 * so only what does not depend on it is compared.
 */
async function checkTogether(names, clients) {
  const sent = Array.from({ length: 48 }, (_, index) => ({
    metric: 'lessons',
    key: `together-${index % 16}`,
    body: { user: { id: `together-${index % 2}`, tz: 'Europe/Berlin' }, value: 1 },
  }));
  const outcomes = await Promise.all(
    clients.map(async (client) => {
      const statuses = (await Promise.all(sent.map((one) => client.post(one)))).map(({ status }) => status);
      const { metrics, points, awards, achievements } = await client.state('together-1');
      return { recorded: statuses.filter((status) => status === 201).length, metrics, points, awards, achievements };
    }),
  );
  if (outcomes[0].recorded !== 16) throw new Error(`${outcomes[0].recorded} of 48 requests with 16 keys were recorded`);
  compare('requests that come together', names, outcomes);
}

/** Laurel shows the newest, and no more. */
const AWARDS_SHOWN = 100;

const REFUSED = [
  { metric: 'nothing', body: { user: { id: 'a' }, value: 1 } },
  { metric: 'lessons', body: { user: { id: 'a' }, value: 'x' } },
  { metric: 'lessons', body: { user: {}, value: 1 } },
  { metric: 'lessons', body: { user: { id: 'a' }, value: 1 }, apiKey: 'not the key, but as long as one' },
  { metric: 'lessons', body: { user: { id: 'a' }, value: 1e10 } },
];

class Client {
  #candidate;
  #agent;
  /** What ids this candidate gave out, in order: they differ, but must be given and come again alike. */
  #ids = new Map();

  constructor(candidate, agent) {
    this.#candidate = candidate;
    this.#agent = agent;
  }

  async post({ metric, key, body }) {
    const { statusCode, body: answer } = await this.#send(metric, body, key);
    return { status: statusCode, body: this.#withoutIds(await answer.json()) };
  }

  async refused({ metric, body, apiKey = API_KEY }) {
    const { statusCode, body: answer } = await this.#send(metric, body, null, apiKey);
    await answer.dump();
    return statusCode;
  }

  #send(metric, body, key, apiKey = API_KEY) {
    const headers = { 'content-type': 'application/json', 'x-api-key': apiKey };
    if (key !== null) headers['idempotency-key'] = key;
    const path = `${this.#candidate.url}/api/metrics/${metric}/event`;
    return request(path, { method: 'POST', headers, body: JSON.stringify(body), dispatcher: this.#agent });
  }

  async state(user) {
    const { name, url } = this.#candidate;
    if (CANDIDATES[name].laurel) return stateInLaurel(url, user);
    const state = await fetch(`${url}/state/${user}`).then((response) => response.json());
    const awards = Object.entries(state.awards).map(([key, count]) => [key, Math.min(count, AWARDS_SHOWN)]);
    return { ...state, awards: Object.fromEntries(awards) };
  }

  #withoutIds(answer) {
    if (answer.eventId === undefined) return answer;
    const points = Object.entries(answer.points).map(([key, system]) => {
      const awards = system.awards.map((award) => ({ ...award, id: this.#placeOf('award', award.id) }));
      return [key, { ...system, awards }];
    });
    return { ...answer, eventId: this.#placeOf('event', answer.eventId), points: Object.fromEntries(points) };
  }

  #placeOf(kind, id) {
    if (!UUID.test(id)) throw new Error(`${this.#candidate.name} gave the ${kind} an id that is no UUID: ${id}`);
    if (!this.#ids.has(id)) this.#ids.set(id, this.#ids.size + 1);
    return `${kind} ${this.#ids.get(id)}`;
  }
}

async function stateInLaurel(url, user) {
  const read = (path) => readV1(url, `users/${user}/${path}`);
  const keyed = async (keys, of) =>
    Object.fromEntries(await Promise.all(keys.map(async (key) => [key, await of(key)])));
  const points = await keyed(['xp', 'gems'], (key) => read(`points/${key}?awards=${AWARDS_SHOWN}`));
  return {
    metrics: await keyed(['lessons', 'words'], async (key) => (await read(`metrics/${key}`)).current),
    streak: (await read('streak')).length,
    achievements: Object.fromEntries((await read('achievements')).map(({ key, achievedAt }) => [key, achievedAt])),
    points: await keyed(['xp', 'gems'], (key) => points[key].total),
    awards: await keyed(['xp', 'gems'], (key) => points[key].awards.length),
    boards: await keyed(['lessons', 'weekly-xp'], async (key) => {
      const { rank, value } = await read(`leaderboards/${key}`);
      return { rank, value };
    }),
  };
}

/** @throws {Error} with the fields that differ from the first one's */
function compare(what, names, [first, ...others]) {
  others.forEach((other, place) => {
    if (isDeepStrictEqual(first, other)) return;
    const fields = differences('', first, other).slice(0, 12);
    throw new Error(`${names[place + 1]} does not agree with ${names[0]} about ${what}:\n  ${fields.join('\n  ')}`);
  });
}

function differences(path, one, other) {
  if (isDeepStrictEqual(one, other)) return [];
  const areObjects = [one, other].every((value) => typeof value === 'object' && value !== null);
  if (!areObjects) return [`${path || 'all of it'}: ${JSON.stringify(one)}, not ${JSON.stringify(other)}`];
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].flatMap((name) => differences(path ? `${path}.${name}` : name, one[name], other[name]));
}

const NOTHING = {
  ...{ first: 0, ten: 0, wordy: 0, week: 0, scholar: 0 },
  ...{ streaks: 0, awards: 0, 'awards cut to nothing': 0, levels: 0, replays: 0, 'rank changes': 0 },
};

/** What the sequence has covered. */
function note(seen, { achievements, points, leaderboards, currentStreak, idempotentReplayed }) {
  for (const { key } of achievements) seen[key]++;
  if (currentStreak.extended && currentStreak.length === 1) seen.streaks++;
  if (idempotentReplayed) seen.replays++;
  for (const system of Object.values(points)) {
    seen.awards += system.awards.length;
    if (system.level !== undefined) seen.levels++;
    if (!idempotentReplayed && system.added === 0) seen['awards cut to nothing']++;
  }
  for (const { previousRank, rank } of Object.values(leaderboards)) if (previousRank !== rank) seen['rank changes']++;
}
