// Holds a running service to what a digest and a rebuild promise: node tools/check-rebuild.mjs --data-dir DIR
//
// Changes one stored value of each line by SQL: exactly that line of the digest must change; and puts it back. Then rebuilds
// everything, and each area alone: the digest must be the one before, each time.
import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { inspectEmbeddedPostgres } from '@laurel/embedded-postgres';
import pg from 'pg';

const SETTLED_WITHIN_MS = 120_000;
/** As it was built: `npm run laurel` would look each time whether it is. */
const COMMAND_LINE = 'apps/cli/dist/main.js';

const { values } = parseArgs({ options: { 'data-dir': { type: 'string' } } });

/** A table of each line, a column of it, and what one of its values becomes for a while. */
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

/** After an import the service settles what is due in steps; until that is through, the digest changes by itself. */
async function nothingIsDue(client) {
  const now = process.env.LAUREL_CLOCK?.replace(/,frozen$/, '') ?? new Date().toISOString();
  const deadline = performance.now() + SETTLED_WITHIN_MS;
  for (;;) {
    const { rows } = await client.query('select count(*)::int as users from user_states where due_at <= $1', [now]);
    if (rows[0].users === 0) return;
    if (performance.now() > deadline) throw new Error(`${rows[0].users} users still have something due`);
    await sleep(100);
  }
}

const found = await inspectEmbeddedPostgres(values['data-dir']);
if (found.state !== 'running') throw new Error('no service runs on this data folder');
const client = new pg.Client(found.connection);
await client.connect();
await nothingIsDue(client);
const before = digest();
await oneValueChangesOneLine(client, before);
await client.end();
const areas = before.map(({ name }) => name).filter((name) => name !== 'rank history');
for (const words of [[], ...areas.map((area) => [area])]) {
  console.log(laurel('rebuild', ...words).trimEnd());
  expectLines(`rebuilt ${words.join() || 'everything'}`, [], changedLines(before, digest()));
}
