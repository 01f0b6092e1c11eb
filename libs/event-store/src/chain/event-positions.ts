import type { SqlReader } from '@laurel/contracts';
import { BLOCK, type ChainHead } from './log-chain.ts';
import { catchUpChain, readChain } from './postgres-chain.ts';
import type { StoredLog, StoredRecord } from './stored-record.ts';

/** $1: a JSON array of rows. Another process may have written them. */
const INSERT = `
insert into event_positions
select * from json_populate_recordset(null::event_positions, $1::json) on conflict do nothing`;

/**
 * As {@link catchUpChain}, of a log that finds no event by its id: `event_positions` says where each is. The rows are written in the order of
 * the log, each before the hash covers its record, so none is missing below the last of them. What an earlier release has hashed is
 * caught up with.
 */
export async function catchUpIndexedChain(
  sql: SqlReader,
  log: StoredLog,
  onProgress: (position: number) => void = () => undefined,
): Promise<ChainHead> {
  let indexed = await indexedTo(sql);
  const readIndexing = async (after: number, limit: number) => {
    const records = await log.readStored(after, limit);
    const fresh = records.filter(({ position }) => position > indexed);
    if (fresh.length > 0) await sql.query(INSERT, [JSON.stringify(fresh.map(rowOf))]);
    indexed = fresh.at(-1)?.position ?? indexed;
    return records;
  };
  const indexUpTo = async (position: number): Promise<void> => {
    for (let last = -1; last < indexed && indexed < position;) {
      last = indexed;
      await readIndexing(indexed, BLOCK);
      onProgress(indexed);
    }
  };
  await indexUpTo((await readChain(sql)).position);
  const readStored = async (after: number, limit: number) => {
    await indexUpTo(after);
    return readIndexing(after, limit);
  };
  return catchUpChain(sql, { readStored }, onProgress);
}

async function indexedTo(sql: SqlReader): Promise<number> {
  const [row] = await sql.query<{ position: string | null }>(
    'select max(position) as position from event_positions',
    [],
  );
  return Number(row?.position ?? 0);
}

const rowOf = ({ position, account, eventId }: StoredRecord) => ({ position, account, event_id: eventId });

interface EventPositionRow {
  readonly position: string;
  readonly account: string;
  readonly event_id: string;
}

/** What is wrong in `event_positions` behind a position and up to another one, where the log holds these records: its position, what it says, and what it should. */
export async function wrongPositions(
  sql: SqlReader,
  records: readonly StoredRecord[],
  after: number,
  upTo: number,
): Promise<readonly { readonly position: number; readonly stored: string | null; readonly expected: string | null }[]> {
  const rows = await sql.query<EventPositionRow>(
    'select position, account, event_id from event_positions where position > $1 and position <= $2',
    [after, upTo],
  );
  const stored = new Map(rows.map((row) => [Number(row.position), `${row.event_id} of ${row.account}`]));
  const expected = new Map(records.map((one) => [one.position, `${one.eventId} of ${one.account}`]));
  return [...new Set([...expected.keys(), ...stored.keys()])]
    .map((position) => ({
      position,
      stored: stored.get(position) ?? null,
      expected: expected.get(position) ?? null,
    }))
    .filter((one) => one.stored !== one.expected);
}
