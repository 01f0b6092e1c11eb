import type { SqlReader } from '@laurel/kernel';
import { storedOfRow, type EventRow } from '../postgres/log-statements.ts';
import { BLOCK, EMPTY_CHAIN, chained, prefixOf, type ChainHead, type HashStep } from './log-chain.ts';
import { bytesOfFrontier, type Hash } from './merkle-tree.ts';
import { READ_CHAIN, type ChainRow } from './postgres-chain.ts';

/** A difference between the log and its hash. */
export interface LogFinding {
  readonly table: 'events' | 'log_head' | 'log_chain' | 'log_checkpoints' | 'copied_events';
  /** The wrong item, as a noun. */
  readonly what: string;
  readonly position: number | null;
  readonly stored: string | null;
  readonly expected: string | null;
}

export interface LogVerification {
  readonly onProgress: (position: number, head: number) => void;
  readonly onFinding: (finding: LogFinding) => void;
}

const READ_RECORDS = `select * from events where position > $1 and position <= $2 order by position limit ${BLOCK}`;
const READ_BEYOND = `select position from events where position < 1 or position > $1 order by position limit ${BLOCK}`;
export const READ_CHECKPOINTS = `
  select size, position, nodes from log_checkpoints where size > $1 and ($2::bigint is null or size <= $2)
  order by size limit ${BLOCK}`;
const READ_HEAD = 'select position, recorded_at from log_head';

export interface CheckpointRow {
  readonly size: string;
  readonly position: string;
  readonly nodes: Buffer;
}

/**
 * Hashes the whole log again and compares the result with the stored hash. Positions must have no gaps, and no record may lie beyond the
 * head. One block of records is in memory at a time.
 * @param sql reads a consistent snapshot
 */
export async function verifyLog(sql: SqlReader, { onProgress, onFinding }: LogVerification): Promise<void> {
  const [stored] = await sql.query<{ position: string; recorded_at: Date | number }>(READ_HEAD, []);
  const [row] = await sql.query<ChainRow>(READ_CHAIN, []);
  const head = Number(stored?.position ?? 0);
  // Either may be damaged.
  const end = Math.max(head, Number(row?.position ?? 0));
  for (const finding of await recordsBeyond(sql, end)) onFinding(finding);
  let chain = EMPTY_CHAIN;
  let newest: EventRow | null = null;
  for (let read = BLOCK; read === BLOCK;) {
    const rows = await sql.query<EventRow>(READ_RECORDS, [chain.position, end]);
    for (const finding of gapsIn(rows, chain.position)) onFinding(finding);
    const step = chained(chain, rows.map(storedOfRow));
    for (const finding of changedIn(rows, step.leaves)) onFinding(finding);
    const upTo = rows.length < BLOCK ? null : step.head.frontier.size;
    const from = chain.frontier.size === 0 ? -1 : chain.frontier.size;
    const checkpoints = await sql.query<CheckpointRow>(READ_CHECKPOINTS, [from, upTo]);
    for (const finding of checkpointFindings(step, checkpoints, chain.position)) onFinding(finding);
    newest = rows.at(-1) ?? newest;
    chain = step.head;
    read = rows.length;
    onProgress(chain.position, Math.max(head, chain.position));
  }
  const differs = (what: string, is: string | null, expected: string) => {
    if (is !== expected) onFinding({ table: 'log_head', what, position: chain.position, stored: is, expected });
  };
  differs('the position of the last record', stored?.position ?? null, String(chain.position));
  if (newest !== null)
    differs('the instant of the last record', instantOf(stored?.recorded_at), instantOf(newest.recorded_at));
  for (const finding of chainFindings(row, chain, chain.position)) onFinding(finding);
}

/** The differences between the stored hash of the log and the right one. */
export function* chainFindings(
  row: ChainRow | undefined,
  { frontier, position: last }: ChainHead,
  position: number | null,
): Generator<LogFinding> {
  const compared = [
    ['the position of the last record', row?.position, String(last)],
    ['the number of records', row?.size, String(frontier.size)],
    [
      `the Merkle tree over ${frontier.size} records`,
      row?.frontier.toString('hex'),
      bytesOfFrontier(frontier).toString('hex'),
    ],
  ] as const;
  for (const [what, stored = null, expected] of compared)
    if (stored !== expected) yield { table: 'log_chain', what, position, stored, expected };
}

const instantOf = (instant: Date | number | undefined): string =>
  instant instanceof Date ? instant.toISOString() : String(instant);

/** Records before the first position or after the last one. */
async function recordsBeyond(sql: SqlReader, end: number): Promise<readonly LogFinding[]> {
  const rows = await sql.query<Pick<EventRow, 'position'>>(READ_BEYOND, [end]);
  return rows.map(({ position }) => ({
    table: 'events',
    what: 'the record',
    position: Number(position),
    stored: 'in the log',
    expected: null,
  }));
}

function* gapsIn(rows: readonly EventRow[], after: number): Generator<LogFinding> {
  let last = after;
  for (const row of rows) {
    const position = Number(row.position);
    if (position !== last + 1) {
      const missing = position === last + 2 ? 'the record' : `the first of ${position - last - 1} records`;
      yield { table: 'events', what: missing, position: last + 1, stored: null, expected: 'in the log' };
    }
    last = position;
  }
}

/** Records whose hash does not begin with the stored prefix. */
function* changedIn(rows: readonly EventRow[], leaves: readonly Hash[]): Generator<LogFinding> {
  for (const [index, { position, hash_prefix: stored }] of rows.entries()) {
    const prefix = prefixOf(leaves[index] as Hash);
    if (stored !== null && stored !== prefix)
      yield {
        table: 'events',
        what: 'the beginning of the hash of the record',
        position: Number(position),
        stored: String(stored),
        expected: String(prefix),
      };
  }
}

/** Missing, additional and different checkpoints of one step. */
export function* checkpointFindings(
  { checkpoints }: HashStep,
  stored: readonly CheckpointRow[],
  after: number,
): Generator<LogFinding> {
  const expected = new Map(checkpoints.map((one) => [one.size, textOf(one.position, Buffer.concat(one.nodes))]));
  const found = new Map(stored.map((row) => [Number(row.size), textOf(Number(row.position), row.nodes)]));
  for (const size of new Set([...expected.keys(), ...found.keys()])) {
    const [is, must] = [found.get(size) ?? null, expected.get(size) ?? null];
    const what = `the checkpoint at ${size} records, of those behind position ${after},`;
    if (is !== must) yield { table: 'log_checkpoints', what, position: null, stored: is, expected: must };
  }
}

const textOf = (position: number, nodes: Buffer): string => `position ${position}, ${nodes.toString('hex')}`;
