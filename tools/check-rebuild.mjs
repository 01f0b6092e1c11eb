// Checks the digest and the rebuild of a running service:
// node tools/check-rebuild.mjs --data-dir DIR [--recount FILE] [--each-area]
//
// For each line of the digest, it changes one stored value by SQL, checks that exactly this line changes, and restores
// the value. Then it rebuilds everything, and with `--each-area` also each area alone: the digest must be the same as
// before, each time. `--recount`: the file that tools/check-counters.mjs wrote; after each rebuild, the service that
// LAUREL_PORT and LAUREL_API_KEY name must have the same counts.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { askService, differences, numbersIn, readCounters } from './recount/counters.mjs';
import { inService, nothingIsDue } from './recount/nothing-is-due.mjs';

/** The built program: `npm run laurel` would check at each call whether it must be built again. */
const COMMAND_LINE = 'apps/cli/dist/main.js';

const { values } = parseArgs({
  options: {
    'data-dir': { type: 'string' },
    recount: { type: 'string' },
    'each-area': { type: 'boolean', default: false },
  },
});

/**
 * For each line of the digest, a table, one of its columns, and the expression that changes one value of it for a
 * while.
 */
const STORED = {
  users: [
    'metric_months',
    'days',
    '(select json_object_agg(day, (change::numeric + 1)::text) from json_each_text(days) as d (day, change))',
  ],
  streaks: ['streak_periods', 'length', 'length + 1'],
  achievements: ['achievement_completions', 'achieved_at', "achieved_at + interval '1 ms'"],
  points: ['effects', 'points', String.raw`regexp_replace(points, '^(\[\[\d+,-?\d+)', '\10')`],
  leaderboards: ['board_standings', 'value', 'value + 1'],
  'rank history': ['rank_changes', 'rank', 'rank + 1'],
};

function laurel(...words) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND_LINE, ...words], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  if (status !== 0) throw new Error(`laurel ${words.join(' ')} ended with ${status}\n${stdout}${stderr}`);
  return stdout;
}

const digest = () => JSON.parse(laurel('digest', '--json')).lines;

const changedLines = (before, after) =>
  after.filter(({ digest: now }, index) => now !== before[index].digest).map(({ name }) => name);

function expectLines(what, expected, found) {
  if (found.join() !== expected.join())
    throw new Error(
      `${what}: expected ${expected.join(', ') || 'no line'} to change, found ${found.join(', ') || 'none'}`,
    );
  console.log(
    `${what}: ${expected.length === 0 ? 'the digest is as it was' : `exactly the line ${expected.join()} changed`}`,
  );
}

async function oneValueChangesOneLine(client, before) {
  for (const [line, [table, column, other]] of Object.entries(STORED)) {
    const { rows } = await client.query(
      `select ctid::text as place, ${column}::text as value from ${table} where ${column} is not null limit 1`,
    );
    const { rows: changed } = await client.query(
      `update ${table} set ${column} = ${other} where ctid = $1::tid returning ctid::text as place, pg_typeof(${column}) as type`,
      [rows[0]?.place],
    );
    expectLines(`${table}.${column} changed by SQL`, [line], changedLines(before, digest()));
    const [{ place, type }] = changed;
    await client.query(`update ${table} set ${column} = $2::${type} where ctid = $1::tid`, [place, rows[0].value]);
  }
  expectLines('everything put back', [], changedLines(before, digest()));
}

/** @param recounted the expected counts, or null if nothing was recounted */
async function countsAsBefore(words, recounted) {
  if (recounted === null) return;
  const found = differences(recounted, await readCounters(askService, recounted));
  if (found.length > 0) throw new Error(`rebuilt ${words}, it counts otherwise:\n${found.slice(0, 20).join('\n')}`);
  console.log(`rebuilt ${words}: all ${numbersIn(recounted)} numbers are those of the recount`);
}

const recounted = values.recount === undefined ? null : JSON.parse(readFileSync(values.recount, 'utf8'));
const before = await inService(values['data-dir'], async (client) => {
  await nothingIsDue(client);
  const lines = digest();
  await oneValueChangesOneLine(client, lines);
  return lines;
});
const areas = values['each-area'] ? before.map(({ name }) => name).filter((name) => name !== 'rank history') : [];
for (const words of [[], ...areas.map((area) => [area])]) {
  console.log(laurel('rebuild', ...words).trimEnd());
  const what = words.join() || 'everything';
  expectLines(`rebuilt ${what}`, [], changedLines(before, digest()));
  await countsAsBefore(what, recounted);
}
