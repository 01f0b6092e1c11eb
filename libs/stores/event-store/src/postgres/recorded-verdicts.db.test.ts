import { directoryMigrations } from '@laurel/directory';
import type { DomainEvent, RecordedEvent, SpendRequested, SqlReader, Verdict } from '@laurel/kernel';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import { MemoryDataKeys } from '../fixtures/index.ts';
import { keyHashOf } from '../key-hash.ts';
import { eventStoreMigrations } from '../migrations.ts';
import { newEventId } from '../new-event-id.ts';
import { requestDecided } from '../request-decided.ts';
import { rowOfStored } from './log-statements.ts';
import { COPIED_LOG, LOG } from './log-tables.ts';
import { PostgresLogReader } from './postgres-log-reader.ts';
import { RecordedVerdicts } from './recorded-verdicts.ts';
import { storedRecordOf } from '../stored-record.ts';

const YES: Verdict = { accepted: true, amount: 5, moved: 5 };
const NO: Verdict = { accepted: false, available: 3 };

let database: TestDatabase;
let statements: number;
let sql: SqlReader;
beforeEach(async () => {
  database = await openTestDatabase([...directoryMigrations, ...eventStoreMigrations]);
  statements = 0;
  sql = { query: (text, parameters) => (statements++, database.sql.query(text, parameters)) };
});
afterEach(() => database.close());

const recordOf = <Event extends DomainEvent>(position: number, fact: Event): RecordedEvent<Event> => ({
  ...{
    account: 'acme',
    eventId: newEventId(position),
    position,
    occurredAt: 0,
    recordedAt: 0,
    configurationVersion: 1,
  },
  fact,
});

const spend = (position: number, verdict?: Verdict): RecordedEvent<SpendRequested> =>
  recordOf(position, {
    ...{ type: 'SpendRequested', subject: 1, system: 'xp', amount: 5 },
    keyHash: keyHashOf({ account: 'acme', subject: 1, metric: 'spend:xp', key: `${position}` }),
    ...(verdict !== undefined && { verdict }),
  });

const decided = (position: number, request: RecordedEvent, verdict: Verdict) =>
  recordOf(position, requestDecided('acme', request, verdict));

async function insert(table: string, records: readonly RecordedEvent[]): Promise<void> {
  const rows = records.map((record) => rowOfStored(storedRecordOf(record, new Map())));
  await database.sql.query(`insert into ${table} select * from json_populate_recordset(null::${table}, $1::json)`, [
    JSON.stringify(rows),
  ]);
}

const verdictsIn = (records: readonly RecordedEvent[]) =>
  records.flatMap(({ fact }) => (fact.type === 'SpendRequested' ? [fact.verdict] : []));

describe.each([LOG, COPIED_LOG])('the verdicts of $events', (tables) => {
  it('are added to the requests that were recorded without one, wherever the log is read', async () => {
    const [first, second, third, fourth] = [spend(1), spend(2, YES), spend(3), spend(4)] as const;
    await insert(tables.events, [first, second, third, fourth, decided(5, third, NO), decided(6, first, YES)]);
    const log = new PostgresLogReader(sql, new MemoryDataKeys(), tables);
    expect(verdictsIn(await log.read(0, 9))).toEqual([YES, YES, NO, undefined]);
    expect(verdictsIn(await log.readOfUser('acme', 1, 0, 9))).toEqual([YES, YES, NO, undefined]);
    expect(verdictsIn(await log.readAt([3]))).toEqual([NO]);
    expect(verdictsIn(await log.readRequests(1, 2))).toEqual([YES, NO]);
    expect((await log.find('acme', first.eventId))?.fact).toMatchObject({ verdict: YES });
  });

  it('take one statement, and none if no request lacks one', async () => {
    await insert(tables.events, [spend(1, YES), spend(2), spend(3)]);
    const log = new PostgresLogReader(sql, new MemoryDataKeys(), tables);
    await log.read(0, 1);
    expect(statements).toBe(1);
    await log.read(1, 9);
    expect(statements).toBe(3);
  });
});

it('verdicts are found in whichever log holds them, and are those of one account', async () => {
  const [first, second] = [spend(1), spend(2)];
  await insert(LOG.events, [decided(3, first, NO)]);
  await insert(COPIED_LOG.events, [decided(4, second, YES)]);
  const verdicts = new RecordedVerdicts(sql, [LOG, COPIED_LOG]);
  expect(verdictsIn(await verdicts.addedTo<DomainEvent>([first, second]))).toEqual([NO, YES]);
  expect(verdictsIn(await verdicts.addedTo<DomainEvent>([{ ...first, account: 'other' }]))).toEqual([undefined]);
});
