import { createClient } from '@redis/client';
import { redisVersion, startRedis } from '../baselines/start-redis.mjs';
import { changesOf, IndexedBoard, standingsOf } from './board.mjs';
import { median } from './surroundings.mjs';

const CHANGES = 20_000;
/** Moves whose commands leave Redis's client together. */
const PIPELINED = 64;
const KEY = 'board';

/**
 * The rank before, a change and the rank after it, on a board of so many: the rank index in memory beside pipelined Redis.
 *
 * @param {{ entries: number, rounds: number, dataDir: string }} options `dataDir`: for Redis
 * @returns {Promise<{ laurel: number, redis: number | null }>} µs for a move, medians; `redis` null: there is no Redis
 */
export async function measureMoves({ entries, rounds, dataDir }) {
  const standings = standingsOf(entries);
  const board = new IndexedBoard(standings);
  const sorted = redisVersion() === null ? null : await SortedSet.filledWith(standings, dataDir);
  const times = { laurel: [], redis: [] };
  try {
    for (let round = 0; round < rounds; round++) {
      const changes = changesOf(round, entries, CHANGES);
      times.laurel.push(await timed(() => changes.forEach((change) => move(board, standings, change))));
      if (sorted) times.redis.push(await timed(() => sorted.moveAll(changes)));
    }
  } finally {
    await sorted?.close();
  }
  return { laurel: median(times.laurel), redis: sorted && median(times.redis) };
}

function move(board, standings, { user, add, at, position }) {
  const { subject, score } = board.standingOf(standings[user].subject);
  return board.move(user, { subject, score: score + add, reachedAt: at, position, ordinal: 0 });
}

async function timed(work) {
  const before = performance.now();
  await work();
  return ((performance.now() - before) * 1_000) / CHANGES;
}

class SortedSet {
  #client;
  #server;
  /** By user. */
  #scores = [];

  static async filledWith(standings, dataDir) {
    const set = new SortedSet();
    set.#server = await startRedis({ dataDir, appendfsync: 'everysec' });
    set.#client = await createClient({ socket: { path: set.#server.socket } }).connect();
    set.#scores = standings.map(({ score }) => score / 1_000_000);
    const members = set.#scores.map((score, user) => ({ value: String(user), score }));
    for (let from = 0; from < members.length; from += 1_000)
      await set.#client.zAdd(KEY, members.slice(from, from + 1_000));
    return set;
  }

  /** Commands of one turn of the event loop leave together. */
  async moveAll(changes) {
    for (let from = 0; from < changes.length; from += PIPELINED)
      await Promise.all(changes.slice(from, from + PIPELINED).flatMap((change) => this.#move(change)));
  }

  #move({ user, add }) {
    const value = String(user);
    const score = (this.#scores[user] += add / 1_000_000);
    return [
      this.#client.zRevRank(KEY, value),
      this.#client.zAdd(KEY, { value, score }),
      this.#client.zRevRank(KEY, value),
    ];
  }

  async close() {
    await this.#client.close();
    await this.#server.stop();
  }
}
