import type { BoardRanking } from '@laurel/contracts';
import { rankOf, type RunStandings } from './run-standings.ts';
import { compareStandings, isOnBoard, valueOf, type Standing } from './standing.ts';

/** The standings that users had before what is not committed yet; undefined: none. */
export type PreImages = ReadonlyMap<string, Standing | undefined>;

/**
 * A run as it is committed: the present standings, less what open layers changed. The writer works on one index and so
 * pays nothing for readers; a reader pays for the users that the open batches touched.
 */
export class CommittedRun {
  readonly #present: RunStandings;
  readonly #preImages: PreImages;
  /** Of the touched users: their present standings, which do not count, and their committed ones, which do. */
  readonly #withdrawn: readonly Standing[];
  readonly #restored: readonly Standing[];

  constructor(present: RunStandings, preImages: PreImages) {
    this.#present = present;
    this.#preImages = preImages;
    this.#withdrawn = [...preImages.keys()].map((userId) => present.get(userId)).filter(isOnBoard);
    this.#restored = [...preImages.values()].filter(isOnBoard).sort(compareStandings);
  }

  get(userId: string): Standing | undefined {
    return this.#preImages.has(userId) ? this.#preImages.get(userId) : this.#present.get(userId);
  }

  rank(userId: string, maxParticipants: number): number | null {
    const standing = this.get(userId);
    return rankOf(isOnBoard(standing) ? this.#countAhead(standing) : null, maxParticipants);
  }

  /** The ranked rows from place `offset` on, at most `limit`, never beyond `maxParticipants`. */
  rankings(offset: number, limit: number, maxParticipants: number): readonly BoardRanking[] {
    const end = Math.min(offset + limit, maxParticipants);
    // What was restored moves a place down by so many at most: from here on nothing at `offset` or behind it is missed.
    const start = Math.max(0, offset - this.#restored.length);
    const first = start === 0 ? null : this.#present.index.at(start);
    if (first === undefined) return [];
    const passed = first === null ? 0 : ahead(this.#restored, first);
    let place = first === null ? 0 : start - ahead(this.#withdrawn, first) + passed;
    const rows: BoardRanking[] = [];
    for (const standing of this.#merged(start, passed)) {
      if (place >= end) break;
      if (place >= offset) rows.push({ userId: standing.userId, rank: place + 1, value: valueOf(standing) });
      place++;
    }
    return rows;
  }

  #countAhead(standing: Standing): number {
    return (
      this.#present.index.countAhead(standing) - ahead(this.#withdrawn, standing) + ahead(this.#restored, standing)
    );
  }

  /** The committed order from that place of the present order on, where so many restored standings have been passed. */
  *#merged(start: number, passed: number): Generator<Standing, void> {
    let next = passed;
    for (const standing of this.#present.index.from(start)) {
      if (this.#preImages.has(standing.userId)) continue;
      for (let r = this.#restored[next]; r && compareStandings(r, standing) < 0; r = this.#restored[++next]) yield r;
      yield standing;
    }
    yield* this.#restored.slice(next);
  }
}

function ahead(standings: readonly Standing[], standing: Standing): number {
  let count = 0;
  for (const other of standings) if (compareStandings(other, standing) < 0) count++;
  return count;
}
