import { USER_AREAS } from '@laurel/all-areas';
import { ACCOUNT, tablesOf, type AreaName, type RecordMetricEvent } from '@laurel/kernel';
import type { VerificationProgress } from '@laurel/schemas';
import { leaderboardTables } from '@laurel/leaderboards';
import { histories, HISTORY_CONFIGURATION, lesson } from '@laurel/testing/histories';
import { openServiceDatabase } from '@laurel/testing/service-database';
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

/** Changes that turn an existing row into another. */
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
  final_run_changes: `jsonb_build_object('run_start', '2036-01-01')`,
};

/** Which rows say something: a counter at zero may be there or not. */
const HELD: Readonly<Record<string, string>> = {
  point_total_counts: 'users <> 0',
  streak_length_counts: '(reached <> 0 or ended <> 0)',
  board_run_counts: 'participants <> 0',
};

/**
 * Not compared: when a user is next due is worked out from the rest; which partition counted it says nothing; ranks depend on other users,
 * and `rebuild --verify` compares them.
 */
const FREE = ['due_at', 'partition', 'previous_rank', 'rank', 'rank_changes.participants'];

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
  past = await openServiceWithPast(await openServiceDatabase(), {
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

/** Tables that can be changed together: what is wrong in one makes nothing look wrong in the others. */
const groups = (): readonly (readonly string[])[] => [
  ['user_states'],
  ['effects'],
  READ_MODELS.filter((table) => !['user_states', 'effects'].includes(table) && hasUser(table)),
  READ_MODELS.filter((table) => !hasUser(table)),
];

/** The changed tables in which a verification finds something; one verification for each group. */
async function tablesFoundAfter(changeOf: (table: string) => string | null): Promise<readonly string[]> {
  const tables: string[] = [];
  for (const group of groups()) {
    const changes = new Map<string, string>();
    for (const table of group) {
      const change = changeOf(table);
      if (change !== null) changes.set(table, change);
    }
    if (changes.size === 0) continue;
    const found = tablesIn(await past.foundAfter(Object.fromEntries(changes), true));
    tables.push(...found.filter((table) => changes.has(table)));
  }
  return tables;
}

const once = <Result>(work: () => Promise<Result>): (() => Promise<Result>) => {
  let result: Promise<Result> | null = null;
  return () => (result ??= work());
};

const hasUser = (table: string): boolean => columns.get(table)?.some(({ name }) => name === 'subject') === true;
const hasKey = (table: string): boolean => columns.get(table)?.some(({ isKey }) => isKey) === true;
const comparedColumns = (table: string): readonly Column[] =>
  (columns.get(table) ?? []).filter(({ name }) => !FREE.includes(name) && !FREE.includes(`${table}.${name}`));
const doubling = (table: string): string => `insert into ${table} select * from ${table} ${first(table)}`;

const removed = once(() => tablesFoundAfter((table) => `delete from ${table} ${first(table, HELD[table])}`));

const added = once(() =>
  tablesFoundAfter(
    (table) => `
      insert into ${table} select (jsonb_populate_record(null::${table}, to_jsonb(t) || ${OTHER[table]})).*
      from (select * from ${table} where ${HELD[table] ?? 'true'} order by ctid limit 1) t`,
  ),
);

const doubled = once(() => tablesFoundAfter((table) => (hasKey(table) ? null : doubling(table))));

/** Of each table, the columns in which a change was found: the first of every table is changed, then the second, and so on. */
const changed = once(async () => {
  const found = new Map(READ_MODELS.map((table) => [table, [] as string[]]));
  for (let place = 0; READ_MODELS.some((table) => comparedColumns(table).length > place); place++) {
    const tables = await tablesFoundAfter((table) => {
      const column = comparedColumns(table)[place];
      if (column === undefined) return null;
      const which = [HELD[table], `${column.name} is not null`].filter((one) => one !== undefined).join(' and ');
      return `update ${table} set ${column.name} = ${CHANGED[column.type]?.(column.name)} ${first(table, `(${which})`)}`;
    });
    for (const table of tables) {
      const column = comparedColumns(table)[place];
      if (column !== undefined) found.get(table)?.push(column.name);
    }
  }
  return found;
});

describe('a full verification', () => {
  it('finds nothing in an intact database and reports the number of folded users', async () => {
    const seen: VerificationProgress[] = [];
    await past.service.verify(ACCOUNT, true, (progress) => seen.push(progress));
    expect(seen.flatMap((progress) => progress.findings ?? [])).toEqual([]);
    const [row] = await past.query('select count(*)::integer as users from user_states');
    expect(seen).toContainEqual({ folded: row?.['users'], users: row?.['users'] });
    expect(seen.some((progress) => progress.more)).toBe(false);
  });

  it('is tested with a change to every read model', () => {
    expect(Object.keys(OTHER).sort()).toEqual(READ_MODELS);
    const types = [...columns.values()].flat().map(({ type }) => type);
    expect(types.filter((type) => !Object.hasOwn(CHANGED, type))).toEqual([]);
  });

  it.each(READ_MODELS)('finds a row that was removed from %s', async (table) => {
    expect(await removed()).toContain(table);
  });

  it.each(READ_MODELS)('finds a row that was added to %s', async (table) => {
    expect(await added()).toContain(table);
  });

  it.each(READ_MODELS)('finds a row that was duplicated in %s, unless its key forbids it', async (table) => {
    if (hasKey(table)) await expect(past.query(doubling(table))).rejects.toThrow(/duplicate key/);
    else expect(await doubled()).toContain(table);
  });

  it.each(READ_MODELS)('finds a change of any column of %s', async (table) => {
    const names = comparedColumns(table).map(({ name }) => name);
    expect(names).not.toEqual([]);
    expect((await changed()).get(table)).toEqual(names);
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
  ])('names user, value and event of a finding in %s', async (table, planted, message) => {
    const found = await past.foundAfter({ [table]: planted }, true);
    const full = found.filter(({ check }) => check === 'fold' || check === 'counters');
    expect(full.map((finding) => finding.message)).toContainEqual(expect.stringMatching(message));
    expect(full.every(({ check, eventId }) => check === 'counters' || eventId !== null)).toBe(true);
  });

  it('runs beside a service that records events, as of one moment', async () => {
    let isOver = false;
    const verified = past.findings(true).finally(() => (isOver = true));
    let recorded = 0;
    while (!isOver) {
      const [outcome] = await past.service.engine.submit([lesson('ada')]);
      if (outcome?.kind === 'recorded') recorded++;
    }
    expect([await verified, recorded > 5]).toEqual([[], true]);
  });

  it('compares the rows of a halted area and of later areas as of the position where it halted', async () => {
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

describe('compareRebuild', () => {
  const compare = async (areas: readonly AreaName[] = []) => {
    const differences = await past.service.engine.compareRebuild(areas);
    return differences.map(({ table, userId }) => ({ table, userId }));
  };

  /** A row is missing from every table with users, then from every table of counters; `rows`: how many each table has more after that. */
  const missing = once(async () => {
    const differences: Awaited<ReturnType<typeof compare>>[number][] = [];
    const [gone, rows] = [new Map<string, object[]>(), new Map<string, number>()];
    for (const group of groups()) {
      await past.keeping(group, async () => {
        for (const table of group) {
          const returned = hasUser(table) ? `'user ' || subject` : 'null';
          const deletion = `delete from ${table} ${first(table, HELD[table])} returning *`;
          gone.set(table, await past.query(`with gone as (${deletion}) select ${returned} as "userId" from gone`));
        }
        differences.push(...(await compare()));
        for (const table of group) rows.set(table, await past.growthOf(table));
      });
    }
    return { differences, gone, rows };
  });

  it('finds nothing in an intact database and leaves nothing behind', async () => {
    expect(await compare()).toEqual([]);
    expect(await past.query("select from pg_namespace where nspname = 'laurel_rebuild'")).toEqual([]);
  });

  it('finds nothing while events are recorded', async () => {
    let isOver = false;
    const compared = compare().finally(() => (isOver = true));
    while (!isOver) await past.service.engine.submit([lesson('ada')]);
    expect(await compared).toEqual([]);
  });

  it.each(READ_MODELS)('names the user of a row missing from %s and changes nothing', async (table) => {
    const { differences, gone, rows } = await missing();
    expect(gone.get(table)).toHaveLength(1);
    expect(differences).toContainEqual({ table, ...gone.get(table)?.[0] });
    expect(rows.get(table)).toBe(-1);
  });

  it('accepts ranks of a release that did not count participants', async () => {
    const planted = 'update rank_changes set participants = null';
    expect(await past.foundAfter({ rank_changes: planted }, true)).toEqual([]);
    await past.query(planted);
    expect(await compare(['leaderboards'])).toEqual([]);
  });

  it('finds a rank that contradicts the log, which no verification finds', async () => {
    const planted = `update rank_changes set rank = rank + 1 ${first('rank_changes')}`;
    expect(await past.foundAfter({ rank_changes: planted }, true)).toEqual([]);
    await past.query(planted);
    expect((await compare(['leaderboards'])).map(({ table }) => table)).toEqual(['rank_changes']);
    expect(await compare(['users', 'streaks'])).toEqual([]);
  });
});
