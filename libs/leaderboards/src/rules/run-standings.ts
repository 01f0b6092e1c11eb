import type { Subject } from '@laurel/contracts';
import { ZERO, type Amount } from '@laurel/amounts';
import { RankIndex } from './rank-index.ts';
import { isOnBoard, valueOf, type Standing } from './standing.ts';

/** How many were ahead of a user before and after a move; null: the value was not on the board. */
export interface Move {
  readonly aheadBefore: number | null;
  readonly aheadAfter: number | null;
}

/** A standing in memory (measured). */
const STANDING_BYTES = 150;
/** A run in memory, its standings aside. */
const RUN_BYTES = 1_400;

/** All standings of one run, and the order of those that are on the board. */
export class RunStandings {
  readonly #standings: Map<Subject, Standing>;
  readonly #index: RankIndex;
  #bytes = RUN_BYTES;

  /** @param sorted the standings on the board, in its order. */
  constructor(standings: Map<Subject, Standing> = new Map(), sorted: readonly Standing[] = []) {
    this.#standings = standings;
    this.#index = RankIndex.fromSorted(sorted);
    this.#bytes += standings.size * STANDING_BYTES;
  }

  get size(): number {
    return this.#standings.size;
  }

  /** About what the run takes in memory. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The order of the standings on the board; changed by `put` alone. */
  get index(): Omit<RankIndex, 'insert' | 'delete'> {
    return this.#index;
  }

  get(subject: Subject): Standing | undefined {
    return this.#standings.get(subject);
  }

  /** Puts the user's standing in place of the present one; undefined removes it. */
  put(subject: Subject, standing: Standing | undefined): Move {
    const before = this.#standings.get(subject);
    const aheadBefore = isOnBoard(before) ? this.#index.delete(before) : null;
    this.#set(subject, standing);
    return { aheadBefore, aheadAfter: isOnBoard(standing) ? this.#index.insert(standing) : null };
  }

  #set(subject: Subject, standing: Standing | undefined): void {
    const present = this.#standings.has(subject);
    if (standing === undefined) this.#standings.delete(subject);
    else this.#standings.set(subject, standing);
    if (present !== (standing !== undefined)) this.#bytes += present ? -STANDING_BYTES : STANDING_BYTES;
  }

  /** How many are ahead of the user; null: not on the board. */
  aheadOf(subject: Subject): number | null {
    const standing = this.#standings.get(subject);
    return isOnBoard(standing) ? this.#index.countAhead(standing) : null;
  }

  /** The last ranked value if that many are ranked, else 0. */
  threshold(maxParticipants: number): Amount {
    return this.#index.size < maxParticipants ? ZERO : valueOf(this.#index.at(maxParticipants - 1));
  }
}

/** Only so many are ranked: a user with more than that ahead has no rank. */
export function rankOf(ahead: number | null, maxParticipants: number): number | null {
  return ahead === null || ahead >= maxParticipants ? null : ahead + 1;
}
