import { textOfRecord, type StoredRecord } from '../stored-record.ts';
import { EMPTY_FRONTIER, bytesOfFrontier, leafHash, withLeaf, type Frontier, type Hash } from './merkle-tree.ts';

/** The hash of the log up to a position. */
export interface ChainHead {
  /** The position of the last record that it covers; 0 if there is none. */
  readonly position: number;
  readonly frontier: Frontier;
}

export const EMPTY_CHAIN: ChainHead = { position: 0, frontier: EMPTY_FRONTIER };

/** The height of the tree between two checkpoints. */
export const BLOCK_HEIGHT = 10;
export const BLOCK = 2 ** BLOCK_HEIGHT;

/** A row of `log_checkpoints`: the log had `size` records when it ended at `position`. */
export interface ChainCheckpoint {
  readonly size: number;
  readonly position: number;
  /** The roots of the subtrees of `BLOCK` or more records that the last record completed, smallest first. */
  readonly nodes: readonly Hash[];
}

export interface HashStep {
  readonly head: ChainHead;
  readonly checkpoints: readonly ChainCheckpoint[];
  /** One hash for each record. */
  readonly leaves: readonly Hash[];
}

/** Appends these records to the hash of the log. */
export function chained(before: ChainHead, records: readonly StoredRecord[]): HashStep {
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

/** The prefix of a record's hash, which is stored with the record to identify a changed record. */
export const prefixOf = (leaf: Hash): number => leaf.readInt32BE(0);

/** The parameters of a statement: the size, the frontier, and a JSON array of rows of `log_checkpoints`. */
export const chainParameters = ({ head, checkpoints }: HashStep): readonly [number, Buffer, string] => [
  head.frontier.size,
  bytesOfFrontier(head.frontier),
  JSON.stringify(
    checkpoints.map(({ size, position, nodes }) => ({
      size,
      position,
      nodes: `\\x${Buffer.concat(nodes).toString('hex')}`,
    })),
  ),
];
