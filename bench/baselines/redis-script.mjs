// One Lua script for each event. `always`: the append-only file is flushed before the answer; `everysec`: within a second, so
// that a crash can lose events that were answered.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createClient } from '@redis/client';
import { localDay } from './local-day.mjs';
import { numberOf } from './millionths.mjs';
import { ACHIEVEMENTS, BOARDS, METRICS, SYSTEMS, runOf } from './product.mjs';
import { startRedis } from './start-redis.mjs';

const SCRIPT = readFileSync(new URL('record-event.lua', import.meta.url), 'utf8');
/** As many awards as one event can make. */
const MOST_AWARDS = 6;

export async function openRedisScript({ dataDir, appendfsync }) {
  const server = await startRedis({ dataDir, appendfsync });
  // Commands of the same turn of the event loop leave together.
  const client = await createClient({ socket: { path: server.socket } }).connect();
  const sha = await client.scriptLoad(SCRIPT);

  async function record({ user, metric, value, key, now }) {
    const { id, name, email, tz, attributes } = user;
    const zone = tz ?? (await client.hGet(`user:${id}`, 'tz')) ?? 'UTC';
    const keys = ['user', 'events', 'awards', 'ranks', 'days', 'keys'].map((kind) => `${kind}:${id}`);
    const values = [
      id,
      metric,
      value,
      key ?? '',
      randomUUID(),
      now,
      localDay(zone, now),
      name ?? '',
      email ?? '',
      tz ?? '',
    ];
    values.push(attributes ? JSON.stringify(attributes) : '');
    for (let award = 0; award < MOST_AWARDS; award++) values.push(randomUUID());
    const outcome = JSON.parse(await client.evalSha(sha, { keys, arguments: values.map(String) }));
    outcome.total = Number(outcome.total);
    // Lua has one kind of table: an empty list comes as {}.
    outcome.achievements = listOf(outcome.achievements);
    outcome.points = listOf(outcome.points);
    for (const points of outcome.points) points.awards = listOf(points.awards);
    outcome.boards = listOf(outcome.boards);
    return outcome;
  }

  return {
    record,
    state: (user) => stateOf(client, user),
    close: async () => {
      await client.close();
      await server.stop();
    },
  };
}

const listOf = (value) => (Array.isArray(value) ? value : []);

/** What is known of a user now, for the check that all candidates agree. */
async function stateOf(client, user) {
  const fields = await client.hGetAll(`user:${user}`);
  if (fields.created === undefined) return null;
  const today = localDay(fields.tz ?? 'UTC', Date.now());
  const number = (field) => Number(fields[field] ?? 0);
  const awards = (await client.lRange(`awards:${user}`, 0, -1)).map((award) => Number(award.split('|')[1]));
  const boards = BOARDS.map(async (key, place) => {
    const name = `board:${place}:${runOf(place, today)}`;
    const member = fields[name];
    if (member === undefined) return [key, { rank: null, value: null }];
    const rank = await client.zRevRank(name, member);
    return [key, { rank: rank === null ? null : rank + 1, value: numberOf(number(`${name}:value`)) }];
  });
  const achieved = ACHIEVEMENTS.map((key, place) => [key, fields[`achieved${place}`]]).filter(([, at]) => at);
  return {
    metrics: Object.fromEntries(METRICS.map((key, place) => [key, numberOf(number(`total${place}`))])),
    streak: fields.last !== undefined && number('last') >= today - 1 ? number('length') : 0,
    achievements: Object.fromEntries(achieved.map(([key, at]) => [key, new Date(Number(at)).toISOString()])),
    points: Object.fromEntries(SYSTEMS.map((key, place) => [key, number(`points${place}`)])),
    awards: Object.fromEntries(SYSTEMS.map((key, place) => [key, awards.filter((system) => system === place).length])),
    boards: Object.fromEntries(await Promise.all(boards)),
  };
}
