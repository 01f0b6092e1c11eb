import { ACCOUNT, type RecordMetricEvent } from '@laurel/kernel';
import type { VerificationFinding, VerificationProgress } from '@laurel/schemas';
import { histories, HISTORY_CONFIGURATION, lesson } from '@laurel/testing/histories';
import { openServiceDatabase } from '@laurel/testing/service-database';
import fc from 'fast-check';
import { openServiceWithPast, type ServiceWithPast } from './testing/service-with-past.ts';

let past: ServiceWithPast;
let service: ServiceWithPast['service'];

beforeAll(async () => {
  past = await openServiceWithPast(await openServiceDatabase(), {
    configuration: HISTORY_CONFIGURATION,
    crowd: { records: 1_100, lesson },
    days: fc.sample(histories, { numRuns: 8, seed: 8 }),
    late: (fc.sample(histories, { numRuns: 1, seed: 7 })[0] ?? []) as readonly RecordMetricEvent[],
  });
  ({ service } = past);
}, 120_000);

afterAll(() => past.close());

const query = (sql: string) => past.query(sql);
const findings = () => past.findings();
const foundAfter = (table: string, change: string, full = false): Promise<readonly VerificationFinding[]> =>
  past.foundAfter({ [table]: change }, full);

const MIDDLE = 'where position = 500';
const first = (table: string, which = 'true') =>
  `where ctid = (select ctid from ${table} where ${which} order by ctid limit 1)`;

/** An element of a JSON list in a column of `effects`: adds one to a number in it. */
const oneMore = (column: string, element: number, place: number) =>
  `update effects set ${column} = jsonb_set(${column}::jsonb, '{${element},${place}}', to_jsonb((${column}::jsonb -> ${element} ->> ${place})::numeric + 1))::text`;

/** Adds a copy of the record at position 500 that differs in these columns. */
const copied = (columns: string) => `
  insert into events select (jsonb_populate_record(null::events, to_jsonb(e) || jsonb_build_object('key_hash', null, ${columns}))).*
  from (select * from events ${MIDDLE}) e`;

const AWARDED = `points is not null and points::jsonb -> 0 ->> 0 <> 'level'`;
const COUNTED = `users is not null and jsonb_typeof(users::jsonb -> 0 -> 0) = 'number'`;
const moreOf = (table: string, column: string) => `update ${table} set ${column} = ${column} + 1 ${first(table)}`;
const moreOnADay = (table: string) =>
  `update ${table} set days = (select json_object_agg(day, (change::numeric + 1)::text) from json_each_text(days) as d (day, change)) ${first(table)}`;

/** Which rows say something: a counter at zero may be there or not. */
const HELD: Readonly<Record<string, string>> = { point_total_counts: 'users <> 0' };

describe('a verification', () => {
  it('finds nothing in an intact database', async () => {
    const seen: unknown[] = [];
    await service.verify(ACCOUNT, false, (progress) => seen.push(progress));
    expect(seen.filter((progress) => Object.hasOwn(progress as object, 'findings'))).toEqual([]);
    const { head } = service.engine.status();
    expect(seen).toContainEqual({ verified: head, head });
    const checks = seen.flatMap((progress) => (progress as { check?: string }).check ?? []);
    expect([...new Set(checks)]).toEqual(['log', 'effects', 'users', 'achievements', 'points', 'leaderboards']);
  });

  it('finds nothing in an intact database when it is full', async () => {
    const seen: VerificationProgress[] = [];
    await service.verify(ACCOUNT, true, (progress) => seen.push(progress));
    expect(seen.flatMap((progress) => progress.findings ?? [])).toEqual([]);
    const [row] = await query('select count(*)::integer as users from user_states');
    expect(seen).toContainEqual({ folded: row?.['users'], users: row?.['users'] });
    expect(seen.some((progress) => progress.more)).toBe(false);
  });

  it.each([
    ['subject', 'subject + 1'],
    ['occurred_at', "occurred_at + interval '1 ms'"],
    ['recorded_at', "recorded_at + interval '1 ms'"],
    ['event_id', 'gen_random_uuid()'],
    ['key_hash', 'gen_random_uuid()'],
    ['configuration_version', 'configuration_version + 1'],
    ['schema_version', '(schema_version + 1)::smallint'],
    ['type', '2'],
    ['imported', 'not imported'],
    ['account', "account || 'x'"],
    ['metric', "metric || 'x'"],
    ['value', 'value + 1'],
    ['zone', "'Asia/Tokyo'"],
    ['data', `'{"x": 1}'`],
    ['personal', `'\\x00'`],
    ['hash_prefix', 'hash_prefix # 1'],
  ])('names the record of which the column %s was changed', async (column, value) => {
    const found = await foundAfter('events', `update events set ${column} = ${value} ${MIDDLE}`);
    expect(found).toContainEqual(
      expect.objectContaining({ check: 'log', table: 'events', position: 500, eventId: expect.any(String) as string }),
    );
  });

  it('is tested against all 17 columns of the events table', async () => {
    const columns = await query(
      "select attname as name from pg_attribute where attrelid = 'events'::regclass and attnum > 0 and not attisdropped",
    );
    expect(columns).toHaveLength(17);
  });

  it.each([
    ['removed', 'events', `delete from events ${MIDDLE}`, 'events', /^events: the record at position 500 is missing/],
    [
      'moved',
      'events',
      'update events set position = 900000 where position = 500',
      'events',
      /the record at position 500 is/,
    ],
    [
      'cut off',
      'events',
      'delete from events where position = (select max(position) from events)',
      'log_head',
      /position of the last/,
    ],
    ['moved head', 'log_head', 'update log_head set position = position + 1', 'log_head', /position of the last/],
    [
      'head',
      'log_head',
      "update log_head set recorded_at = recorded_at + interval '1 s'",
      'log_head',
      /instant of the last/,
    ],
    ['chain', 'log_chain', 'update log_chain set position = position - 1', 'log_chain', /position of the last/],
    ['size', 'log_chain', 'update log_chain set size = size - 1', 'log_chain', /number of records/],
    [
      'root',
      'log_chain',
      'update log_chain set frontier = set_byte(frontier, 3, 255 - get_byte(frontier, 3))',
      'log_chain',
      /Merkle tree/,
    ],
    [
      'checkpoint',
      'log_checkpoints',
      'update log_checkpoints set nodes = set_byte(nodes, 3, 255 - get_byte(nodes, 3))',
      'log_checkpoints',
      /at 1024 records/,
    ],
    [
      'checkpoint removed',
      'log_checkpoints',
      'delete from log_checkpoints',
      'log_checkpoints',
      /1024 records.* is missing/,
    ],
    [
      'checkpoint added',
      'log_checkpoints',
      "insert into log_checkpoints values (1030, 1030, '')",
      'log_checkpoints',
      /1030 records.* must not be there/,
    ],
  ])('finds a change of the log: %s', async (_, changed, change, table, message) => {
    const found = await foundAfter(changed, change);
    expect(
      found.filter((finding) => finding.check === 'log').map((finding) => [finding.table, finding.message]),
    ).toContainEqual([table, expect.stringMatching(message)]);
  });

  it.each([
    ['behind the head', 1, `'event_id', gen_random_uuid()`],
    ['behind the head, without its hash', 1, `'event_id', gen_random_uuid(), 'hash_prefix', null`],
    ['far behind the head', 9_000, `'event_id', gen_random_uuid()`],
    ['before the first', null, `'event_id', gen_random_uuid()`],
    ['before the first, of nobody', null, `'event_id', gen_random_uuid(), 'subject', null`],
    ['behind the head, doubled', 1, `'type', type`],
    ['before the first, doubled', null, `'type', type`],
  ])('names an added record: %s', async (where, behind, columns) => {
    const position = behind === null ? 0 : service.engine.status().head + behind;
    const found = await foundAfter('events', copied(`'position', ${position}, ${columns}`));
    const whose = where.endsWith('of nobody') ? '' : ' of user ".+"';
    const message = `^events: the record${whose} at position ${position} is in the log and must not be there\\.$`;
    expect(found.filter(({ check }) => check === 'log')).toEqual([
      expect.objectContaining({ table: 'events', position, message: expect.stringMatching(message) as string }),
    ]);
  });

  it('names a record that was overwritten with a copy of another', async () => {
    const doubled = `
      update events e set event_id = o.event_id, subject = o.subject, metric = o.metric, value = o.value, hash_prefix = o.hash_prefix
      from (select * from events where position = 501) o where e.position = 500`;
    const found = await foundAfter('events', doubled);
    expect(found).toContainEqual(expect.objectContaining({ check: 'log', table: 'events', position: 500 }));
  });

  it('relies on unique keys against two records at one position and two rows of a user', async () => {
    for (const [table, columns] of [
      ['events', {}],
      ['subjects', { subject: 77 }],
      ['subjects', { user_id: 'other' }],
    ] as const) {
      const doubled = `
        insert into ${table} select (jsonb_populate_record(null::${table}, to_jsonb(t) || '${JSON.stringify(columns)}')).*
        from (select * from ${table} order by ctid limit 1) t`;
      await expect(query(doubled)).rejects.toThrow(/duplicate key/);
    }
  });

  it('accepts a subject without events, because it is assigned before the first event is recorded', async () => {
    const added = `insert into subjects values ('${ACCOUNT}', 77, 'new', '')`;
    expect(await foundAfter('subjects', added, true)).toEqual([]);
  });

  it('names an erased user who is still in the directory', async () => {
    const found = await foundAfter('events', `update events set type = 12 ${MIDDLE}`);
    const messages = found.filter(({ table }) => table === 'subjects').map(({ message }) => message);
    expect(messages).toEqual([
      expect.stringMatching(/^subjects: the id of user ".+" is known to the directory and must not be there\.$/),
    ]);
  });

  it.each([
    [
      'the instant',
      'effects',
      `update effects set occurred_at = occurred_at + interval '1 ms' ${first('effects')}`,
      /row of the event of user ".*" at position \d+ is/,
    ],
    [
      'the event',
      'effects',
      `update effects set event_id = gen_random_uuid() ${first('effects', 'event_id is not null')}`,
      /id of the event that awarded points of user/,
    ],
    [
      'the systems',
      'effects',
      `update effects set systems = '77' ${first('effects', 'systems is not null')}`,
      /list of systems/,
    ],
    ['a change', 'effects', `${oneMore('users', 0, 1)} ${first('effects', COUNTED)}`, /the change of a metric of user/],
    [
      'a metric’s total',
      'effects',
      `${oneMore('users', 0, 2)} ${first('effects', COUNTED)}`,
      /the total of \S+ of user/,
    ],
    ['an award', 'effects', `${oneMore('points', 0, 1)} ${first('effects', AWARDED)}`, /running total of \S+ of user/],
    [
      'a running total',
      'effects',
      `${oneMore('points', 0, 2)} ${first('effects', AWARDED)}`,
      /running total of \S+ of user/,
    ],
    ['what is not JSON', 'effects', `update effects set points = 'x' ${first('effects', AWARDED)}`, /unreadable/],
    ['a user’s id', 'subjects', `delete from subjects ${first('subjects')}`, /^subjects: the id of the unknown user/],
    ['a state', 'user_states', `delete from user_states ${first('user_states')}`, /^user_states: the row of user/],
    [
      'a metric in the state',
      'user_states',
      `update user_states set users = jsonb_set(users, '{totals,0,1}', '"9999"') ${first('user_states', `users -> 'totals' -> 0 is not null`)}`,
      /the total of \S+ of user ".*" is 9999 and must be/,
    ],
    [
      'points in the state',
      'user_states',
      `update user_states set points = jsonb_set(points, '{systems,0,1}', '"9999"') ${first('user_states', `points -> 'systems' -> 0 is not null`)}`,
      /the total of \S+ of user ".*" is 9999 and must be/,
    ],
    [
      'earned points in the state',
      'user_states',
      `update user_states set points = jsonb_set(points, '{systems,0,5}', '"9999"') ${first('user_states', `points #> '{systems,0,5}' is not null`)}`,
      /the points earned in \S+ of user ".*" is 9999 and must be/,
    ],
    ['a month', 'metric_months', moreOnADay('metric_months'), /^metric_months: \S+ on \S+ of user/],
    ['a metric’s day', 'metric_day_counts', moreOf('metric_day_counts', 'total'), /total of \S+ on/],
    ['a metric’s events', 'metric_day_counts', moreOf('metric_day_counts', 'events'), /number of events of/],
    ['users', 'user_counts', moreOf('user_counts', 'users'), /number of users/],
    ['new users', 'user_day_counts', moreOf('user_day_counts', 'new_users'), /number of new users/],
    ['active users', 'user_day_counts', moreOf('user_day_counts', 'active_users'), /number of active users on/],
    [
      'a clock',
      'user_zones',
      `update user_zones set zone = 'Asia/Seoul' ${first('user_zones')}`,
      /the zone of user ".*" at position \d+ is Asia\/Seoul/,
    ],
    [
      'a completion',
      'achievement_completions',
      `update achievement_completions set achieved_at = achieved_at + interval '1 ms' ${first('achievement_completions')}`,
      /completion of \S+ of user/,
    ],
    ['completions', 'achievement_counts', moreOf('achievement_counts', 'completions'), /number of completions of/],
    ['points of a month', 'points_months', moreOnADay('points_months'), /^points_months: \S+ on \S+ of user/],
    ['points given', 'point_day_counts', moreOf('point_day_counts', 'awarded'), /what was awarded in/],
    ['points taken', 'point_day_counts', moreOf('point_day_counts', 'consumed'), /what was consumed in/],
    ['users by points', 'point_total_counts', moreOf('point_total_counts', 'users'), /number of users with points/],
  ])('finds a change of %s and names it', async (_, table, change, message) => {
    const found = await foundAfter(table, change);
    const messages = found.filter((finding) => finding.table === table).map((finding) => finding.message);
    expect(messages).toContainEqual(expect.stringMatching(message));
  });

  describe('of the index of users', () => {
    const ONE = first('user_states');
    beforeAll(async () => {
      await query('create table unnamed as table user_states');
      await service.userSearch.turn(true);
      await query(`update user_states set users = users || '{"name": "Ada  King Lovelace", "email": "A@b.c"}' ${ONE}`);
    });
    afterAll(async () => {
      await service.userSearch.turn(false);
      await query('update user_states s set users = u.users from unnamed u where u.subject = s.subject');
      await query('drop table unnamed');
    });

    it('finds nothing in the entries that the service maintains', async () => {
      expect(await query('select term from user_search order by term')).toHaveLength(4);
      expect(await findings()).toEqual([]);
    });

    it.each([
      [
        'a term that was changed',
        `update user_search set term = 'ida' where term = 'lovelace'`,
        [
          /^user_search: the entry of the name "ida" of user ".+" is behind "king lovelace" and must not be there\.$/,
          /^user_search: the entry of the name "lovelace" of user ".+" is missing and must be behind "king lovelace"\.$/,
        ],
      ],
      [
        'a term before it',
        `update user_search set previous = null where term = 'king lovelace'`,
        [
          /^user_search: the entry of the name "king lovelace" of user ".+" is the first and must be behind "ada king lovelace"\.$/,
        ],
      ],
      [
        'an entry that was removed',
        `delete from user_search where kind = 'email'`,
        [/^user_search: the entry of the email "a@b\.c" of user ".+" is missing and must be the first\.$/],
      ],
      [
        'an entry of an unknown user',
        `insert into user_search values ('default', 'email', 'x@y.z', 999999, null)`,
        [
          /^user_search: the entry of the email "x@y\.z" of the unknown user with subject 999999 is the first and must not be there\.$/,
        ],
      ],
    ])('finds %s and names it', async (_, change, messages) => {
      const found = await foundAfter('user_search', change);
      expect(found.map(({ message }) => message).sort()).toEqual(messages.map((one) => expect.stringMatching(one)));
    });
  });

  it.each([
    ...['effects', 'metric_months', 'metric_day_counts', 'user_counts', 'user_day_counts', 'user_zones'],
    ...['achievement_completions', 'achievement_counts', 'points_months', 'point_day_counts', 'point_total_counts'],
  ])('finds a row that was removed from %s', async (table) => {
    const found = await foundAfter(table, `delete from ${table} ${first(table, HELD[table])}`);
    expect(found.map((finding) => finding.table)).toContain(table);
  });

  it('limits the number of findings and says that there are more', async () => {
    await query('create table kept as table effects');
    await query('truncate effects');
    let more = false;
    let found = 0;
    await service.verify(ACCOUNT, false, (progress) => {
      more = progress.more ?? more;
      found = progress.findings?.length ?? found;
    });
    await query('insert into effects table kept');
    await query('drop table kept');
    expect(more).toBe(true);
    expect(found).toBeGreaterThan(10);
    expect(found).toBeLessThanOrEqual(100);
    expect(await findings()).toEqual([]);
  });
});
