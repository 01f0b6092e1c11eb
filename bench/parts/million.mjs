import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Candidates, CONFIGURATION } from '../frame/candidates.mjs';
import { runProgram } from '../frame/checkouts.mjs';
import { startLoad } from '../frame/load.mjs';
import { measureMoves } from '../frame/rank-moves.mjs';
import { shoot, summary } from '../frame/shoot.mjs';

const COPIES = 100;
/** At `--scale` 1: 10,000 users and 100,000 events, a hundred times. */
const SAMPLE = 10_000;
const EVENTS_OF_A_USER = 10;
const CONNECTIONS = 64;
/** Boards without weeks: at the end of a week half of all users would be in the run of the next one already. */
const WITHOUT_RUNS = CONFIGURATION.replaceAll(/^ +run(?:Unit|Interval):.*\n/gm, '');

/**
 * A million users, ten million events and two boards of a million beside ten thousand users: CPU for an event of ten thousand active
 * users, memory of an entry of a board, and the ranks before and after a change. Laurel serves the sample itself; a program then copies
 * each user a hundred times within the database.
 */
export async function million({ scale, rounds, seconds }) {
  // A user's zone follows from the number, and is that of whom they are a copy of.
  const users = Math.ceil((SAMPLE * scale) / 4) * 4;
  const candidates = new Candidates({ configuration: WITHOUT_RUNS });
  const load = startLoad();
  try {
    const few = await candidates.start('laurel');
    await shoot(load, few, { connections: CONNECTIONS, users, count: users * EVENTS_OF_A_USER });
    await few.stop();
    const folder = candidates.newFolder('million');
    copyFolder(few.folder, folder);
    const { rows, runs } = runProgram('laurel', 'multiply.mjs', join(folder, 'data'), String(COPIES), String(users));
    console.log(
      `rows: ${Object.entries(rows)
        .map(([table, count]) => `${table} ${count}`)
        .join(', ')}`,
    );
    const memory = runProgram('laurel', 'loaded-boards.mjs', join(folder, 'data'));

    const sizes = [
      { title: titleOf(users), folder: few.folder, step: 1, shots: [] },
      // Neighbours in the list of active users are of different copies, so their rows lie apart.
      { title: titleOf(users * COPIES), folder, step: COPIES - 1, shots: [] },
    ];
    for (const size of sizes) {
      size.running = await candidates.start('laurel', { folder: size.folder });
      await shoot(load, size.running, { connections: CONNECTIONS, users, step: size.step, count: 3 * users });
    }
    for (let round = 0; round < rounds; round++)
      for (const { running, step, shots } of sizes)
        shots.push(await shoot(load, running, { connections: CONNECTIONS, users, step, seconds }));
    for (const { running } of sizes) await running.stop();
    const entries = users * COPIES;
    const moves = await measureMoves({ entries, rounds, dataDir: candidates.newFolder('redis') });
    return {
      users,
      rounds,
      seconds,
      rows,
      runs,
      sizes: sizes.map(({ title, shots }) => ({ title, ...summary(shots) })),
      memory,
      moves: { entries, ...moves },
    };
  } finally {
    load.close();
    await candidates.close();
  }
}

const titleOf = (users) => `${users.toLocaleString('en')} users`;

/** With the owners of the files: as root, Postgres runs as another user. */
function copyFolder(from, to) {
  const { status, stderr } = spawnSync('cp', ['-a', `${from}/.`, to], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`cp ended with ${status}: ${stderr}`);
}
