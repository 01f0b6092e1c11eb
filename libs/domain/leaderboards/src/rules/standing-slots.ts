import type { Exact } from '@laurel/amounts';
import type { Subject } from '@laurel/kernel';
import { withLength } from './growth.ts';
import type { Standing } from './standing.ts';

/** A slot that belongs to no user; a standing is written there to compare it with others. */
export const NO_SLOT = 0;

/** The numbers of a standing, in the order in which they are compared. */
const SCORE = 0;
const REACHED_AT = 1;
const POSITION = 2;
const ORDINAL = 3;
const SUBJECT = 4;
const FIELDS = 5;

const NO_STANDINGS = new Float64Array(0);

/** Approximate size of a Map entry for a score. */
const LARGE_SCORE_BYTES = 100;

/**
 * Standings as rows of five doubles in one array. The number of a row, its slot, stays the same as long as the standing
 * exists. A list of slots takes four bytes per entry; an object for each standing would take a hundred bytes more.
 */
export class StandingSlots {
  #numbers = NO_STANDINGS;
  /** Scores beyond safe integers; their rows hold the nearest double. */
  #large: Map<number, bigint> | null = null;
  /** The first free slot; the row of a free slot has the next one. */
  #firstFree = NO_SLOT;
  #end = NO_SLOT + 1;

  get bytes(): number {
    return this.#numbers.byteLength + (this.#large?.size ?? 0) * LARGE_SCORE_BYTES;
  }

  add(standing: Standing): number {
    const slot = this.#take();
    this.set(slot, standing);
    return slot;
  }

  set(slot: number, { subject, score, reachedAt, position, ordinal }: Standing): void {
    const row = slot * FIELDS;
    const numbers = withLength(this.#numbers, row + FIELDS);
    this.#keepLarge(slot, score);
    numbers[row + SCORE] = Number(score);
    numbers[row + REACHED_AT] = reachedAt;
    numbers[row + POSITION] = position;
    numbers[row + ORDINAL] = ordinal;
    numbers[row + SUBJECT] = subject;
    this.#numbers = numbers;
  }

  get(slot: number): Standing {
    const row = slot * FIELDS;
    return {
      subject: this.#numbers[row + SUBJECT] as Subject,
      score: this.#scoreOf(slot),
      reachedAt: this.#numbers[row + REACHED_AT] as number,
      position: this.#numbers[row + POSITION] as number,
      ordinal: this.#numbers[row + ORDINAL] as number,
    };
  }

  subjectOf(slot: number): Subject {
    return this.#numbers[slot * FIELDS + SUBJECT] as Subject;
  }

  isOnBoard(slot: number): boolean {
    return (this.#numbers[slot * FIELDS + SCORE] as number) > 0;
  }

  /** Frees the slot, which another standing may get later. */
  remove(slot: number): void {
    this.#large?.delete(slot);
    this.#numbers[slot * FIELDS] = this.#firstFree;
    this.#firstFree = slot;
  }

  /** Compares like `compareStandings`. */
  compare(a: number, b: number): number {
    const numbers = this.#numbers;
    const left = a * FIELDS;
    const right = b * FIELDS;
    const score = numbers[left] as number;
    // A larger integer never has a smaller nearest double.
    if (score !== numbers[right]) return score > (numbers[right] as number) ? -1 : 1;
    if (!Number.isSafeInteger(score) && this.#scoreOf(a) !== this.#scoreOf(b))
      return this.#scoreOf(a) > this.#scoreOf(b) ? -1 : 1;
    for (let field = REACHED_AT; field < FIELDS; field++) {
      const difference = (numbers[left + field] as number) - (numbers[right + field] as number);
      if (difference !== 0) return difference;
    }
    return 0;
  }

  #scoreOf(slot: number): Exact {
    const score = this.#numbers[slot * FIELDS + SCORE] as number;
    return Number.isSafeInteger(score) ? score : (this.#large?.get(slot) ?? score);
  }

  #keepLarge(slot: number, score: Exact): void {
    if (typeof score === 'bigint') (this.#large ??= new Map()).set(slot, score);
    else this.#large?.delete(slot);
  }

  #take(): number {
    const slot = this.#firstFree;
    if (slot === NO_SLOT) return this.#end++;
    this.#firstFree = this.#numbers[slot * FIELDS] as number;
    return slot;
  }
}
