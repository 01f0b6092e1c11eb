import { createHash } from 'node:crypto';
import { parseHead } from '../verify/verify-command.ts';
import { continues } from './earlier-head.ts';

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();
const leaf = (n: number): Buffer => sha256(Buffer.from(`\0record ${n}`));
const node = (left: Buffer, right: Buffer): Buffer => sha256(Buffer.concat([Buffer.of(1), left, right]));

/** RFC 6962, sections 2.1 and 2.1.2, word for word. */
const split = (size: number): number => 2 ** Math.ceil(Math.log2(size) - 1);
function rootOf(leaves: readonly Buffer[]): Buffer {
  if (leaves.length < 2) return leaves[0] ?? sha256(Buffer.of());
  const k = split(leaves.length);
  return node(rootOf(leaves.slice(0, k)), rootOf(leaves.slice(k)));
}
function subproof(m: number, leaves: readonly Buffer[], whole: boolean): readonly Buffer[] {
  if (m === leaves.length) return whole ? [] : [rootOf(leaves)];
  const k = split(leaves.length);
  return m <= k
    ? [...subproof(m, leaves.slice(0, k), whole), rootOf(leaves.slice(k))]
    : [...subproof(m - k, leaves.slice(k), false), rootOf(leaves.slice(0, k))];
}

const SIZE = 37;
const leaves = Array.from({ length: SIZE }, (_, n) => leaf(n));
const headOf = (some: readonly Buffer[]) => ({ size: some.length, root: rootOf(some).toString('hex') });
const hex = (hashes: readonly Buffer[]) => hashes.map((hash) => hash.toString('hex'));
const turned = (hash: string) => `${hash.startsWith('0') ? '1' : '0'}${hash.slice(1)}`;

describe('parseHead', () => {
  it('parses a line printed by laurel log head and rejects other text', () => {
    const root = 'aB'.repeat(32);
    expect(parseHead(`1234 ${root}\n`)).toEqual({ size: 1_234, root: root.toLowerCase() });
    for (const other of ['', '1234', root, `x ${root}`, `-1 ${root}`, `1 ${root}0`, `1 ${root} 2`])
      expect(parseHead(other)).toBeNull();
  });
});

describe('continues', () => {
  it('accepts a proof between any two sizes and rejects forged ones', () => {
    for (let later = 1; later <= SIZE; later++)
      for (let size = 1; size <= later; size++) {
        const now = headOf(leaves.slice(0, later));
        const before = headOf(leaves.slice(0, size));
        const proof = hex(subproof(size, leaves.slice(0, later), true));
        expect([size, later, continues(before, now, proof)]).toEqual([size, later, true]);
        const forged = [
          continues({ ...before, root: turned(before.root) }, now, proof),
          continues(before, { ...now, root: turned(now.root) }, proof),
          continues(before, now, [...proof, now.root]),
          ...proof.map((hash, place) => continues(before, now, proof.with(place, turned(hash)))),
          ...(proof.length === 0
            ? []
            : [continues(before, now, proof.slice(1)), continues(before, now, proof.slice(0, -1))]),
        ];
        expect([size, later, forged.includes(true)]).toEqual([size, later, false]);
      }
  });

  it('rejects a shorter log and another log of the same size', () => {
    const now = headOf(leaves);
    expect(continues({ ...now, size: SIZE + 1 }, now, [])).toBe(false);
    expect(continues(headOf([...leaves.slice(1), leaf(99)]), now, [])).toBe(false);
  });

  it('needs no proof for an empty earlier log, only its empty hash', () => {
    expect(continues(headOf([]), headOf(leaves), [])).toBe(true);
    expect(continues({ size: 0, root: '00'.repeat(32) }, headOf(leaves), [])).toBe(false);
  });
});
