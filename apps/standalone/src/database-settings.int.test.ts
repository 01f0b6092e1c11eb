import { ACCOUNT, type RecordMetricEvent } from '@laurel/kernel';
import { locate, SESSION_SETTINGS } from '@laurel/database';
import { openTestDatabase, unlikeOf, type TestDatabase } from '@laurel/testing/database';
import { histories, HISTORY_CONFIGURATION, lesson } from '@laurel/testing/histories';
import { subjectOf } from '@laurel/testing/subjects';
import fc from 'fast-check';
import { openServiceWithPast } from './testing/service-with-past.ts';

const NOW = Date.parse('2026-03-10T08:00:00Z');
const PAST = {
  configuration: HISTORY_CONFIGURATION,
  crowd: { records: 10, lesson },
  days: fc.sample(histories, { numRuns: 3, seed: 6 }).map((day) => day.slice(0, 20)),
  late: (fc.sample(histories, { numRuns: 1, seed: 7 })[0] ?? []).slice(0, 5) as readonly RecordMetricEvent[],
};

const names = Object.keys(SESSION_SETTINGS);
const first = names.indexOf('statement_timeout');
/** Settings that change values, or the rights of a transaction. Without an extension there is no table access method but `heap`. */
const ALONE = names.slice(0, first).filter((name) => name !== 'default_table_access_method');
const LIMITS_AND_PLANS = names.slice(first);

/** Whether this server knows it: some are newer than the oldest one that is supported. */
const isKnown = async ({ sql }: TestDatabase, name: string): Promise<boolean> =>
  (await sql.query('select from pg_settings where name = $1', [name])).length > 0;

/** The results of the past in a database with these settings, as all reads show them. */
async function madeUnder(settings: readonly string[]) {
  const database = await openTestDatabase([]);
  for (const name of settings)
    if (await isKnown(database, name))
      await database.sql.query(`alter database ${database.connection.database} set ${name} = '${unlikeOf(name)}'`, []);
  // The test's own sessions were opened before: they are as they were.
  const past = await openServiceWithPast({ ...database, connection: await locate(database.connection) }, PAST);
  try {
    const { service } = past;
    const user = subjectOf('user 1');
    const state: string[] = [];
    for await (const chunk of service.exportState(ACCOUNT, NOW)) state.push(chunk);
    const findings = await past.findings(true);
    // Awards bear the ids of their events, which are random.
    for (const table of ['events', 'effects'])
      await past.query(`update ${table} set event_id = lpad(to_hex(position), 32, '0')::uuid`);
    return {
      state: state.join(''),
      streak: await service.reads.streaks.history(ACCOUNT, user, NOW, 30),
      completions: (await service.reads.achievements.completedBy(ACCOUNT, user)).size,
      swept: await past.query("select count(*)::int as n from events where data ? 'subjects'"),
      digest: (await service.digest(ACCOUNT)).lines,
      findings,
    };
  } finally {
    await past.close();
  }
}

let embedded: Awaited<ReturnType<typeof madeUnder>>;
beforeAll(async () => {
  embedded = await madeUnder([]);
});

it('the recorded history covers sweeps, streaks and every area of the digest', () => {
  expect(embedded.findings).toEqual([]);
  expect(embedded.swept).not.toEqual([{ n: 0 }]);
  expect(ALONE.length).toBeGreaterThanOrEqual(20);
  expect(embedded.state.length).toBeGreaterThan(1_000);
  expect(embedded.streak.some(({ length }) => length > 0)).toBe(true);
  expect(embedded.digest.every(({ rows }) => rows > 0)).toBe(true);
});

describe('reads, sweeps, digest and verification', () => {
  it.each(ALONE)('are the same with %s as with the default database settings', async (name) => {
    expect(await madeUnder([name])).toEqual(embedded);
  });

  it('are the same with other limits and plans', async () => {
    expect(await madeUnder(LIMITS_AND_PLANS)).toEqual(embedded);
  });

  it('are the same with all settings together', async () => {
    expect(await madeUnder([...ALONE, ...LIMITS_AND_PLANS])).toEqual(embedded);
  });
});
