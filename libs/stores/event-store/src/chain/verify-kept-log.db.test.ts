import type { NewRecord } from '@laurel/kernel';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import { MemoryDataKeys } from '@laurel/testing/http-modules';
import { startFakeEventStoreDb } from '@laurel/testing/event-store-db';
import { systemClock } from '@laurel/testing/clock';
import { parseAmount } from '@laurel/amounts';
import { randomUUID } from 'node:crypto';
import {
  DEFAULT_EVENT_STORE_DB_OPTIONS,
  EventStoreDbEventStore,
} from '../event-store-db/event-store-db-event-store.ts';
import { eventStoreMigrations } from '../migrations.ts';
import { LogCopy } from '../event-store-db/log-copy.ts';
import { COPIED_LOG } from '../postgres/log-tables.ts';
import { PostgresLogReader } from '../postgres/postgres-log-reader.ts';
import { textOfRecord, type StoredLog, type StoredRecord } from '../stored-record.ts';
import { catchUpChain } from './postgres-chain.ts';
import { verifyKeptLog } from './verify-kept-log.ts';
import type { LogFinding } from './verify-log.ts';

/** Two checkpoints, and some more. */
const RECORDS = 2_100;

const event = (n: number): NewRecord => ({
  ...{ eventId: randomUUID(), account: 'default', configurationVersion: 1 },
  ...{ occurredAt: 1_000 + n, recordedAt: 2_000 + n },
  fact: {
    ...{ type: 'MetricEventRecorded', subject: 1 + (n % 7), metric: 'words', value: parseAmount(String(n)) },
    ...{
      user: n < 7 ? { name: `user ${n}`, tz: 'Europe/Berlin' } : {},
      attributes: new Map(),
      keyHash: null,
      imported: false,
    },
  },
});

/** What somebody who may write to the store could have made of a record. */
const CHANGES: Readonly<Record<keyof StoredRecord, (record: StoredRecord) => Partial<StoredRecord>>> = {
  position: ({ position }) => ({ position: position + 1 }),
  subject: () => ({ subject: 8 }),
  occurredAt: ({ occurredAt }) => ({ occurredAt: occurredAt + 1 }),
  recordedAt: ({ recordedAt }) => ({ recordedAt: recordedAt + 1 }),
  eventId: () => ({ eventId: randomUUID() }),
  keyHash: () => ({ keyHash: randomUUID() }),
  configurationVersion: () => ({ configurationVersion: 2 }),
  schemaVersion: () => ({ schemaVersion: 4 }),
  type: () => ({ type: 'UserIdentified' }),
  imported: ({ imported }) => ({ imported: !imported }),
  account: () => ({ account: 'defauls' }),
  metric: () => ({ metric: 'lessons' }),
  value: ({ value }) => ({ value: `${value}0` }),
  zone: () => ({ zone: 'Europe/Paris' }),
  data: () => ({ data: { receiptOnly: true } }),
  personal: () => ({ personal: new Uint8Array([1]) }),
};

describe('verifying an event store in EventStoreDB against its hash', () => {
  let database: TestDatabase;
  let server: Awaited<ReturnType<typeof startFakeEventStoreDb>>;
  let store: EventStoreDbEventStore;
  /** As the server holds it. */
  let records: readonly StoredRecord[];

  beforeAll(async () => {
    database = await openTestDatabase(eventStoreMigrations);
    server = await startFakeEventStoreDb({ positionsInStreams: true });
    const keys = new MemoryDataKeys();
    store = new EventStoreDbEventStore(server.url, systemClock, keys, DEFAULT_EVENT_STORE_DB_OPTIONS);
    for (let from = 0; from < RECORDS; from += 300)
      await store.append(Array.from({ length: 300 }, (_, n) => event(from + n)));
    const { sql } = database;
    const copy = new LogCopy({ sql, published: store, missed: store, dataKeys: keys });
    while (await copy.copyNext());
    await catchUpChain(sql, new PostgresLogReader(sql, keys, COPIED_LOG));
    records = await store.readStored(0, 2 * RECORDS);
  });
  afterAll(async () => {
    await store.close();
    await server.stop();
    await database.close();
  });

  async function findings(log: StoredLog): Promise<readonly LogFinding[]> {
    const found: LogFinding[] = [];
    await verifyKeptLog(database.sql, log, { onProgress: () => undefined, onFinding: (one) => found.push(one) });
    return found;
  }
  const holding = (held: readonly StoredRecord[]): StoredLog => ({
    readStored: (after, limit) => Promise.resolve(held.filter(({ position }) => position > after).slice(0, limit)),
  });
  const changed = (place: number, change: (record: StoredRecord) => Partial<StoredRecord>) =>
    holding(records.map((record, index) => (index === place ? { ...record, ...change(record) } : record)));

  it('reports nothing for an unchanged store, even while events are recorded', async () => {
    expect(records).toHaveLength(RECORDS);
    expect(await findings(store)).toEqual([]);
    expect(await findings(holding(records))).toEqual([]);
    const newer = { ...(records.at(-1) as StoredRecord), position: (records.at(-1)?.position ?? 0) + 1_000 };
    expect(await findings(holding([...records, newer]))).toEqual([]);
  });

  it.each(Object.entries(CHANGES))('reports the block in which the %s of a record was changed', async (_, change) => {
    const found = await findings(changed(1_500, change));
    expect(found.map(({ table }) => table)).toEqual(expect.arrayContaining(['log_checkpoints', 'log_chain']));
    expect(found[0]?.what).toContain('the checkpoint at 2048 records');
    expect((await findings(changed(2_099, change))).map(({ table }) => table)).toContain('log_chain');
  });

  it('reports a record that is missing, added or moved', async () => {
    const without = records.filter((_, place) => place !== 700);
    const added = {
      ...(records[700] as StoredRecord),
      position: (records[700]?.position ?? 0) + 1,
      eventId: randomUUID(),
    };
    const swapped = records.map((record, place) =>
      place === 5 || place === 6 ? { ...(records[11 - place] as StoredRecord), position: record.position } : record,
    );
    const last = records.slice(0, -1);
    for (const held of [without, [...records.slice(0, 701), added, ...records.slice(701)], swapped, last])
      expect((await findings(holding(held))).map(({ table }) => table)).toContain('log_chain');
  });

  async function planted(change: string, back: string): Promise<readonly LogFinding[]> {
    await database.sql.query(change, []);
    try {
      return await findings(store);
    } finally {
      await database.sql.query(back, []);
    }
  }

  it('reports a changed hash, and a changed or missing checkpoint', async () => {
    const flip = (table: string, column: string, where: string) =>
      `update ${table} set ${column} = set_byte(${column}, 3, get_byte(${column}, 3) # 1) ${where}`;
    const chain = flip('log_chain', 'frontier', '');
    expect((await planted(chain, chain)).map(({ table }) => table)).toEqual(['log_chain']);
    const checkpoint = flip('log_checkpoints', 'nodes', 'where size = 1024');
    expect((await planted(checkpoint, checkpoint)).map(({ table, what }) => [table, what])).toEqual([
      ['log_checkpoints', expect.stringContaining('1024 records')],
    ]);
    const gone = await planted(
      'create table kept as select * from log_checkpoints where size = 2048; delete from log_checkpoints where size = 2048',
      'insert into log_checkpoints select * from kept; drop table kept',
    );
    expect(gone.map(({ table, stored }) => [table, stored])).toEqual([['log_checkpoints', null]]);
    expect(await findings(store)).toEqual([]);
  });

  it.each([
    ['position', 'position = position + 1'],
    ['subject', 'subject = 8'],
    ['occurred_at', "occurred_at = occurred_at + interval '1 ms'"],
    ['recorded_at', "recorded_at = recorded_at + interval '1 ms'"],
    ['event_id', 'event_id = gen_random_uuid()'],
    ['key_hash', 'key_hash = gen_random_uuid()'],
    ['configuration_version', 'configuration_version = 2'],
    ['schema_version', 'schema_version = 4'],
    ['type', 'type = 2'],
    ['imported', 'imported = not imported'],
    ['account', "account = 'others'"],
    ['metric', "metric = 'lessons'"],
    ['value', 'value = value + 1'],
    ['zone', "zone = 'Europe/Paris'"],
    ['data', `data = '{"receiptOnly": true}'`],
    ['personal', String.raw`personal = '\\x01'`],
  ])('reports the copied record whose %s was changed', async (column, change) => {
    const { position } = records[1_500] as StoredRecord;
    const found = await planted(
      `create table kept as select * from copied_events where position = ${position}; update copied_events set ${change} where position = ${position}`,
      `delete from copied_events where position in (${position}, ${position + 1}); insert into copied_events select * from kept; drop table kept`,
    );
    expect(new Set(found.map(({ table }) => table))).toEqual(new Set(['copied_events']));
    expect(found.map((one) => one.position)).toEqual(column === 'position' ? [position, position + 1] : [position]);
  });

  it('reports a record that is missing in the copy, or added to it', async () => {
    const record = records[1_500] as StoredRecord;
    const here = `where position = ${record.position}`;
    const gone = await planted(
      `create table kept as select * from copied_events ${here}; delete from copied_events ${here}`,
      'insert into copied_events select * from kept; drop table kept',
    );
    expect(gone).toEqual([
      {
        ...{ table: 'copied_events', what: 'the copy of the record', position: record.position },
        ...{ stored: null, expected: textOfRecord(record) },
      },
    ]);
    const added = await planted(
      `insert into copied_events select (e).* from (select jsonb_populate_record(e, '{"position": ${record.position + 1}}') as e from copied_events e ${here}) c`,
      `delete from copied_events where position = ${record.position + 1}`,
    );
    expect(added.map(({ table, position, expected }) => [table, position, expected])).toEqual([
      ['copied_events', record.position + 1, null],
    ]);
    expect(await findings(store)).toEqual([]);
  });
});
