/** Counts of consecutive buckets with their running sums, in O(log n) per operation: a Fenwick tree. */
export class PrefixCounts {
  readonly #tree: number[] = [0];
  #length = 0;

  /** Replaces all counts with these. */
  reset(counts: readonly number[]): void {
    this.#length = counts.length;
    const tree = this.#tree;
    tree.length = counts.length + 1;
    tree.fill(0);
    for (let i = 1; i <= this.#length; i++) {
      tree[i] = (tree[i] as number) + (counts[i - 1] as number);
      const above = i + (i & -i);
      if (above <= this.#length) tree[above] = (tree[above] as number) + (tree[i] as number);
    }
  }

  add(bucket: number, difference: number): void {
    const tree = this.#tree;
    for (let i = bucket + 1; i <= this.#length; i += i & -i) tree[i] = (tree[i] as number) + difference;
  }

  /** Sum of the counts of all earlier buckets. */
  before(bucket: number): number {
    const tree = this.#tree;
    let sum = 0;
    for (let i = bucket; i > 0; i -= i & -i) sum += tree[i] as number;
    return sum;
  }

  /**
   * The bucket that contains the element with this index (from 0), and its index in the bucket. The element must exist.
   */
  locate(place: number): { readonly bucket: number; readonly place: number } {
    const tree = this.#tree;
    let bucket = 0;
    let left = place;
    for (let step = highestPowerOf2(this.#length); step > 0; step >>= 1) {
      const next = bucket + step;
      if (next > this.#length || (tree[next] as number) > left) continue;
      bucket = next;
      left -= tree[next] as number;
    }
    return { bucket, place: left };
  }
}

function highestPowerOf2(n: number): number {
  return n === 0 ? 0 : 1 << (31 - Math.clz32(n));
}
