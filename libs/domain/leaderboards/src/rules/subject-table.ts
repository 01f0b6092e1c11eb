import type { Subject } from '@laurel/kernel';
import { NO_SLOT, type StandingSlots } from './standing-slots.ts';

const FIRST_LENGTH = 4;

/**
 * The slots of standings by subject: a hash table with linear probing that stores only slots, at most half full, so an
 * entry takes 8 to 16 bytes. Subjects are random, so nobody can choose them to collide.
 */
export class SubjectTable {
  readonly #standings: StandingSlots;
  /** Its length is a power of 2. */
  #slots = new Uint32Array(FIRST_LENGTH);
  #size = 0;

  constructor(standings: StandingSlots) {
    this.#standings = standings;
  }

  get size(): number {
    return this.#size;
  }

  get bytes(): number {
    return this.#slots.byteLength;
  }

  /** All slots, in no particular order. */
  *all(): Generator<number, void> {
    for (const slot of this.#slots) if (slot !== NO_SLOT) yield slot;
  }

  /** The slot of the subject, or NO_SLOT if it has none. */
  find(subject: Subject): number {
    return this.#slots[this.#placeOf(subject)] as number;
  }

  /** Adds a slot. Its standing's subject must not have one yet. */
  add(slot: number): void {
    if (++this.#size * 2 > this.#slots.length) this.#grow();
    this.#slots[this.#placeOf(this.#standings.subjectOf(slot))] = slot;
  }

  /** Closes the gap, so that a search may stop at the first free entry. */
  remove(subject: Subject): void {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let gap = this.#placeOf(subject);
    for (let place = (gap + 1) & mask; slots[place] !== NO_SLOT; place = (place + 1) & mask) {
      const slot = slots[place] as number;
      const home = this.#homeOf(this.#standings.subjectOf(slot));
      if (((place - home) & mask) < ((place - gap) & mask)) continue;
      slots[gap] = slot;
      gap = place;
    }
    slots[gap] = NO_SLOT;
    this.#size--;
  }

  /** The index of the subject's entry, or of the free entry for it. */
  #placeOf(subject: Subject): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let place = this.#homeOf(subject);
    for (let slot = slots[place] as number; slot !== NO_SLOT; slot = slots[place] as number) {
      if (this.#standings.subjectOf(slot) === subject) break;
      place = (place + 1) & mask;
    }
    return place;
  }

  #homeOf(subject: Subject): number {
    const mixed = Math.imul(subject ^ Math.imul(subject / 2 ** 32, 0x85ebca6b), 0x9e3779b1);
    return mixed >>> (Math.clz32(this.#slots.length) + 1);
  }

  #grow(): void {
    const former = this.#slots;
    this.#slots = new Uint32Array(2 * former.length);
    for (const slot of former) if (slot !== NO_SLOT) this.#slots[this.#placeOf(this.#standings.subjectOf(slot))] = slot;
  }
}
