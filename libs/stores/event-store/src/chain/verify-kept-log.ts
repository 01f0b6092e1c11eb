import type { SqlReader } from '@laurel/kernel';
import { storedOfRow, type EventRow } from '../postgres/log-statements.ts';
import { COPIED_LOG } from '../postgres/log-tables.ts';
import { textOfRecord, type StoredLog, type StoredRecord } from '../stored-record.ts';
import { BLOCK, EMPTY_CHAIN, chained } from './log-chain.ts';
import { READ_CHAIN, type ChainRow } from './postgres-chain.ts';
import {
  READ_CHECKPOINTS,
  chainFindings,
  checkpointFindings,
  type CheckpointRow,
  type LogFinding,
  type LogVerification,
} from './verify-log.ts';

/**
 * Hashes a log in EventStoreDB again, as far as its hash covers it, and compares the result with the stored hash. A checkpoint identifies the
 * block of 1,024 records in which one was changed, added or removed; one block is in memory at a time. Each record is also compared with
 * its copy. Events may be recorded meanwhile.
 * @param sql of the schema with the hash
 * @throws Error if the log or the database cannot be read
 */
export async function verifyKeptLog(
  sql: SqlReader,
  log: StoredLog,
  { onProgress, onFinding }: LogVerification,
): Promise<void> {
  const [row] = await sql.query<ChainRow>(READ_CHAIN, []);
  const stored = { position: Number(row?.position ?? 0), size: Number(row?.size ?? 0) };
  let chain = EMPTY_CHAIN;
  for (let isEnd = false; !isEnd;) {
    const read = await log.readStored(chain.position, BLOCK);
    const records = read.filter(({ position }) => position <= stored.position);
    const step = chained(chain, records);
    isEnd = records.length < BLOCK;
    const from = chain.frontier.size === 0 ? -1 : chain.frontier.size;
    const upTo = isEnd ? Math.max(stored.size, step.head.frontier.size) : step.head.frontier.size;
    const checkpoints = await sql.query<CheckpointRow>(READ_CHECKPOINTS, [from, upTo]);
    for (const finding of checkpointFindings(step, checkpoints, chain.position)) onFinding(finding);
    const last = isEnd ? Math.max(stored.position, step.head.position) : step.head.position;
    for (const wrong of await wrongCopies(sql, records, chain.position, last)) onFinding(wrong);
    chain = step.head;
    onProgress(chain.position, stored.position);
  }
  for (const finding of chainFindings(row, chain, null)) onFinding(finding);
}

/** The differences between these records and the copy in the range of positions (`after`, `upTo`]. */
async function wrongCopies(
  sql: SqlReader,
  records: readonly StoredRecord[],
  after: number,
  upTo: number,
): Promise<readonly LogFinding[]> {
  const rows = await sql.query<EventRow>(READ_COPIES, [after, upTo]);
  const stored = new Map(rows.map(storedOfRow).map((one) => [one.position, textOfRecord(one)]));
  const expected = new Map(records.map((one) => [one.position, textOfRecord(one)]));
  return [...new Set([...expected.keys(), ...stored.keys()])]
    .map((position) => ({
      table: 'copied_events' as const,
      what: 'the copy of the record',
      position,
      stored: stored.get(position) ?? null,
      expected: expected.get(position) ?? null,
    }))
    .filter((one) => one.stored !== one.expected);
}

const READ_COPIES = `select * from ${COPIED_LOG.events} where position > $1 and position <= $2`;
