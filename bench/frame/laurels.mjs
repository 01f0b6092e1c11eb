import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { besideBefore } from './beside.mjs';
import { CANDIDATES, Candidates } from './candidates.mjs';
import { writeHistory } from './history.mjs';
import { median } from './surroundings.mjs';

/**
 * Measures something of each Laurel among the candidates with a history, in turns; every other round begins with the last one.
 *
 * @param {{ candidates: readonly string[], rounds: number, history?: string, config?: string, events: number }} options
 * @param {(name: string, history: object, candidates: Candidates) => Promise<{ value: number, cpu?: number | null, seen?: object }>} once
 *   `cpu`: µs for an event, null where nobody knows; `seen` must be the same for all
 * @returns {Promise<{ note: string, rows: { title: string, median: number, rounds: number[] }[], beside?: import('./beside.mjs').Beside }>}
 */
export async function inTurns(options, once) {
  const names = options.candidates.filter((name) => CANDIDATES[name].laurel);
  const folder = mkdtempSync(join(tmpdir(), 'laurel-bench-'));
  const history = writeHistory(folder, options);
  const candidates = new Candidates({ configuration: readFileSync(history.config, 'utf8') });
  const values = new Map(names.map((name) => [name, []]));
  const cpu = new Map(names.map((name) => [name, []]));
  let seen;
  try {
    for (let round = 0; round < options.rounds; round++)
      for (const name of round % 2 === 0 ? names : names.toReversed()) {
        const result = await once(name, history, candidates);
        seen ??= JSON.stringify(result.seen);
        if (JSON.stringify(result.seen) !== seen)
          throw new Error(`${name} does not agree: ${JSON.stringify(result.seen)}, not ${seen}`);
        values.get(name).push(Number(result.value.toPrecision(3)));
        cpu.get(name).push(result.cpu ?? null);
        console.log(`round ${round + 1}, ${name}: ${result.value.toFixed(1)}`);
      }
  } finally {
    await candidates.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return {
    note: `${history.events} events of ${history.title}; medians of ${options.rounds} rounds in turns.`,
    rows: names.map((name) => ({
      title: CANDIDATES[name].title,
      median: median(values.get(name)),
      rounds: values.get(name),
    })),
    ...besideBefore(cpu),
  };
}
