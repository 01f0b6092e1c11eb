import type { SqlReader } from '@laurel/kernel';
import type { StoredLog } from '../stored-record.ts';
import { BLOCK, chainParameters, chained, type ChainHead } from './log-chain.ts';
import { frontierOf } from './merkle-tree.ts';

export const READ_CHAIN = 'select position, size, frontier from log_chain';

export interface ChainRow {
  readonly position: string;
  readonly size: string;
  readonly frontier: Buffer;
}

/** @throws Error if the row is damaged */
export const chainHeadOf = (row: ChainRow): ChainHead => ({
  position: Number(row.position),
  frontier: frontierOf(Number(row.size), row.frontier),
});

/** The hash of the log with the position up to which it reaches. @throws Error if the row is damaged */
export async function readChain(sql: SqlReader): Promise<ChainHead> {
  const [row] = await sql.query<ChainRow>(READ_CHAIN, []);
  if (row === undefined) throw new Error('the hash of the log is missing: the table log_chain is empty');
  return chainHeadOf(row);
}

/**
 * Advances the hash of the log from position `before` to `after`, if it is at `before`.
 * @param from the `from` clause of the update
 */
export const moveChain = (
  parameters: { readonly before: string; readonly after: string; readonly first: number },
  from = '',
): string => {
  const [size, frontier, checkpoints] = [0, 1, 2].map((index) => `$${parameters.first + index}`);
  return `
chain as (
  update log_chain c set position = ${parameters.after}, size = ${size}::bigint, frontier = ${frontier}::bytea ${from}
  where c.position = ${parameters.before} and ${size}::bigint is not null returning c.size
), chain_checkpoints as (
  insert into log_checkpoints select p.* from chain, json_populate_recordset(null::log_checkpoints, ${checkpoints}::json) p
)`;
};

const MOVE_CHAIN = `with ${moveChain({ before: '$1::bigint', after: '$2::bigint', first: 3 })} select size from chain`;

/**
 * Hashes the records that the hash does not cover yet, in chunks of `BLOCK` records, each in its own statement. It continues after an
 * interruption, and several processes may run it at once.
 */
export async function catchUpChain(
  sql: SqlReader,
  log: StoredLog,
  onProgress: (position: number) => void = () => undefined,
): Promise<ChainHead> {
  for (let head = await readChain(sql); ;) {
    const records = await log.readStored(head.position, BLOCK);
    if (records.length === 0) return head;
    const step = chained(head, records);
    const moved = await sql.query(MOVE_CHAIN, [head.position, step.head.position, ...chainParameters(step)]);
    head = moved.length > 0 ? step.head : await readChain(sql);
    onProgress(head.position);
  }
}
