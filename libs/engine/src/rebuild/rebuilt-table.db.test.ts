import type { Row } from '@laurel/kernel';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import fc from 'fast-check';
import pg from 'pg';
import { insertRows } from '../storage/postgres-tables.ts';
import { RebuiltTable } from './rebuilt-table.ts';
import { COUNTS, NOTES } from './rebuilt-tables.fixture.ts';

const TABLES = `
  create table counts (key text collate "C" primary key, n bigint not null);
  create index counts_n on counts (n) where n > 1;
  create table notes (position bigint, text text, at timestamptz(3), day date, json jsonb, yes boolean, id uuid, value numeric);
  create table notes_inserted (like notes);
  alter table notes add unique (position);`;

let database: TestDatabase;
let client: pg.Client;

beforeEach(async () => {
  database = await openTestDatabase([{ name: '0001-tables', sql: TABLES }]);
  client = new pg.Client(database.connection);
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await database.close();
});

const rowsIn = async (table: string): Promise<unknown[]> =>
  (await client.query<{ row: unknown }>(`select to_jsonb(t) as row from ${table} t order by t::text`)).rows.map(
    ({ row }) => row,
  );
const keys = async (): Promise<unknown[]> =>
  (await client.query("select indexdef from pg_indexes where schemaname = 'public' order by indexname")).rows;

describe('a table during a rebuild', () => {
  it('takes appended rows chunk by chunk, and gets its former keys at the end', async () => {
    const before = await keys();
    const notes = await RebuiltTable.open(client, NOTES);
    const counts = await RebuiltTable.open(client, COUNTS);
    expect(await keys()).toEqual([]);
    for (const position of [1, 2]) {
      notes.add([{ position }]);
      await notes.write(client);
      expect(await rowsIn('notes')).toHaveLength(position);
    }
    for (const table of [notes, counts]) await table.spill(client);
    expect(await keys()).toEqual(before);
  });

  it('keeps rows that merge in memory until the end, and writes each once', async () => {
    const counts = await RebuiltTable.open(client, COUNTS);
    for (let chunk = 0; chunk < 3; chunk++) {
      counts.add([
        { key: 'a', n: 1 },
        { key: `b${chunk}`, n: 2 },
      ]);
      await counts.write(client);
    }
    expect(await rowsIn('counts')).toEqual([]);
    expect(counts.heldBytes).toBeGreaterThan(0);
    expect(counts.held('a')).toEqual({ key: 'a', n: 3 });
    await counts.spill(client);
    expect(counts.heldBytes).toBe(0);
    expect(await rowsIn('counts')).toEqual([{ key: 'a', n: 3 }, ...['b0', 'b1', 'b2'].map((key) => ({ key, n: 2 }))]);
    const { rows } = await client.query('select from counts where xmin <> (select c.xmin from counts c limit 1)');
    expect(rows).toEqual([]);
  });

  it('merges later rows in the database after it had to write the earlier ones', async () => {
    const counts = await RebuiltTable.open(client, COUNTS);
    for (let chunk = 0; chunk < 3; chunk++) {
      counts.add([{ key: 'a', n: 1 }]);
      await counts.spill(client);
    }
    expect(await rowsIn('counts')).toEqual([{ key: 'a', n: 3 }]);
  });

  it('writes rows that replace others at once, and must spill before it replaces them', async () => {
    const counts = await RebuiltTable.open(client, COUNTS);
    counts.put([{ key: 'a', n: 1 }]);
    await counts.write(client);
    expect(await rowsIn('counts')).toEqual([{ key: 'a', n: 1 }]);
    expect(counts.mustSpill).toBe(true);
    await counts.spill(client);
    expect(counts.mustSpill).toBe(false);
    counts.put([{ key: 'b', n: 1 }]);
    await counts.write(client);
    expect(counts.mustSpill).toBe(true);
    await counts.spill(client);
    expect(await rowsIn('counts')).toHaveLength(2);
  });

  it('reports a row that the table refuses, after which the connection is still usable', async () => {
    const notes = await RebuiltTable.open(client, NOTES);
    notes.add([{ position: 1 }, { position: 'one' }]);
    await expect(notes.write(client)).rejects.toThrow('invalid input syntax for type bigint: "one"');
    expect(await rowsIn('notes')).toEqual([]);
  });

  it('stores any value as an insert from JSON does', async () => {
    const text = fc.option(
      fc.string({ unit: fc.constantFrom('\\', '\t', '\n', '\r', 'N', '.', '"', "'", 'é', '😀', 'b') }),
    );
    const value: fc.Arbitrary<Row> = fc.record(
      {
        text,
        at: fc.constantFrom(null, '2026-03-06T08:00:00.123Z'),
        day: fc.constant('0007-01-31'),
        json: fc.oneof(text, fc.integer(), fc.boolean(), fc.constant({ a: ['\\N', '\n', null, 0.5] })),
        yes: fc.boolean(),
        id: fc.uuid(),
        value: fc.constantFrom('-12.5', 3, '9007199254740993.000001'),
      },
      { requiredKeys: [] },
    );
    const rows = fc.sample(value, { numRuns: 1_000, seed: 1 }).map((row, position) => ({ ...row, position }));
    const notes = await RebuiltTable.open(client, NOTES);
    notes.add(rows);
    await notes.write(client);
    await client.query(insertRows('notes_inserted', 'notes_inserted', ''), [JSON.stringify(rows)]);
    expect(await rowsIn('notes')).toEqual(await rowsIn('notes_inserted'));
  });
});
