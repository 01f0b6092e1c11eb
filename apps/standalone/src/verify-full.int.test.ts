import { USER_AREAS } from '@laurel/areas';
import { ACCOUNT, tablesOf, type AreaName, type RecordMetricEvent, type VerificationProgress } from '@laurel/contracts';
import { leaderboardTables } from '@laurel/leaderboards';
import { openTestDatabase } from '@laurel/testing/database';
import { histories, HISTORY_CONFIGURATION, lesson } from '@laurel/testing/histories';
import fc from 'fast-check';
import { openServiceWithPast, type ServiceWithPast } from './testing/service-with-past.ts';

let past: ServiceWithPast;
/** Of each read model, its columns and whether they are of the key. */
let columns: ReadonlyMap<string, readonly Column[]>;

interface Column {
  readonly name: string;
  readonly type: string;
  readonly isKey: boolean;
}

/** What makes another row of one that is there. */
const OTHER: Readonly<Record<string, string>> = {
  user_states: `'{"subject": 1}'`,
  effects: `jsonb_build_object('position', t.position + 100000)`,
  user_zones: `jsonb_build_object('position', t.position + 100000)`,
  metric_months: `jsonb_build_object('month', '2036-01-01')`,
  metric_day_counts: `jsonb_build_object('date', '2036-01-01')`,
  user_counts: `jsonb_build_object('partition', 7)`,
  user_day_counts: `jsonb_build_object('date', '2036-01-01')`,
  streak_periods: `jsonb_build_object('period_start', '2036-01-01')`,
  streak_length_counts: `jsonb_build_object('length', 1000)`,
  achievement_completions: `jsonb_build_object('achievement', 1000)`,
  achievement_counts: `jsonb_build_object('achievement', 'planted')`,
  points_months: `jsonb_build_object('month', '2036-01-01')`,
  point_day_counts: `jsonb_build_object('date', '2036-01-01')`,
  point_total_counts: `jsonb_build_object('mark', 123456)`,
  points_levels: `jsonb_build_object('system', 1000)`,
  board_standings: `jsonb_build_object('run_start', '2036-01-01')`,
  board_run_counts: `jsonb_build_object('run_start', '2036-01-01')`,
  rank_changes: `jsonb_build_object('position', t.position + 100000)`,
};

/** Which rows say something: a counter at zero may be there or not. */
const HELD: Readonly<Record<string, string>> = {
  point_total_counts: 'users <> 0',
  streak_length_counts: 'reached <> 0 or ended <> 0',
  board_run_counts: 'participants <> 0',
};

/**
 * Not compared: when a user is next due is worked out from the rest; which partition counted it says nothing; ranks depend on other users,
 * and `rebuild --verify` compares them.
 */
const FREE = ['due_at', 'partition', 'previous_rank', 'rank'];

/** Another value, by type. */
const CHANGED: Readonly<Record<string, (column: string) => string>> = {
  text: (column) => `${column} || 'x'`,
  bigint: (column) => `${column} + 1000`,
  integer: (column) => `${column} + 1000`,
  smallint: (column) => `(${column} + 1000)::smallint`,
  numeric: (column) => `${column} + 1000`,
  boolean: (column) => `not ${column}`,
  date: (column) => `${column} + 4000`,
  uuid: () => 'gen_random_uuid()',
  'timestamp(3) with time zone': (column) => `${column} + interval '1 ms'`,
  json: (column) => `(${column}::jsonb || '{"31": "77"}')::json`,
  jsonb: (column) =>
    `case jsonb_typeof(${column}) when 'array' then jsonb_set(${column}, '{0}', '["planted"]') else ${column} || '{"planted": 1}' end`,
};

const first = (table: string, which = 'true') =>
  `where ctid = (select ctid from ${table} where ${which} order by ctid limit 1)`;

beforeAll(async () => {
  past = await openServiceWithPast(await openTestDatabase([]), {
    configuration: HISTORY_CONFIGURATION,
    crowd: { records: 150, lesson },
    days: fc.sample(histories, { numRuns: 6, seed: 6 }),
    late: (fc.sample(histories, { numRuns: 1, seed: 7 })[0] ?? []) as readonly RecordMetricEvent[],
  });
  const rows = await past.query(`
    select relname as table, attname as name, format_type(atttypid, atttypmod) as type,
      coalesce(attnum = any(i.indkey), false) as "isKey"
    from pg_attribute a join pg_class c on c.oid = attrelid left join pg_index i on i.indrelid = attrelid and i.indisprimary
    where c.relnamespace = current_schema()::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped`);
  columns = new Map(
    READ_MODELS.map((table) => [table, rows.filter((row) => row['table'] === table) as unknown as Column[]]),
  );
}, 120_000);

afterAll(() => past.close());

const LASTING = tablesOf([...USER_AREAS, { tables: leaderboardTables }]).filter(({ isTransient }) => !isTransient);
const READ_MODELS = ['user_states', ...LASTING.map(({ name }) => name)].sort();

const tablesIn = (found: Awaited<ReturnType<ServiceWithPast['findings']>>) => [
  ...new Set(found.map(({ table }) => table)),
];

describe('a full verification', () => {
  it('finds nothing in what the service has written, and says how many users it has folded', async () => {
    const seen: VerificationProgress[] = [];
    await past.service.verify(ACCOUNT, true, (progress) => seen.push(progress));
    expect(seen.flatMap((progress) => progress.findings ?? [])).toEqual([]);
    const [row] = await past.query('select count(*)::integer as users from user_states');
    expect(seen).toContainEqual({ folded: row?.['users'], users: row?.['users'] });
    expect(seen.some((progress) => progress.more)).toBe(false);
  });

  it('has a change to plant in every read model', () => {
    expect(Object.keys(OTHER).sort()).toEqual(READ_MODELS);
    const types = [...columns.values()].flat().map(({ type }) => type);
    expect(types.filter((type) => !Object.hasOwn(CHANGED, type))).toEqual([]);
  });

  it.each(READ_MODELS)('finds a row that was removed from %s', async (table) => {
    const found = await past.foundAfter(table, `delete from ${table} ${first(table, HELD[table])}`, true);
    expect(tablesIn(found)).toContain(table);
  });

  it.each(READ_MODELS)('finds a row that was added to %s', async (table) => {
    const planted = `
      insert into ${table} select (jsonb_populate_record(null::${table}, to_jsonb(t) || ${OTHER[table]})).*
      from (select * from ${table} where ${HELD[table] ?? 'true'} order by ctid limit 1) t`;
    expect(tablesIn(await past.foundAfter(table, planted, true))).toContain(table);
  });

  it.each(READ_MODELS)('finds a row that was doubled in %s, unless its key forbids it', async (table) => {
    const planted = `insert into ${table} select * from ${table} ${first(table)}`;
    if (columns.get(table)?.some(({ isKey }) => isKey)) {
      await expect(past.query(planted)).rejects.toThrow(/duplicate key/);
      return;
    }
    expect(tablesIn(await past.foundAfter(table, planted, true))).toContain(table);
  });

  it.each(READ_MODELS)('finds one change of any column of %s', async (table) => {
    for (const { name, type } of columns.get(table) ?? []) {
      if (FREE.includes(name)) continue;
      const which = [HELD[table], `${name} is not null`].filter((one) => one !== undefined).join(' and ');
      const planted = `update ${table} set ${name} = ${CHANGED[type]?.(name)} ${first(table, `(${which})`)}`;
      expect([name, tablesIn(await past.foundAfter(table, planted, true))]).toEqual([
        name,
        expect.arrayContaining([table]),
      ]);
    }
  });

  it.each([
    [
      'streak_periods',
      `update streak_periods set length = 77 ${first('streak_periods')}`,
      /^streak_periods: length of generation \d+, period_start \S+ of user ".+" at position \d+ is 77 and must be \d+\.$/,
    ],
    [
      'user_states',
      `update user_states set streaks = jsonb_set(streaks, '{planted}', '77') ${first('user_states')}`,
      /^user_states: the state streaks\.planted of user ".+" at position \d+ is 77 and must not be there\.$/,
    ],
    [
      'board_standings',
      `update board_standings set value = 77.5 ${first('board_standings')}`,
      /^board_standings: value of .*board \S+.* of user ".+" at position \d+ is 77\.5 and must be \S+\.$/,
    ],
    [
      'streak_length_counts',
      `update streak_length_counts set reached = reached + 1 ${first('streak_length_counts')}`,
      /^streak_length_counts: reached of .*length \d+.* is \d+ and must be \d+\.$/,
    ],
  ])('names user, value and event of what it finds in %s', async (table, planted, message) => {
    const found = await past.foundAfter(table, planted, true);
    const full = found.filter(({ check }) => check === 'fold' || check === 'counters');
    expect(full.map((finding) => finding.message)).toContainEqual(expect.stringMatching(message));
    expect(full.every(({ check, eventId }) => check === 'counters' || eventId !== null)).toBe(true);
  });

  it('goes beside a service that records events, as of one moment', async () => {
    let isOver = false;
    const verified = past.findings(true).finally(() => (isOver = true));
    let recorded = 0;
    while (!isOver) {
      const [outcome] = await past.service.engine.submit([lesson('ada')]);
      if (outcome?.kind === 'recorded') recorded++;
    }
    expect([await verified, recorded > 5]).toEqual([[], true]);
  });

  it('compares what a stopped area and those behind it have stored as of where it stopped', async () => {
    const { head } = past.service.engine.status();
    await past.query(`update area_checkpoints set failure = 'planted', position = ${head} where area = 'achievements'`);
    try {
      expect(await past.findings(true)).toEqual([]);
      await past.query(`update area_checkpoints set position = ${head - 1} where area = 'achievements'`);
      const tables = tablesIn((await past.findings(true)).filter(({ check }) => check === 'fold'));
      expect(tables).toContain('points_months');
      expect(tables).not.toContain('streak_periods');
    } finally {
      await past.query(`update area_checkpoints set failure = null, position = ${head} where area = 'achievements'`);
    }
  });
});

describe('a rebuild that only compares', () => {
  const compare = async (areas: readonly AreaName[] = []) => {
    const differences = await past.service.engine.compareRebuild(areas);
    return differences.map(({ table, userId }) => ({ table, userId }));
  };

  it('finds nothing in what the service has written, and leaves nothing behind', async () => {
    expect(await compare()).toEqual([]);
    expect(await past.query("select from pg_namespace where nspname = 'laurel_rebuild'")).toEqual([]);
  });

  it('finds nothing while events are recorded', async () => {
    let isOver = false;
    const compared = compare().finally(() => (isOver = true));
    while (!isOver) await past.service.engine.submit([lesson('ada')]);
    expect(await compared).toEqual([]);
  });

  it.each(READ_MODELS)('names whose row is missing from %s, and changes nothing', async (table) => {
    await past.query(`create table kept as table ${table}`);
    const hasUser = columns.get(table)?.some(({ name }) => name === 'subject') === true;
    try {
      const returned = hasUser ? `'user ' || subject` : 'null';
      const gone = await past.query(
        `with gone as (delete from ${table} ${first(table, HELD[table])} returning *) select ${returned} as "userId" from gone`,
      );
      expect(gone).toHaveLength(1);
      expect(await compare()).toContainEqual({ table, ...gone[0] });
      const [counted] = await past.query(
        `select (select count(*) from ${table})::integer as now, (select count(*) from kept)::integer as before`,
      );
      expect(counted?.['now']).toBe((counted?.['before'] as number) - 1);
    } finally {
      await past.query(`truncate ${table}`);
      await past.query(`insert into ${table} table kept`);
      await past.query('drop table kept');
    }
  });

  it('finds a rank that is not the one that the log gives, which nothing else does', async () => {
    const planted = `update rank_changes set rank = rank + 1 ${first('rank_changes')}`;
    expect(await past.foundAfter('rank_changes', planted, true)).toEqual([]);
    await past.query(planted);
    expect((await compare(['leaderboards'])).map(({ table }) => table)).toEqual(['rank_changes']);
    expect(await compare(['users', 'streaks'])).toEqual([]);
  });
});
