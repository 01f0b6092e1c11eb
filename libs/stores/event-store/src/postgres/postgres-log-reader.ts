import type {
  AccountEvent,
  CorrectionRecorded,
  KeyHash,
  PointsRequest,
  RecordedEvent,
  SqlReader,
  Subject,
} from '@laurel/kernel';
import type { DataKeys } from '@laurel/ports';
import type { StoredLog, StoredRecord } from '../stored-record.ts';
import type {
  AdministrativeLog,
  EventLog,
  EventLookup,
  NewestLog,
  ReplayedLog,
  RequestLog,
  TypedLog,
  UsedKey,
  UserLog,
} from '../event-store.ts';
import { openedRecords } from '../opened-records.ts';
import { HAS_ID, storedOfRow, type EventRow } from './log-statements.ts';
import { LOG, type LogTables } from './log-tables.ts';
import { RecordedVerdicts } from './recorded-verdicts.ts';
import { FIRST_ADMINISTRATIVE_TYPE, NOT_ADMINISTRATIVE_TYPES, typeNumberOf } from './type-numbers.ts';

const CORRECTION = typeNumberOf('CorrectionRecorded');
const REQUESTS = [typeNumberOf('SpendRequested'), typeNumberOf('RefundRequested')];

const statementsOn = ({ events, head }: LogTables) => {
  const ofUsers = `from ${events} where account = $1 and subject is not null and position > $2 and position <= $3`;
  const administrative = `select * from ${events} where account = $1 and type >= ${FIRST_ADMINISTRATIVE_TYPE} and type not in (${NOT_ADMINISTRATIVE_TYPES.join()})`;
  return {
    readBehind: `select * from ${events} where position > $1 order by position limit $2`,
    readAccountEvents: `
select * from ${events}
where account = $1 and subject is null and key_hash is null and ($2::smallint[] is null or type = any($2))
order by position`,
    /** Uses the partial index of administrative types, so it reads no sweep. The constant makes even a generic plan use the index. */
    readAdministrativeEvents: `
select * from ${events} where account = $1 and subject is null and type >= ${FIRST_ADMINISTRATIVE_TYPE} and type = any($2::smallint[])
order by position`,
    /** One probe of the unique index per key: a join could be planned as a scan of all events. */
    findKeys: `
select e.account, e.subject, e.key_hash, e.event_id, e.position, e.occurred_at
from unnest($1::uuid[]) as k (key_hash)
cross join lateral (select * from ${events} where key_hash = k.key_hash limit 1) e`,
    /** Uses the same index. */
    readAdministrative: `${administrative} and ($2::bigint is null or position < $2) order by position desc limit $3`,
    readAdministrativeBehind: `${administrative} and position > $2 order by position limit $3`,
    /** Uses the primary key, because an index of subjects would cost every event. */
    readOfUser: `select * from ${events} where position > $3 and position <= $4 and subject = $2 and account = $1 order by position`,
    readNewestOfUsers: `select * ${ofUsers} order by position desc limit $4`,
    countOfUsers: `select count(*)::int as records ${ofUsers}`,
    count: `
select count(*)::int as records from (select from ${events} where position > $1 and position <= $2 order by position limit $3) r`,
    before: `select position from ${events} where position <= $1 order by position desc offset $2 limit 1`,
    lastLookedAt: `
select max(position) as position, count(*)::int as looked from (select position from ${events} where position > $1 order by position limit $2) looked`,
    readOfTypes: `
select * from ${events} where position > $1 and position <= $2 and type = any($3::smallint[]) order by position limit $4`,
    readAt: `select * from ${events} where position = any($1::bigint[]) order by position`,
    find: `select * from ${events} where ${HAS_ID} and account = $2`,
    /** One probe of the index of id prefixes per event. */
    findAll: `
  select found.* from unnest($1::uuid[]) as asked (id) cross join lateral (
    select * from ${events}
    where substr(uuid_send(event_id), 1, 5) = substr(uuid_send(asked.id), 1, 5) and event_id = asked.id and account = $2
    offset 0
  ) found order by found.position`,
    /** Uses the index of corrections, for which the type must be a constant. */
    readCorrections: `select * from ${events} where type = ${CORRECTION} and subject = any($1::bigint[]) order by position`,
    readCorrected: `select distinct subject from ${events} where type = ${CORRECTION} and position > $1`,
    /** Uses the index of requests, for which the types must be constants. */
    readRequests: `select * from ${events} where type in (${REQUESTS.join()}) and position > $1 order by position limit $2`,
    head: `select position from ${head}`,
  };
};

export const { findKeys: FIND_KEYS, readAdministrative: READ_ADMINISTRATIVE } = statementsOn(LOG);

/** A row of {@link FIND_KEYS}. */
export type KeyRow = Pick<EventRow, 'account' | 'subject' | 'key_hash' | 'event_id' | 'position' | 'occurred_at'>;

/**
 * The read half of a log in Postgres, or of a copy there. Every writer assigns positions under the lock of the head's row, so a reader never
 * passes a position whose transaction is still open.
 */
export class PostgresLogReader
  implements EventLog, AdministrativeLog, EventLookup, NewestLog, ReplayedLog, RequestLog, TypedLog, UserLog, StoredLog
{
  readonly #sql: SqlReader;
  readonly #keys: DataKeys;
  readonly #statements: ReturnType<typeof statementsOn>;
  readonly #verdicts: RecordedVerdicts;

  constructor(sql: SqlReader, keys: DataKeys, tables: LogTables = LOG) {
    this.#sql = sql;
    this.#keys = keys;
    this.#statements = statementsOn(tables);
    this.#verdicts = new RecordedVerdicts(sql, [tables]);
  }

  async read(after: number, limit: number): Promise<readonly RecordedEvent[]> {
    return this.#records(this.#statements.readBehind, [after, limit]);
  }

  async readStored(after: number, limit: number): Promise<readonly StoredRecord[]> {
    return (await this.#sql.query<EventRow>(this.#statements.readBehind, [after, limit])).map(storedOfRow);
  }

  async readAccountEvents(account: string, types?: readonly AccountEvent['type'][]): Promise<readonly RecordedEvent[]> {
    const numbers = types?.map(typeNumberOf) ?? null;
    const { readAccountEvents, readAdministrativeEvents } = this.#statements;
    const isAdministrative = numbers?.every((number) => number >= FIRST_ADMINISTRATIVE_TYPE) ?? false;
    return this.#records(isAdministrative ? readAdministrativeEvents : readAccountEvents, [account, numbers]);
  }

  async readAdministrative(account: string, before: number | null, limit: number): Promise<readonly RecordedEvent[]> {
    return this.#records(this.#statements.readAdministrative, [account, before, limit]);
  }

  async readAdministrativeBehind(account: string, after: number, limit: number): Promise<readonly RecordedEvent[]> {
    return this.#records(this.#statements.readAdministrativeBehind, [account, after, limit]);
  }

  async findKeys(keys: readonly KeyHash[]): Promise<readonly UsedKey[]> {
    if (keys.length === 0) return [];
    return (await this.#sql.query<KeyRow>(this.#statements.findKeys, [keys])).map(usedKeyOf);
  }

  async readOfUser(account: string, subject: Subject, after: number, upTo: number): Promise<readonly RecordedEvent[]> {
    return this.#records(this.#statements.readOfUser, [account, subject, after, upTo]);
  }

  async readOfTypes(
    after: number,
    { types, looked, limit }: Parameters<TypedLog['readOfTypes']>[1],
  ): ReturnType<TypedLog['readOfTypes']> {
    const [row] = await this.#sql.query<{ position: string | null; looked: number }>(this.#statements.lastLookedAt, [
      after,
      looked,
    ]);
    const end = Number(row?.position ?? after);
    const records = await this.#records(this.#statements.readOfTypes, [after, end, types.map(typeNumberOf), limit]);
    const upTo = records.length === limit ? (records.at(-1)?.position ?? end) : end;
    return { records, upTo, more: row?.looked === looked || upTo < end };
  }

  async readNewestOfUsers(
    account: string,
    { after, upTo, limit }: Parameters<NewestLog['readNewestOfUsers']>[1],
  ): ReturnType<NewestLog['readNewestOfUsers']> {
    const records = await this.#records(this.#statements.readNewestOfUsers, [account, after, upTo, limit]);
    const first = records.at(-1);
    if (first === undefined || records.length < limit) return { records: records.toReversed(), others: 0 };
    const [row] = await this.#sql.query<{ records: number }>(this.#statements.countOfUsers, [
      account,
      after,
      first.position - 1,
    ]);
    return { records: records.toReversed(), others: row?.records ?? 0 };
  }

  async count(after: number, upTo: number, most: number): Promise<number> {
    const [row] = await this.#sql.query<{ records: number }>(this.#statements.count, [after, upTo, most]);
    return row?.records ?? 0;
  }

  async before(upTo: number, records: number): Promise<number> {
    const [row] = await this.#sql.query<{ position: string }>(this.#statements.before, [upTo, records]);
    return Number(row?.position ?? 0);
  }

  async readAt(positions: readonly number[]): Promise<readonly RecordedEvent[]> {
    return this.#records(this.#statements.readAt, [positions]);
  }

  async find(account: string, eventId: string): Promise<RecordedEvent | null> {
    const found = await this.#records(this.#statements.find, [eventId, account]);
    return found[0] ?? null;
  }

  async findAll(account: string, eventIds: readonly string[]): Promise<readonly RecordedEvent[]> {
    return this.#records(this.#statements.findAll, [eventIds, account]);
  }

  async correctionsOf(subjects: readonly Subject[]): Promise<readonly RecordedEvent<CorrectionRecorded>[]> {
    const records = await this.#records(this.#statements.readCorrections, [subjects]);
    return records as readonly RecordedEvent<CorrectionRecorded>[];
  }

  async correctedBehind(after: number): Promise<readonly Subject[]> {
    const rows = await this.#sql.query<{ subject: string }>(this.#statements.readCorrected, [after]);
    return rows.map(({ subject }) => Number(subject));
  }

  async readRequests(after: number, limit: number): Promise<readonly RecordedEvent<PointsRequest>[]> {
    const records = await this.#records(this.#statements.readRequests, [after, limit]);
    return records as readonly RecordedEvent<PointsRequest>[];
  }

  async head(): Promise<number> {
    const rows = await this.#sql.query<{ position: string }>(this.#statements.head, []);
    return Number(rows[0]?.position ?? 0);
  }

  async #records(sql: string, parameters: readonly unknown[]): Promise<readonly RecordedEvent[]> {
    const rows = await this.#sql.query<EventRow>(sql, parameters);
    return this.#verdicts.addedTo(await openedRecords(rows.map(storedOfRow), this.#keys));
  }
}

export const usedKeyOf = (row: KeyRow): UsedKey => ({
  account: row.account,
  subject: Number(row.subject),
  keyHash: row.key_hash ?? '',
  eventId: row.event_id,
  position: Number(row.position),
  occurredAt: row.occurred_at.getTime(),
});
