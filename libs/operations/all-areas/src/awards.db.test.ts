import { compileHistory } from '@laurel/configuration';
import { tablesOf, type Boost, type DigestSql, type PointsAward, type Row, type Subject } from '@laurel/kernel';
import { PointsQueries, pointsArea } from '@laurel/points';
import { AreaRows, publicationsIn } from '@laurel/engine';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import { inSteps, live, lives, type Outcome } from '@laurel/testing/histories';
import { UserQueries } from '@laurel/users';
import fc from 'fast-check';
import { v5 } from 'uuid';
import { MIGRATIONS } from './all-migrations.ts';
import { USER_AREAS } from './user-areas.ts';

const ACCOUNT = 'default';
const AWARDS = 'c31c1f2e-6f0b-5d57-9a63-6a6f0f1f7b1d';
const SYSTEMS = ['xp', 'energy'];
/** Before everything: nothing has fallen due. */
const NEVER = 0;

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase(MIGRATIONS);
});
afterAll(() => database.close());

/** As an engine stores them, so many events in a statement. */
async function store(outcomes: readonly Outcome[], batch: number): Promise<void> {
  await database.sql.query('truncate effects, user_states', []);
  const [effects] = tablesOf(USER_AREAS).filter(({ name }) => name === 'effects');
  if (!effects) throw new Error('no area has effects');
  for (let first = 0; first < outcomes.length; first += batch) {
    const rows = new AreaRows();
    for (const { rows: texts } of outcomes.slice(first, first + batch))
      rows.add(new Map([['effects', texts.filter((text) => text.startsWith('effects ')).map(rowIn)]]));
    const merged = rows.merged([effects]).get('effects') ?? [];
    expect(new Set(merged.map(({ subject, position }) => `${String(subject)} ${String(position)}`)).size).toBe(
      merged.length,
    );
    await database.sql.query(
      `insert into effects select * from json_populate_recordset(null::effects, $1::json) ${effects.onConflict}`,
      [JSON.stringify(merged)],
    );
  }
  await database.sql.query('insert into user_states (account, subject) select distinct $1, subject from effects', [
    ACCOUNT,
  ]);
}

const rowIn = (text: string): Row =>
  Object.fromEntries(JSON.parse(text.slice('effects '.length)) as [string, unknown][]);

const digestSql = (names: Readonly<Record<'triggers' | 'systems' | 'boosts', readonly string[]>>): DigestSql => ({
  directory: 'subjects',
  ofUsers:
    'join (select account, subject, subject::text as user_id from user_states) u using (subject) where u.account = $1',
  name: (list, column) =>
    `(array[${names[list as keyof typeof names].map((name) => `'${name}'`).join()}]::text[])[${column}]`,
});

const boostText = ({ id, name, multiplier, rounding, start, end }: Boost): string =>
  JSON.stringify([id, name, multiplier, rounding, start, end]);

type Given = Omit<PointsAward, 'id'> & { readonly position: number; readonly subject: Subject };

const awardsIn = (outcomes: readonly Outcome[]): readonly Given[] =>
  outcomes.flatMap(({ position, subject, awards }) =>
    (awards as readonly Omit<PointsAward, 'id'>[]).map((award) => ({ ...award, position, subject })),
  );

describe('the awards, for any sequence of events', () => {
  it('are read from the effects of events, with the ids that answers had', async () => {
    await fc.assert(
      fc.asyncProperty(lives, fc.integer({ min: 1, max: 12 }), async (steps, batch) => {
        const { records } = await live(steps, 7);
        const { outcomes } = await inSteps(records, { cuts: [], stored: false });
        await store(outcomes, batch);
        const states = new Map(outcomes.map(({ subject, states: now }) => [subject, now as { points: unknown }]));
        const history = compileHistory(ACCOUNT, publicationsIn(records));
        const read = (_: string, subject: Subject) => Promise.resolve(states.get(subject)?.points ?? null);
        const points = new PointsQueries(
          database.sql,
          { read },
          () => history,
          new UserQueries(database.sql, { read }, () => history),
        );
        const eventIds = new Map(records.map(({ position, eventId }) => [position, eventId]));
        const given = awardsIn(outcomes);
        const configured = SYSTEMS.filter((system) => history.current.pointsSystemByKey.has(system));
        for (const subject of states.keys())
          for (const system of configured) {
            const own = given.filter((award) => award.subject === subject && award.system === system);
            const expected = own.toReversed().map(({ triggerId, awarded, total, at, due, position }) => ({
              id: due ? null : v5(JSON.stringify([eventIds.get(position), triggerId]), AWARDS),
              triggerId,
              awarded,
              total,
              at,
            }));
            for (const limit of [1, 3, 1_000])
              expect(await points.awards({ account: ACCOUNT, subject }, system, NEVER, limit)).toEqual(
                expected.slice(0, limit),
              );
            const exported = (await points.exportOf(ACCOUNT, subject, NEVER)).get(system);
            const last = own.slice(-3).map(({ at, awarded, total }) => ({ at, awarded, total }));
            expect(exported).toMatchObject({ awards: own.length, last });
          }
      }),
      { numRuns: 20 },
    );
  });

  it('are digested like a table with one row per award', async () => {
    const effects = pointsArea.tables.find(({ name }) => name === 'effects');
    await fc.assert(
      fc.asyncProperty(lives, async (steps) => {
        const { records } = await live(steps, 7);
        const { outcomes } = await inSteps(records, { cuts: [], stored: false });
        await store(outcomes, 5);
        const { triggers, systems, boosts } = compileHistory(ACCOUNT, publicationsIn(records)).current.names;
        const digest = effects?.digest?.(
          digestSql({ triggers: triggers.all, systems: systems.all, boosts: boosts.all }),
        );
        const eventIds = new Map(records.map(({ position, eventId }) => [position, eventId]));
        const ordinals = new Map<string, number>();
        const rows = awardsIn(outcomes).map(
          ({ subject, position, system, triggerId, awarded, total, at, date, due, boosts: by }) => {
            const key = `${subject} ${position}`;
            ordinals.set(key, (ordinals.get(key) ?? 0) + 1);
            return {
              user_id: String(subject),
              position,
              ordinal: ordinals.get(key),
              trigger: ['grant', 'spend', 'refund'].includes(triggerId) ? `${triggerId} ${system}` : triggerId,
              awarded: String(awarded),
              total: String(total),
              at: new Date(at),
              date,
              event_id: due ? null : eventIds.get(position),
              boosts: by?.map((boost) => ` ${boostText(boost)}`).join(''),
            };
          },
        );
        const expected = await database.sql.query<{ value: string }>(
          `select row(user_id, position, ordinal, trigger, awarded, total, at, date, event_id)::text || coalesce(boosts, '') as value
           from json_to_recordset($1::json) as r (user_id text, position bigint, ordinal bigint,
             trigger text, awarded text, total text, at timestamptz, date date, event_id uuid, boosts text) order by value`,
          [JSON.stringify(rows)],
        );
        const found = await database.sql.query<{ value: string }>(`${digest} order by value`, [ACCOUNT]);
        expect(found).toEqual(expected);
      }),
      { numRuns: 10 },
    );
  });
});
