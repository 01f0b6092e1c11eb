import type { Subject, BoardRanking } from '@laurel/kernel';
import { rankOf, type RunStandings } from './run-standings.ts';
import { compareStandings, isOnBoard, valueOf, type Standing } from './standing.ts';

/** The standings of users before uncommitted changes; undefined if they had none. */
export type PreImages = ReadonlyMap<Subject, Standing | undefined>;

/**
 * The committed state of a run: its present standings without the changes of open layers. There is one index of the
 * run, which the writer changes without regard to readers; a reader compensates for the users changed in open batches.
 */
export class CommittedRun {
  readonly #present: RunStandings;
  readonly #preImages: PreImages;
  /** The changed users' present standings, which are skipped; `#restored` has their committed ones. */
  readonly #withdrawn: readonly Standing[];
  readonly #restored: readonly Standing[];

  constructor(present: RunStandings, preImages: PreImages) {
    this.#present = present;
    this.#preImages = preImages;
    this.#withdrawn = [...preImages.keys()].map((subject) => present.get(subject)).filter(isOnBoard);
    this.#restored = [...preImages.values()].filter(isOnBoard).sort(compareStandings);
  }

  get(subject: Subject): Standing | undefined {
    return this.#preImages.has(subject) ? this.#preImages.get(subject) : this.#present.get(subject);
  }

  rank(subject: Subject, maxParticipants: number): number | null {
    const standing = this.get(subject);
    return rankOf(isOnBoard(standing) ? this.#countAhead(standing) : null, maxParticipants);
  }

  /** The ranked rows from index `offset` on, at most `limit`, never beyond `maxParticipants`. */
  rankings(offset: number, limit: number, maxParticipants: number): readonly BoardRanking[] {
    const end = Math.min(offset + limit, maxParticipants);
    // Restored standings may move later ones down, so begin earlier by their number.
    const start = Math.max(0, offset - this.#restored.length);
    const first = this.#present.at(start);
    let place = start - (first === undefined ? 0 : ahead(this.#withdrawn, first));
    const rows: BoardRanking[] = [];
    for (const standing of this.#merged(start)) {
      if (place >= end) break;
      if (place >= offset) rows.push({ subject: standing.subject, rank: place + 1, value: valueOf(standing) });
      place++;
    }
    return rows;
  }

  #countAhead(standing: Standing): number {
    return this.#present.countAhead(standing) - ahead(this.#withdrawn, standing) + ahead(this.#restored, standing);
  }

  /** The present order from this index on, without skipped standings, merged with the restored ones. */
  *#merged(start: number): Generator<Standing, void> {
    let next = 0;
    for (const standing of this.#present.from(start)) {
      if (this.#preImages.has(standing.subject)) continue;
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
