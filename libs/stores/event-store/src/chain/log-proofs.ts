import type { SqlReader } from '@laurel/kernel';
import { textOfRecord, type StoredLog } from '../stored-record.ts';
import { BLOCK, BLOCK_HEIGHT, type ChainHead } from './log-chain.ts';
import {
  consistencyPath,
  halvesOf,
  hashesIn,
  inclusionPath,
  isComplete,
  leafHash,
  nodeHash,
  rootOver,
  type Hash,
  type LeafRange,
} from './merkle-tree.ts';
import { readChain } from './postgres-chain.ts';

export interface InclusionProof {
  readonly head: ChainHead;
  readonly position: number;
  /** The index of the record in the tree, from 0. */
  readonly index: number;
  /** The hashed text: see `textOfRecord`. */
  readonly text: string;
  /** RFC 6962, section 2.1.1. */
  readonly path: readonly Hash[];
}

/**
 * Proofs from the hash of the log. Each takes a constant number of statements: one for the checkpoints, and at most three for the records
 * between two checkpoints.
 */
export class LogProofs {
  readonly #sql: SqlReader;
  readonly #log: StoredLog;

  constructor(sql: SqlReader, log: StoredLog) {
    this.#sql = sql;
    this.#log = log;
  }

  head(): Promise<ChainHead> {
    return readChain(this.#sql);
  }

  /** Proves that the record at this position is in the log; null if the hash does not cover a record there (yet). */
  async inclusion(position: number): Promise<InclusionProof | null> {
    const head = await this.head();
    if (position > head.position) return null;
    const [below] = await this.#sql.query<{ size: string; position: string }>(CHECKPOINT_BELOW, [position]);
    const start = Number(below?.size ?? 0);
    const records = await this.#log.readStored(Number(below?.position ?? 0), BLOCK);
    const place = records.findIndex((record) => record.position === position);
    const record = records[place];
    if (record === undefined) return null;
    const path = await this.#roots(inclusionPath(start + place, { from: 0, to: head.frontier.size }));
    return { head, position, index: start + place, text: textOfRecord(record), path };
  }

  /**
   * Proves that the log begins with its first `size` records as they were (RFC 6962, section 2.1.2).
   * @throws RangeError if it never had as many
   */
  async consistency(size: number): Promise<{ readonly head: ChainHead; readonly path: readonly Hash[] }> {
    const head = await this.head();
    if (size > head.frontier.size) throw new RangeError(`the log has only ${head.frontier.size} records`);
    return { head, path: await this.#roots(consistencyPath(size, head.frontier.size)) };
  }

  async #roots(ranges: readonly LeafRange[]): Promise<readonly Hash[]> {
    const parts = ranges.flatMap(partsOf);
    const blocks = [...new Set(parts.filter((part) => !isStored(part)).map(blockOf))];
    const sizes = [...parts.filter(isStored).map(({ to }) => to), ...blocks.map((block) => block * BLOCK)];
    const checkpoints = await this.#checkpoints(sizes);
    const leaves = new Map<number, readonly Hash[]>();
    for (const block of blocks) {
      const after = block === 0 ? 0 : Number(checkpoints.get(block * BLOCK)?.position);
      const records = await this.#log.readStored(after, BLOCK);
      leaves.set(
        block,
        records.map((record) => leafHash(textOfRecord(record))),
      );
    }
    const rootOfRange = (range: LeafRange): Hash => {
      if (isStored(range)) return storedRoot(checkpoints.get(range.to)?.nodes, range);
      if (range.to - range.from > BLOCK) {
        const [left, right] = halvesOf(range);
        return nodeHash(rootOfRange(left), rootOfRange(right));
      }
      const begin = blockOf(range) * BLOCK;
      return rootOver((leaves.get(blockOf(range)) ?? []).slice(range.from - begin, range.to - begin));
    };
    return ranges.map(rootOfRange);
  }

  async #checkpoints(sizes: readonly number[]) {
    const rows = await this.#sql.query<{ size: string; position: string; nodes: Buffer }>(
      'select size, position, nodes from log_checkpoints where size = any($1::bigint[])',
      [sizes],
    );
    return new Map(rows.map((row) => [Number(row.size), row]));
  }
}

const CHECKPOINT_BELOW =
  'select size, position from log_checkpoints where position < $1 order by position desc limit 1';

/** Whether the checkpoint at its end holds its root. */
const isStored = (range: LeafRange): boolean => range.to - range.from >= BLOCK && isComplete(range);

const blockOf = ({ from }: LeafRange): number => Math.floor(from / BLOCK);

/** The parts of the root: stored subtrees, and leaves of one block. */
function partsOf(range: LeafRange): readonly LeafRange[] {
  return isStored(range) || range.to - range.from <= BLOCK ? [range] : halvesOf(range).flatMap(partsOf);
}

function storedRoot(nodes: Buffer | undefined, { from, to }: LeafRange): Hash {
  const root = nodes && hashesIn(nodes)[Math.log2(to - from) - BLOCK_HEIGHT];
  if (root === undefined)
    throw new Error(`the hash of the log is damaged: no checkpoint holds records ${from} to ${to}`);
  return root;
}
