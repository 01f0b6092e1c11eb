import type { Subject } from '@laurel/kernel';
import { ZERO, type Amount } from '@laurel/amounts';
import { RankIndex } from './rank-index.ts';
import { valueOf, type Standing } from './standing.ts';
import { NO_SLOT, StandingSlots } from './standing-slots.ts';
import { SubjectTable } from './subject-table.ts';

/**
 * The number of users ahead before and after a move (null if the value was not on the board), and the number on the
 * board afterwards.
 */
export interface Move {
  readonly aheadBefore: number | null;
  readonly aheadAfter: number | null;
  readonly participants: number;
}

/** Size of a run in memory without its arrays, measured. */
const RUN_BYTES = 1_400;

/**
 * All standings of one run, and the order of the standings on the board. Standings are rows of one array ({@link StandingSlots}); users
 * ({@link SubjectTable}) and places ({@link RankIndex}) refer to them by slot.
 */
export class RunStandings {
  readonly #slots: StandingSlots;
  readonly #bySubject: SubjectTable;
  readonly #index: RankIndex;

  constructor(
    slots = new StandingSlots(),
    bySubject = new SubjectTable(slots),
    index: RankIndex = new RankIndex(slots),
  ) {
    this.#slots = slots;
    this.#bySubject = bySubject;
    this.#index = index;
  }

  get size(): number {
    return this.#bySubject.size;
  }

  /** Approximate size of the run in memory. */
  get bytes(): number {
    return RUN_BYTES + this.#slots.bytes + this.#bySubject.bytes + this.#index.bytes;
  }

  get(subject: Subject): Standing | undefined {
    const slot = this.#bySubject.find(subject);
    return slot === NO_SLOT ? undefined : this.#slots.get(slot);
  }

  /** Replaces the user's standing; undefined removes it. */
  put(subject: Subject, standing: Standing | undefined): Move {
    const present = this.#bySubject.find(subject);
    const aheadBefore = this.#isRanked(present) ? this.#index.delete(present) : null;
    if (standing === undefined) this.#remove(present, subject);
    const slot = standing === undefined ? NO_SLOT : this.#set(present, standing);
    const aheadAfter = this.#isRanked(slot) ? this.#index.insert(slot) : null;
    return { aheadBefore, aheadAfter, participants: this.#index.size };
  }

  /** Number of users ahead, or null if the user is not on the board. */
  aheadOf(subject: Subject): number | null {
    const slot = this.#bySubject.find(subject);
    return this.#isRanked(slot) ? this.#index.aheadOf(slot) : null;
  }

  /** Number of users ahead of a standing, which need not belong to this run. */
  countAhead(standing: Standing): number {
    this.#slots.set(NO_SLOT, standing);
    return this.#index.countAhead(NO_SLOT);
  }

  /** The standing with this index on the board. */
  at(place: number): Standing | undefined {
    const slot = this.#index.at(place);
    return slot === undefined ? undefined : this.#slots.get(slot);
  }

  /** The standings on the board from this index on. The run must not change meanwhile. */
  *from(place: number): Generator<Standing, void> {
    for (const slot of this.#index.from(place)) yield this.#slots.get(slot);
  }

  /** All standings in no particular order, also those that are not on the board. The run must not change meanwhile. */
  *all(): Generator<Standing, void> {
    for (const slot of this.#bySubject.all()) yield this.#slots.get(slot);
  }

  /** The last ranked value if `maxParticipants` users are ranked, otherwise 0. */
  threshold(maxParticipants: number): Amount {
    return this.#index.size < maxParticipants ? ZERO : valueOf(this.at(maxParticipants - 1));
  }

  #isRanked(slot: number): boolean {
    return slot !== NO_SLOT && this.#slots.isOnBoard(slot);
  }

  #set(present: number, standing: Standing): number {
    if (present !== NO_SLOT) {
      this.#slots.set(present, standing);
      return present;
    }
    const slot = this.#slots.add(standing);
    this.#bySubject.add(slot);
    return slot;
  }

  #remove(slot: number, subject: Subject): void {
    if (slot === NO_SLOT) return;
    this.#bySubject.remove(subject);
    this.#slots.remove(slot);
  }
}

/** A board ranks up to `maxParticipants` users; a user with at least as many ahead has no rank. */
export function rankOf(ahead: number | null, maxParticipants: number): number | null {
  return ahead === null || ahead >= maxParticipants ? null : ahead + 1;
}
