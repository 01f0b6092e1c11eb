import { NO_NUMBERS, withLength } from './growth.ts';
import { PrefixCounts } from './prefix-counts.ts';
import type { StandingSlots } from './standing-slots.ts';

/** The slots of a page; a page that is built in bulk is filled to three quarters. */
const PAGE = 256;
const FILLED = (PAGE / 4) * 3;
const SPARSE = PAGE / 8;
/** Bytes for each page in the four lists beside the entries, with spare room. */
const PAGE_BYTES = 50;

/**
 * The slots of standings in the order of the board: a sorted array cut into buckets, with the sums of their sizes in
 * {@link PrefixCounts}. Each bucket is a page of one array, with four bytes per entry. Adding and counting take O(log
 * n) comparisons and one move within a page. Each slot knows its page, so removing it and counting the slots before it
 * need no comparison.
 */
export class RankIndex {
  readonly #standings: StandingSlots;
  /** All pages, one after the other. The last one may be cut to its entries. */
  #entries = NO_NUMBERS;
  /** The page of each bucket. */
  readonly #pages: number[] = [0];
  /** The bucket and the size of each page. Only a single page may be empty. */
  readonly #bucketOf: number[] = [0];
  readonly #sizes: number[] = [0];
  readonly #freePages: number[] = [];
  /**
   * The page of each slot. Allocated once a slot is on another page than the first; undefined for slots outside the
   * index.
   */
  #pageOf = NO_NUMBERS;
  readonly #counts = new PrefixCounts();
  #size = 0;

  /** @param sorted the slots of standings that are already in order; they are not compared. */
  constructor(standings: StandingSlots, sorted = NO_NUMBERS) {
    this.#standings = standings;
    for (let i = 0; i < sorted.length; i += FILLED) {
      const page = i === 0 ? 0 : this.#addPage(this.#pages.length);
      this.#append(page, sorted.subarray(i, i + FILLED));
    }
    this.#size = sorted.length;
    this.#recount();
  }

  get size(): number {
    return this.#size;
  }

  get bytes(): number {
    return this.#entries.byteLength + this.#pageOf.byteLength + this.#sizes.length * PAGE_BYTES;
  }

  /** Number of slots before a standing, which need not be in the index. */
  countAhead(slot: number): number {
    const bucket = this.#bucketFor(slot);
    return this.#counts.before(bucket) + this.#placeFor(this.#pages[bucket] as number, slot);
  }

  /** Number of slots before a slot. @throws Error if it is not in the index */
  aheadOf(slot: number): number {
    const page = this.#pageOf[slot] ?? 0;
    return this.#counts.before(this.#bucketOf[page] as number) + this.#placeOf(page, slot);
  }

  /** @returns the number of slots before it. It must not be in the index. */
  insert(slot: number): number {
    const bucket = this.#bucketFor(slot);
    const page = this.#pages[bucket] as number;
    const size = this.#sizes[page] as number;
    if (size === PAGE) {
      this.#split(bucket);
      return this.insert(slot);
    }
    const place = this.#placeFor(page, slot);
    const start = page * PAGE;
    this.#entries = withLength(this.#entries, start + size + 1);
    this.#entries.copyWithin(start + place + 1, start + place, start + size);
    this.#entries[start + place] = slot;
    this.#assign(slot, page);
    this.#resize(page, 1);
    return this.#counts.before(bucket) + place;
  }

  /** @returns the number of slots that were before it. @throws Error if it is not in the index. */
  delete(slot: number): number {
    const page = this.#pageOf[slot] ?? 0;
    const place = this.#placeOf(page, slot);
    const bucket = this.#bucketOf[page] as number;
    const ahead = this.#counts.before(bucket) + place;
    const start = page * PAGE;
    const size = this.#sizes[page] as number;
    this.#entries.copyWithin(start + place, start + place + 1, start + size);
    this.#resize(page, -1);
    if (size <= SPARSE) this.#join(bucket);
    return ahead;
  }

  /** The slot with this index. */
  at(place: number): number | undefined {
    if (place < 0 || place >= this.#size) return undefined;
    const found = this.#counts.locate(place);
    return this.#entries[(this.#pages[found.bucket] as number) * PAGE + found.place];
  }

  /** The slots from this index on. The index must not change meanwhile. */
  *from(place: number): Generator<number, void> {
    if (place >= this.#size) return;
    const start = this.#counts.locate(place);
    for (let bucket = start.bucket; bucket < this.#pages.length; bucket++) {
      const entries = this.#entriesOf(this.#pages[bucket] as number);
      for (let i = bucket === start.bucket ? start.place : 0; i < entries.length; i++) yield entries[i] as number;
    }
  }

  /** The last bucket that begins at or before the standing, otherwise the first one. */
  #bucketFor(slot: number): number {
    let low = 0;
    let high = this.#pages.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      const first = this.#entries[(this.#pages[middle] as number) * PAGE] as number;
      if (this.#standings.compare(first, slot) <= 0) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The first index in the page whose standing is not before this one. */
  #placeFor(page: number, slot: number): number {
    const start = page * PAGE;
    let low = start;
    let high = start + (this.#sizes[page] as number);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#standings.compare(this.#entries[middle] as number, slot) < 0) low = middle + 1;
      else high = middle;
    }
    return low - start;
  }

  #placeOf(page: number, slot: number): number {
    const start = page * PAGE;
    const place = this.#entries.indexOf(slot, start) - start;
    if (place < 0 || place >= (this.#sizes[page] as number)) throw new Error('the standing is not in the rank index');
    return place;
  }

  #entriesOf(page: number): Uint32Array {
    return this.#entries.subarray(page * PAGE, page * PAGE + (this.#sizes[page] as number));
  }

  #resize(page: number, difference: number): void {
    this.#sizes[page] = (this.#sizes[page] as number) + difference;
    this.#counts.add(this.#bucketOf[page] as number, difference);
    this.#size += difference;
  }

  #split(bucket: number): void {
    const page = this.#pages[bucket] as number;
    const moved = this.#entriesOf(page).slice(PAGE / 2);
    this.#sizes[page] = PAGE / 2;
    this.#append(this.#addPage(bucket + 1), moved);
    this.#recount();
  }

  /**
   * Joins a small bucket with a neighbour if there is room, so that the number of buckets follows the number of slots.
   */
  #join(bucket: number): void {
    const first = Math.max(0, bucket - 1);
    const page = this.#pages[first] as number;
    const next = this.#pages[first + 1];
    if (next === undefined) return;
    if ((this.#sizes[page] as number) + (this.#sizes[next] as number) <= PAGE / 2) {
      this.#append(page, this.#entriesOf(next));
      this.#removePage(first + 1);
    } else if (this.#sizes[this.#pages[bucket] as number] === 0) {
      this.#removePage(bucket);
    }
  }

  #append(page: number, slots: Uint32Array): void {
    const end = page * PAGE + (this.#sizes[page] as number);
    this.#entries = withLength(this.#entries, end + slots.length);
    this.#entries.set(slots, end);
    this.#sizes[page] = (this.#sizes[page] as number) + slots.length;
    for (const slot of slots) this.#assign(slot, page);
  }

  #assign(slot: number, page: number): void {
    if (page > 0) this.#pageOf = withLength(this.#pageOf, slot + 1);
    if (slot < this.#pageOf.length) this.#pageOf[slot] = page;
  }

  #addPage(bucket: number): number {
    const page = this.#freePages.pop() ?? this.#sizes.push(0) - 1;
    this.#pages.splice(bucket, 0, page);
    return page;
  }

  #removePage(bucket: number): void {
    const [page = 0] = this.#pages.splice(bucket, 1);
    this.#sizes[page] = 0;
    this.#freePages.push(page);
    this.#recount();
  }

  #recount(): void {
    this.#pages.forEach((page, bucket) => (this.#bucketOf[page] = bucket));
    this.#counts.reset(this.#pages.map((page) => this.#sizes[page] as number));
  }
}
