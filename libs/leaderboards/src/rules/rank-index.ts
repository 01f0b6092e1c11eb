import { PrefixCounts } from './prefix-counts.ts';
import { compareStandings, type Standing } from './standing.ts';

/** A bucket is split beyond this size, and filled to half of it when built in bulk. */
const CAPACITY = 256;
const SPARSE = CAPACITY / 8;

/**
 * Standings in the order of the board: a sorted array cut into buckets, whose sizes are summed by {@link PrefixCounts}.
 * Adding, removing and counting cost O(log n) comparisons and one move within a bucket; an entry costs one reference.
 */
export class RankIndex {
  readonly #buckets: Standing[][] = [];
  readonly #counts = new PrefixCounts();
  #size = 0;

  /** Takes standings that are already in order, without comparing them. */
  static fromSorted(sorted: readonly Standing[]): RankIndex {
    const index = new RankIndex();
    for (let i = 0; i < sorted.length; i += CAPACITY / 2) index.#buckets.push(sorted.slice(i, i + CAPACITY / 2));
    index.#size = sorted.length;
    index.#recount();
    return index;
  }

  get size(): number {
    return this.#size;
  }

  /** How many are ahead of this standing, whether or not it is in the index itself. */
  countAhead(standing: Standing): number {
    const bucket = this.#bucketFor(standing);
    return bucket < 0 ? 0 : this.#counts.before(bucket) + placeFor(this.#bucket(bucket), standing);
  }

  /** @returns how many are ahead of it. A standing may be in the index once. */
  insert(standing: Standing): number {
    if (this.#buckets.length === 0) return this.#begin(standing);
    const bucket = Math.max(0, this.#bucketFor(standing));
    const entries = this.#bucket(bucket);
    const place = placeFor(entries, standing);
    const ahead = this.#counts.before(bucket) + place;
    entries.splice(place, 0, standing);
    this.#size++;
    if (entries.length > CAPACITY) this.#split(bucket);
    else this.#counts.add(bucket, 1);
    return ahead;
  }

  /** @returns how many were ahead of it. @throws Error if it is not in the index. */
  delete(standing: Standing): number {
    const bucket = this.#bucketFor(standing);
    const entries = this.#buckets[bucket] ?? [];
    const place = placeFor(entries, standing);
    if (entries[place]?.subject !== standing.subject) throw new Error('the standing is not in the rank index');
    const ahead = this.#counts.before(bucket) + place;
    entries.splice(place, 1);
    this.#size--;
    this.#counts.add(bucket, -1);
    if (entries.length < SPARSE) this.#join(bucket);
    return ahead;
  }

  /** The standing with that many ahead of it. */
  at(place: number): Standing | undefined {
    if (place < 0 || place >= this.#size) return undefined;
    const found = this.#counts.locate(place);
    return this.#bucket(found.bucket)[found.place];
  }

  /** The standings from that place on. The index must not change meanwhile. */
  *from(place: number): Generator<Standing, void> {
    if (place >= this.#size) return;
    const start = this.#counts.locate(place);
    for (let bucket = start.bucket; bucket < this.#buckets.length; bucket++) {
      const entries = this.#bucket(bucket);
      for (let i = bucket === start.bucket ? start.place : 0; i < entries.length; i++) yield entries[i] as Standing;
    }
  }

  /** The last bucket that does not begin behind the standing; -1 if all do. */
  #bucketFor(standing: Standing): number {
    let low = 0;
    let high = this.#buckets.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareStandings(this.#bucket(middle)[0] as Standing, standing) <= 0) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  #bucket(bucket: number): Standing[] {
    return this.#buckets[bucket] as Standing[];
  }

  #begin(standing: Standing): number {
    this.#buckets.push([standing]);
    this.#size = 1;
    this.#recount();
    return 0;
  }

  #split(bucket: number): void {
    this.#buckets.splice(bucket + 1, 0, this.#bucket(bucket).splice(CAPACITY / 2));
    this.#recount();
  }

  /** Joins a sparse bucket with a neighbour if there is room, so that the number of buckets follows the size. */
  #join(bucket: number): void {
    const first = bucket > 0 ? bucket - 1 : bucket;
    const entries = this.#bucket(first);
    const next = this.#buckets[first + 1];
    if (next !== undefined && entries.length + next.length <= CAPACITY / 2) {
      this.#buckets.splice(first, 2, entries.concat(next));
      this.#recount();
    } else if (this.#bucket(bucket).length === 0) {
      this.#buckets.splice(bucket, 1);
      this.#recount();
    }
  }

  #recount(): void {
    this.#counts.reset(this.#buckets.map((entries) => entries.length));
  }
}

/** The first place whose standing is not ahead of this one. */
function placeFor(entries: readonly Standing[], standing: Standing): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareStandings(entries[middle] as Standing, standing) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
