import { ZERO, type Amount } from '@laurel/amounts';
import { RankIndex } from './rank-index.ts';
import { isOnBoard, valueOf, type Standing } from './standing.ts';

/** How many were ahead of a user before and after a move; null: the value was not on the board. */
export interface Move {
  readonly aheadBefore: number | null;
  readonly aheadAfter: number | null;
}

/** A standing in memory, its user's id aside (measured). */
const STANDING_BYTES = 150;
/** A run in memory, its standings aside. */
const RUN_BYTES = 1_400;

/** All standings of one run, and the order of those that are on the board. */
export class RunStandings {
  readonly #standings: Map<string, Standing>;
  readonly #index: RankIndex;
  #bytes = RUN_BYTES;

  /** @param sorted the standings on the board, in its order. */
  constructor(standings: Map<string, Standing> = new Map(), sorted: readonly Standing[] = []) {
    this.#standings = standings;
    this.#index = RankIndex.fromSorted(sorted);
    for (const userId of standings.keys()) this.#bytes += bytesOf(userId);
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

  get(userId: string): Standing | undefined {
    return this.#standings.get(userId);
  }

  /** Puts the user's standing in place of the present one; undefined removes it. */
  put(userId: string, standing: Standing | undefined): Move {
    const before = this.#standings.get(userId);
    const aheadBefore = isOnBoard(before) ? this.#index.delete(before) : null;
    this.#set(userId, standing);
    return { aheadBefore, aheadAfter: isOnBoard(standing) ? this.#index.insert(standing) : null };
  }

  #set(userId: string, standing: Standing | undefined): void {
    const present = this.#standings.has(userId);
    if (standing === undefined) this.#standings.delete(userId);
    else this.#standings.set(userId, standing);
    if (present !== (standing !== undefined)) this.#bytes += present ? -bytesOf(userId) : bytesOf(userId);
  }

  /** How many are ahead of the user; null: not on the board. */
  aheadOf(userId: string): number | null {
    const standing = this.#standings.get(userId);
    return isOnBoard(standing) ? this.#index.countAhead(standing) : null;
  }

  /** The last ranked value if that many are ranked, else 0. */
  threshold(maxParticipants: number): Amount {
    return this.#index.size < maxParticipants ? ZERO : valueOf(this.#index.at(maxParticipants - 1));
  }
}

/** As if each character took two bytes. */
const bytesOf = (userId: string): number => STANDING_BYTES + 2 * userId.length;

/** Only so many are ranked: a user with more than that ahead has no rank. */
export function rankOf(ahead: number | null, maxParticipants: number): number | null {
  return ahead === null || ahead >= maxParticipants ? null : ahead + 1;
}
