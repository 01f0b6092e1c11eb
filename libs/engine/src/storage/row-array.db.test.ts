import type { Migration, Row } from '@laurel/kernel';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import fc from 'fast-check';
import { insertRows } from './postgres-tables.ts';
import { rowArray } from './row-array.ts';
import { readColumns, type Column } from './table-columns.ts';

const THINGS: Migration = {
  name: '0001-things',
  sql: `
    create table as_array (
      number bigint, gone text, at timestamptz(3), text text, "json" json, jsonb jsonb, flag boolean, value numeric, bytes bytea, id uuid
    );
    alter table as_array drop column gone;
    create table as_json (like as_array);`,
};

let database: TestDatabase;
let columns: readonly Column[];
beforeAll(async () => {
  database = await openTestDatabase([THINGS]);
  columns = (await readColumns(database.sql, ['as_array'])).get('as_array') ?? [];
});
afterAll(() => database.close());

/** Anything that a text of Postgres may hold, and often what has a meaning in a row or an array. */
const text = fc
  .oneof(fc.string({ unit: 'binary' }), fc.string({ unit: fc.constantFrom(...'"\\(),{}\' \t\n\rNULaé') }))
  .map((value) => value.replaceAll('\0', ''));
const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value).replaceAll('\\u0000', '')) as unknown);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 4 });

const row: fc.Arbitrary<Row> = fc.record(
  {
    number: maybe(fc.maxSafeInteger()),
    at: maybe(fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }).map((at) => at.toJSON())),
    text: maybe(text),
    json: maybe(fc.oneof(text, fc.dictionary(text, text), fc.integer(), fc.boolean())),
    jsonb: maybe(fc.oneof(fc.array(text), fc.dictionary(fc.string(), text), json)),
    flag: maybe(fc.boolean()),
    value: maybe(fc.integer().map((value) => String(value / 1_000))),
    bytes: maybe(fc.uint8Array().map((bytes) => `\\x${Buffer.from(bytes).toString('hex')}`)),
    id: maybe(fc.uuid()),
  },
  { requiredKeys: [] },
);

describe('rows encoded as an array', () => {
  it('are stored exactly as rows encoded as JSON', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 20 }), async (rows) => {
        await database.sql.query('truncate as_array, as_json', []);
        await database.sql.query('insert into as_array select * from unnest($1::text::as_array[])', [
          rowArray(columns, rows),
        ]);
        await database.sql.query(insertRows('as_json', 'as_json', ''), [JSON.stringify(rows)]);
        const of = (table: string) => database.sql.query<{ row: string }>(`select t::text as row from ${table} t`, []);
        const stored = await of('as_array');
        expect(stored).toEqual(await of('as_json'));
        expect(stored).toHaveLength(rows.length);
      }),
      { numRuns: 150 },
    );
  });
});
