import { hash } from 'node:crypto';

/** A SHA-256. */
export type Hash = Buffer;

/** Leaves from `from` (counted from 0) to below `to`. */
export interface LeafRange {
  readonly from: number;
  readonly to: number;
}

export const HASH_BYTES = 32;

/** RFC 6962, section 2.1: the prefix of a leaf prevents its use as a node. */
export const leafHash = (text: string): Hash => hash('sha256', `\0${text}`, 'buffer');

const pair = Buffer.alloc(1 + 2 * HASH_BYTES, 1);

export function nodeHash(left: Hash, right: Hash): Hash {
  left.copy(pair, 1);
  right.copy(pair, 1 + HASH_BYTES);
  return hash('sha256', pair, 'buffer');
}

/** The hash of the empty tree. */
const EMPTY: Hash = hash('sha256', '', 'buffer');

/**
 * An append-only Merkle tree (RFC 6962, section 2.1), as the roots of its complete subtrees, largest first: that suffices to append leaves.
 */
export interface Frontier {
  readonly size: number;
  readonly peaks: readonly Hash[];
}

export const EMPTY_FRONTIER: Frontier = { size: 0, peaks: [] };

/** @param onComplete called for each subtree of more than one leaf that becomes complete */
export function withLeaf(
  { size, peaks }: Frontier,
  leaf: Hash,
  onComplete: (height: number, root: Hash) => void = () => undefined,
): Frontier {
  const next = [...peaks];
  let root = leaf;
  let height = 0;
  for (let below = size; below % 2 === 1; below = (below - 1) / 2) {
    root = nodeHash(next.pop() as Hash, root);
    onComplete(++height, root);
  }
  next.push(root);
  return { size: size + 1, peaks: next };
}

export function rootOf({ peaks }: Frontier): Hash {
  const last = peaks.at(-1);
  return last === undefined ? EMPTY : peaks.slice(0, -1).reduceRight((right, peak) => nodeHash(peak, right), last);
}

export const bytesOfFrontier = ({ peaks }: Frontier): Buffer => Buffer.concat(peaks);

/** @throws Error if the bytes do not fit a tree of this size */
export function frontierOf(size: number, bytes: Uint8Array): Frontier {
  if (bytes.length !== HASH_BYTES * onesIn(size))
    throw new Error(`the hash of the log is damaged: ${bytes.length} bytes cannot stand for ${size} records`);
  return { size, peaks: hashesIn(bytes) };
}

export const hashesIn = (bytes: Uint8Array): readonly Hash[] =>
  Array.from({ length: bytes.length / HASH_BYTES }, (_, index) =>
    Buffer.from(bytes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES)),
  );

const onesIn = (size: number): number => [...size.toString(2)].filter((bit) => bit === '1').length;

/** The root over these leaves. */
export const rootOver = (leaves: readonly Hash[]): Hash =>
  rootOf(leaves.reduce((frontier, leaf) => withLeaf(frontier, leaf), EMPTY_FRONTIER));

/** Whether the range is a complete subtree. */
export const isComplete = ({ from, to }: LeafRange): boolean =>
  from % (to - from) === 0 && Number.isInteger(Math.log2(to - from));

/** The number of leaves in the left subtree: the largest power of two below the number of leaves. */
export const leftOf = ({ from, to }: LeafRange): number => 2 ** Math.ceil(Math.log2(to - from) - 1);

/** The halves of a range. */
export function halvesOf(range: LeafRange): readonly [LeafRange, LeafRange] {
  const middle = range.from + leftOf(range);
  return [
    { from: range.from, to: middle },
    { from: middle, to: range.to },
  ];
}

/** The subtrees whose roots prove that the leaf is in the tree, in the order of the proof (section 2.1.1). */
export function inclusionPath(leaf: number, range: LeafRange): readonly LeafRange[] {
  if (range.to - range.from === 1) return [];
  const [left, right] = halvesOf(range);
  return leaf < left.to ? [...inclusionPath(leaf, left), right] : [...inclusionPath(leaf, right), left];
}

/** The subtrees whose roots prove that a tree of `size` leaves begins with that of `earlier` leaves (section 2.1.2). */
export function consistencyPath(earlier: number, size: number): readonly LeafRange[] {
  return earlier === 0 || earlier === size ? [] : subproof(earlier, { from: 0, to: size }, true);
}

function subproof(earlier: number, range: LeafRange, isWhole: boolean): readonly LeafRange[] {
  if (earlier === range.to) return isWhole ? [] : [range];
  const [left, right] = halvesOf(range);
  return earlier <= left.to ? [...subproof(earlier, left, isWhole), right] : [...subproof(earlier, right, false), left];
}
