import { PostgresDirectory } from '@laurel/directory';
import { keyHashOf, OldLogError, PostgresLogReader } from '@laurel/event-store';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import { createOldSchema, insertOldRecord } from '@laurel/testing/histories';
import { rebuildStopped } from './rebuild-stopped.ts';
import { storedDigest } from '@laurel/all-areas';
import { upgradeStopped } from './upgrade-stopped.ts';

const DOCUMENT = {
  version: 1,
  metrics: [{ key: 'lessons', name: 'Lessons' }],
  achievements: [{ key: 'profile', name: 'Profile', trigger: { type: 'api' } }],
  points: [
    {
      key: 'xp',
      name: 'XP',
      triggers: [
        { type: 'metric', metric: 'lessons', threshold: 1, points: 10 },
        { type: 'time', unit: 'day', interval: 1, points: 1 },
      ],
    },
  ],
  leaderboards: [{ key: 'all', name: 'All', rankBy: 'metric', metric: 'lessons', start: '2026-01-01' }],
};
/** More than two pieces of the move. */
const LESSONS = 2_500;
const HEAD = LESSONS + 5;
const UTF8_READ_AS_LATIN1 = 'schlÃ¼ssel';
const NOTHING = { onMoved: () => undefined, onApplied: () => undefined };

let database: TestDatabase;
beforeEach(async () => {
  database = await openTestDatabase([]);
  await fillOldLog();
});
afterEach(() => database.close());

describe('the upgrade of an event store of release 0.1', () => {
  it('keeps order, instants, ids, values and used keys', async () => {
    const before = await database.sql.query<{ event_id: string; occurred_at: Date }>(
      'select event_id, occurred_at, recorded_at from events order by position',
      [],
    );
    expect(await upgradeStopped(database.connection, NOTHING)).toBe(HEAD);

    const directory = new PostgresDirectory(database.sql);
    const log = new PostgresLogReader(database.sql, directory);
    const records = await log.read(0, HEAD + 1);
    expect(records.map(({ position }) => position)).toEqual(before.map((_, index) => index + 1));
    expect(records.map(({ eventId }) => eventId)).toEqual(before.map((row) => row.event_id));
    expect(records.map(({ occurredAt }) => occurredAt)).toEqual(before.map((row) => row.occurred_at.getTime()));

    const ada = (await directory.find('default', 'lovelace')) ?? 0;
    const bob = (await directory.find('default', 'hopper')) ?? 0;
    const facts = records.slice(-4).map(({ fact }) => fact);
    const user = {
      name: 'Ada',
      email: 'ada@example.org',
      tz: 'Asia/Tokyo',
      attributes: new Map([
        ['10', 'x'],
        ['2', null],
      ]),
      deviceTokens: ['t'],
      subscribeToEmails: false,
    };
    expect(facts).toMatchObject([
      { type: 'UserIdentified', subject: ada, user },
      { type: 'AchievementCompletedByCall', subject: bob, achievement: 'profile', user: { tz: null } },
      { type: 'UsersSwept', subjects: [bob, ada] },
      {
        type: 'MetricEventRecorded',
        subject: ada,
        value: 2_500_000n,
        imported: true,
        attributes: new Map([['course', 'greek-of-ada']]),
      },
    ]);

    const hashOf = (key: string) => keyHashOf({ account: 'default', subject: ada, metric: 'lessons', key });
    const used = await log.findKeys([UTF8_READ_AS_LATIN1, 'k2', 'k3', 'never'].map(hashOf));
    expect(used.map(({ position }) => position).sort((a, b) => a - b)).toEqual([3, HEAD]);
  });

  it('leaves no ids, keys or personal fields as clear text', async () => {
    await upgradeStopped(database.connection, NOTHING);
    const rows = await database.sql.query<{ text: string }>(
      `select t::text as text from events t union all select encode(personal, 'escape') from events
       where personal is not null`,
      [],
    );
    const text = rows.map((row) => row.text).join('\n');
    const told = ['lovelace', 'hopper', 'example.org', 'Ada', 'schl', 'k25', 'greek-of-ada'].filter((clear) =>
      text.includes(clear),
    );
    expect(told).toEqual([]);
  });

  it('resumes where it was interrupted, and nothing else can run until it is done', async () => {
    const moved: number[] = [];
    const cut = upgradeStopped(database.connection, {
      ...NOTHING,
      onMoved: (position) => {
        moved.push(position);
        throw new Error('killed');
      },
    });
    await expect(cut).rejects.toThrow('killed');
    await expect(rebuildStopped(database.connection, [])).rejects.toThrow(OldLogError);
    const again: number[] = [];
    await upgradeStopped(database.connection, { ...NOTHING, onMoved: (position) => again.push(position) });
    expect([...moved, ...again]).toEqual([1_000, 2_000, HEAD]);
    const digest = await storedDigest(database.connection, 'default');
    expect(await upgradeStopped(database.connection, NOTHING)).toBeNull();
    await rebuildStopped(database.connection, []);
    expect(await storedDigest(database.connection, 'default')).toEqual(digest);
  });

  it('gives the same read models with and without an interruption, whatever the subjects', async () => {
    await upgradeStopped(database.connection, NOTHING);
    const one = await storedDigest(database.connection, 'default');
    await database.close();
    database = await openTestDatabase([]);
    await fillOldLog();
    await upgradeStopped(database.connection, NOTHING);
    expect(await storedDigest(database.connection, 'default')).toEqual(one);
    await database.sql.query("update subjects set user_id = 'byron' where user_id = 'lovelace'", []);
    const swapped = await storedDigest(database.connection, 'default');
    expect(swapped.lines.every(({ digest }, index) => digest !== one.lines[index]?.digest)).toBe(true);
  });
});

/** As release 0.1 leaves it: its schema, and one record after the other. */
async function fillOldLog(): Promise<void> {
  await createOldSchema(database.connection);
  await insert(1, 'ConfigurationPublished', { version: 1, document: DOCUMENT });
  await database.sql.query(
    `insert into events
     select 1 + n, 'default', md5('event ' || n)::uuid, 'MetricEventRecorded', 1, 1, case n % 2 when 0 then 'lovelace' else 'hopper' end,
       'lessons', 'k' || n, timestamptz '2026-03-01T12:00:00.123Z' + n * interval '1 minute',
       timestamptz '2026-03-01T12:00:00.123Z' + n * interval '1 minute', '{"value": "1"}'
     from generate_series(1, $1::int) n`,
    [LESSONS],
  );
  const user = {
    name: 'Ada',
    email: 'ada@example.org',
    tz: 'Asia/Tokyo',
    attributes: [
      ['10', 'x'],
      ['2', null],
    ],
    deviceTokens: ['t'],
    subscribeToEmails: false,
  };
  await insert(LESSONS + 2, 'UserIdentified', { user }, 'lovelace');
  await insert(LESSONS + 3, 'AchievementCompletedByCall', { achievement: 'profile', user: { tz: null } }, 'hopper');
  await insert(LESSONS + 4, 'UsersSwept', { userIds: ['hopper', 'lovelace'] });
  const attributes = [['course', 'greek-of-ada']];
  await insert(
    HEAD,
    'MetricEventRecorded',
    { value: '2.5', imported: true, attributes },
    'lovelace',
    UTF8_READ_AS_LATIN1,
  );
  await database.sql.query('update log_head set position = $1', [HEAD]);
}

const insert = (position: number, type: string, data: object, user?: string, key?: string) =>
  insertOldRecord(database.sql, { position, type, data, ...(user && { user }), ...(key && { key }) });
