import { textOfRecord, type StoredRecord } from '../stored-record.ts';
import { EMPTY_FRONTIER, bytesOfFrontier, leafHash, withLeaf, type Frontier, type Hash } from './merkle-tree.ts';

/** The hash of the log up to a position. */
export interface ChainHead {
  /** Of the last record that it covers; 0: none. */
  readonly position: number;
  readonly frontier: Frontier;
}

export const EMPTY_CHAIN: ChainHead = { position: 0, frontier: EMPTY_FRONTIER };

/** Records between two checkpoints, a power of two. */
export const BLOCK_HEIGHT = 10;
export const BLOCK = 2 ** BLOCK_HEIGHT;

/** A row of `log_checkpoints`: the log had so many records when it ended at `position`. */
export interface ChainCheckpoint {
  readonly size: number;
  readonly position: number;
  /** The roots of the subtrees that the last record completed, of `BLOCK` records and more, smallest first. */
  readonly nodes: readonly Hash[];
}

export interface ChainStep {
  readonly head: ChainHead;
  readonly checkpoints: readonly ChainCheckpoint[];
  /** Of each record. */
  readonly leaves: readonly Hash[];
}

/** The hash of the log with these records behind it, in their order. */
export function chained(before: ChainHead, records: readonly StoredRecord[]): ChainStep {
  let { frontier, position } = before;
  const checkpoints: ChainCheckpoint[] = [];
  const leaves = records.map((record) => {
    const leaf = leafHash(textOfRecord(record));
    const nodes: Hash[] = [];
    frontier = withLeaf(frontier, leaf, (height, root) => {
      if (height >= BLOCK_HEIGHT) nodes.push(root);
    });
    ({ position } = record);
    if (nodes.length > 0) checkpoints.push({ size: frontier.size, position, nodes });
    return leaf;
  });
  return { head: { position, frontier }, checkpoints, leaves };
}

/** The beginning of a record's hash as it is stored beside it, so that a record that was changed can be named. */
export const prefixOf = (leaf: Hash): number => leaf.readInt32BE(0);

/** As parameters of a statement: the size, the frontier, and a JSON array of rows of `log_checkpoints`. */
export const chainParameters = ({ head, checkpoints }: ChainStep): readonly [number, Buffer, string] => [
  head.frontier.size,
  bytesOfFrontier(head.frontier),
  JSON.stringify(
    checkpoints.map(({ size, position, nodes }) => ({
      ...{ size, position },
      nodes: `\\x${Buffer.concat(nodes).toString('hex')}`,
    })),
  ),
];
