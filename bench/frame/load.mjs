// The load, in a process of its own, so that its CPU time is counted apart from what is measured. Started by `startLoad`.
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';

const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Sydney'];
const THIS_FILE = fileURLToPath(import.meta.url);

/**
 * @typedef {object} Shot
 * @property {number} count events answered with 201
 * @property {number} seconds
 * @property {number} p50 in ms
 * @property {number} p99 in ms
 * @property {number} cpuMs of this process
 * @property {number} pending answers that say so of something; always 0 without `mayBePending`
 * @property {Record<string, number>} lessons sum of the answered values, by user
 */

export function startLoad() {
  const child = fork(THIS_FILE, ['--as-load'], { stdio: 'inherit' });
  let answered = () => undefined;
  child.on('message', (answer) => answered(answer));
  child.on('exit', () => answered({ error: 'the load has ended' }));
  return {
    /**
     * @param {{ url: string, apiKey: string, connections: number, users: number, step?: number, seconds?: number, count?: number, mayBePending?: boolean, zone?: string, onlyLessons?: boolean }} order
     * users 0, `step`, 2 × `step` … (by default each number);
     * until `seconds` have passed, or `count` events were sent; with `count` each user comes in turn; `zone`: of all users,
     * by default they live in four
     * @returns {Promise<Shot>}
     */
    shoot: async (order) => {
      child.send(order);
      const answer = await new Promise((resolve) => (answered = resolve));
      if (answer.error !== undefined) throw new Error(`${order.url}: ${answer.error}`);
      return answer;
    },
    close: () => child.disconnect(),
  };
}

if (process.argv[2] === '--as-load')
  process.on('message', (order) =>
    shoot(order).then(
      (shot) => process.send(shot),
      (error) => process.send({ error: error.message }),
    ),
  );

async function shoot({ url, apiKey, connections, users, step = 1, seconds, count, mayBePending = false, ...what }) {
  const pool = new Pool(url, { connections, pipelining: 1 });
  const latencies = [];
  const lessons = {};
  let sent = 0;
  let pending = 0;
  const began = performance.now();
  const cpu = process.cpuUsage();
  const goesOn = (now) => (count === undefined ? now - began < seconds * 1_000 : sent < count);

  async function caller() {
    for (let now = performance.now(); goesOn(now); now = performance.now()) {
      const user = step * (count === undefined ? Math.floor(Math.random() * users) : sent % users);
      sent++;
      // Three of ten report words.
      const isWords = !what.onlyLessons && Math.random() < 0.3;
      const value = isWords ? 1 + Math.floor(Math.random() * 200) : 1;
      const isPending = await post(pool, apiKey, isWords ? 'words' : 'lessons', user, value, what.zone);
      if (isPending && !mayBePending) throw new Error(`an answer of user-${user} is pending`);
      if (isPending) pending++;
      latencies.push(performance.now() - now);
      if (!isWords) lessons[user] = (lessons[user] ?? 0) + 1;
    }
  }
  await Promise.all(Array.from({ length: connections }, caller));
  const passed = (performance.now() - began) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  await pool.close();
  latencies.sort((a, b) => a - b);
  const at = (share) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))];
  return {
    count: sent,
    seconds: passed,
    p50: at(0.5),
    p99: at(0.99),
    cpuMs: (user + system) / 1_000,
    pending,
    lessons,
  };
}

/** As lean as it goes, because the load shares the cores with what is measured. Resolves to whether the answer is pending. */
function post(pool, apiKey, metric, user, value, tz = ZONES[user % ZONES.length]) {
  const { promise, resolve, reject } = Promise.withResolvers?.() ?? withResolvers();
  const headers = { 'content-type': 'application/json', 'x-api-key': apiKey, 'idempotency-key': randomUUID() };
  const body = `{"user":{"id":"user-${user}","tz":"${tz}"},"value":${value}}`;
  let status = 0;
  let text = '';
  pool.dispatch(
    { path: `/api/metrics/${metric}/event`, method: 'POST', headers, body },
    {
      onRequestStart() {},
      onResponseStart: (_, statusCode) => (status = statusCode),
      onResponseData: (_, chunk) => (text += chunk.latin1Slice()),
      onResponseEnd: () =>
        status === 201 ? resolve(text.includes('"pending"')) : reject(new Error(`${status} ${text}`)),
      onResponseError: (_, error) => reject(error),
    },
  );
  return promise;
}

function withResolvers() {
  const resolvers = {};
  resolvers.promise = new Promise((resolve, reject) => Object.assign(resolvers, { resolve, reject }));
  return resolvers;
}
