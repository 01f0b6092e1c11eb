import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import pg from 'pg';
import { foldedCharacter } from './folding.ts';
import { switchOn } from './user-search-sql.ts';

const STATES = {
  name: '0001-states',
  sql: `create table user_states (
    account text collate "C" not null, subject bigint not null, users jsonb not null, primary key (account, subject)
  )`,
};

/** Every way in which a database may know letters. */
const PROVIDERS = [
  "locale_provider libc locale 'C'",
  "locale_provider libc locale 'C.UTF-8'",
  "locale_provider builtin builtin_locale 'C.UTF-8'",
  "locale_provider builtin builtin_locale 'PG_UNICODE_FAST'",
  "locale_provider icu icu_locale 'und'",
  "locale_provider icu icu_locale 'tr'",
];

/** Postgres has a locale provider of its own since 17, with PG_UNICODE_FAST since 18. */
const BUILTIN_SINCE = 180_000;

/** What Unicode says, for one character at a time. @param decomposed in the form NFKD */
const reference = (decomposed: string): string =>
  [...decomposed.replace(/\p{M}/gu, '')].map(foldedCharacter).join('').replace(/\s+/g, ' ').trim();

const EVERY_CHARACTER = Array.from({ length: 0x10ffff }, (_, place) => place + 1)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
  // Most characters are ideographs, which are all alike.
  .filter((character) => !/\p{Cn}|\p{Co}|\p{Script=Han}|\p{Script=Hangul}/u.test(character));
const SOME_CHARACTERS = EVERY_CHARACTER.filter((_, place) => place % 20 === 0);

const ALIKE = [
  ['José Ñandú', 'jose nandu', 'JOSÉ  ÑANDÚ'],
  ['straße', 'STRASSE', 'STRAẞE'],
  ['Ωμέγας', 'ΩΜΕΓΑΣ', 'ωμεγασ'],
  ['ﬁnance', 'FINANCE'],
  ['Ａｄａ', 'ada'],
  ['İstanbul', 'istanbul'],
  ['Nguyễn', 'NGUYEN'],
  ['Čapek', 'capek'],
  ['Øre', 'øre'],
];

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase([STATES]);
  await database.sql.query(switchOn(), []);
});
afterAll(() => database.close());

it('a search term is NFKD without marks and fully case folded, for every character', async () => {
  // Node and Postgres may be of different versions of Unicode, and decompose different characters.
  const rows = await database.sql.query<{ decomposed: string; term: string }>(
    `select normalize(character, nfkd) as decomposed, user_search_term(character) as term
     from unnest($1::text[]) character`,
    [EVERY_CHARACTER],
  );
  expect(rows.length).toBeGreaterThan(30_000);
  const wrong = rows.filter(({ decomposed, term }) => term !== reference(decomposed));
  expect(wrong.slice(0, 20).map(({ decomposed, term }) => [decomposed, term, reference(decomposed)])).toEqual([]);
});

it.each(PROVIDERS)('a search term is the same in a database with %s', async (provider) => {
  const [server] = await database.sql.query<{ version: number }>(
    "select current_setting('server_version_num')::int as version",
    [],
  );
  if (provider.includes('builtin') && (server?.version ?? 0) < BUILTIN_SINCE) return;
  const admin = new pg.Client(database.config);
  await admin.connect();
  const name = `folding_${PROVIDERS.indexOf(provider)}`;
  try {
    await admin.query(`create database ${name} template template0 encoding 'UTF8' ${provider}`);
    const other = new pg.Client({ ...database.config, database: name });
    await other.connect();
    try {
      await other.query(STATES.sql);
      await other.query(switchOn());
      for (const names of ALIKE) {
        const { rows } = await other.query<{ term: string }>(
          'select distinct user_search_term(name) as term from unnest($1::text[]) name',
          [names],
        );
        expect(rows).toEqual([{ term: reference((names[0] ?? '').normalize('NFKD')) }]);
      }
      const hash = `select md5(string_agg(user_search_term(c), '' order by place)) as hash
        from unnest($1::text[]) with ordinality as characters (c, place)`;
      const [expected] = await database.sql.query<{ hash: string }>(hash, [SOME_CHARACTERS]);
      expect((await other.query<{ hash: string }>(hash, [SOME_CHARACTERS])).rows).toEqual([expected]);
    } finally {
      await other.end();
    }
  } finally {
    await admin.query(`drop database if exists ${name}`);
    await admin.end();
  }
});
