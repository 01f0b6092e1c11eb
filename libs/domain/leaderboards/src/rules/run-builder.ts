import { mergeSorted } from './merge-sorted.ts';
import { RankIndex } from './rank-index.ts';
import { RunStandings } from './run-standings.ts';
import { StandingSlots } from './standing-slots.ts';
import type { Standing } from './standing.ts';
import { SubjectTable } from './subject-table.ts';

/** Builds a run from pages of standings by sorting and merging, without searching for the place of each. */
export class RunBuilder {
  readonly #slots = new StandingSlots();
  readonly #bySubject = new SubjectTable(this.#slots);
  /** Sorted lists, each at least twice as long as the next, so every standing is merged O(log n) times. */
  readonly #sorted: Uint32Array<ArrayBuffer>[] = [];

  /** Each user is added at most once. */
  add(page: Iterable<Standing>): void {
    const onBoard: number[] = [];
    for (const standing of page) {
      const slot = this.#slots.add(standing);
      this.#bySubject.add(slot);
      if (this.#slots.isOnBoard(slot)) onBoard.push(slot);
    }
    this.#push(Uint32Array.from(onBoard.sort((a, b) => this.#slots.compare(a, b))));
  }

  build(): RunStandings {
    while (this.#sorted.length > 1) this.#mergeLast();
    return new RunStandings(this.#slots, this.#bySubject, new RankIndex(this.#slots, this.#sorted.pop()));
  }

  #push(page: Uint32Array<ArrayBuffer>): void {
    this.#sorted.push(page);
    for (let last = page; ; last = this.#mergeLast()) {
      const before = this.#sorted.at(-2);
      if (before === undefined || before.length >= 2 * last.length) return;
    }
  }

  #mergeLast(): Uint32Array<ArrayBuffer> {
    const [a, b] = this.#sorted.splice(-2) as [Uint32Array, Uint32Array];
    const merged = mergeSorted(this.#slots, a, b);
    this.#sorted.push(merged);
    return merged;
  }
}
