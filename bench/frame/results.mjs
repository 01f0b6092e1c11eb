import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as prettier from 'prettier';
import { barChart } from './bar-chart.mjs';
import { measuredGoals } from './goals.mjs';
import { tablesOf } from './tables.mjs';

export const readResults = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {});

/**
 * Writes results.json, README.md with the table of goals and one for each part, and a chart of the single events.
 * @returns {Promise<readonly string[]>} the files
 */
export async function writeResults(folder, results) {
  mkdirSync(folder, { recursive: true });
  const goals = measuredGoals(results).map(({ goal, measured, met }) => ({ ...goal, measured, met }));
  const files = {
    'results.json': `${JSON.stringify({ ...results, goals }, null, 2)}\n`,
    'README.md': tablesOf(results),
  };
  if (results.events !== undefined) files['events.svg'] = chartOf(results.events);
  const paths = [];
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    writeFileSync(path, name.endsWith('.svg') ? text : await formatted(text, path));
    paths.push(path);
  }
  return paths;
}

/** As the repository keeps its files, wherever these are written. */
async function formatted(text, path) {
  return prettier.format(text, { ...(await prettier.resolveConfig('docs/benchmarks.md')), filepath: path });
}

function chartOf({ levels, machine, node, commit }) {
  return barChart({
    title: 'Events per second',
    subtitle: `${machine}, Node ${node}, ${commit}`,
    groups: levels.map(({ connections, candidates }) => ({
      title: connections === 1 ? '1 connection' : `${connections} connections`,
      bars: candidates.map(({ title, rate }) => ({ title, value: rate })),
    })),
  });
}
