import {
  AREAS,
  type AnyUserArea,
  type ConfigurationHistory,
  type Row,
  type Rows,
  type SqlReader,
  type UserRef,
} from '@laurel/kernel';
import { UserFold, type FoldedEvent } from '@laurel/engine';
import { BoardsOfUser } from '@laurel/leaderboards';
import { USER_AREAS } from '@laurel/all-areas';
import type { FoldedStates } from './states-of-users.ts';

/** Areas that have applied the log up to the same record, and the areas before them. Their rows are compared as of this record. */
export interface AppliedRange {
  readonly upTo: number;
  /** The areas to fold. */
  readonly areas: readonly AnyUserArea[];
  /** Index of the first of these areas that is compared. */
  readonly first: number;
  readonly hasBoards: boolean;
}

/**
 * The ranges of areas. There is only one unless an area has stopped: this area and the later ones have applied nothing
 * since.
 */
export async function rangesOf(sql: SqlReader): Promise<readonly AppliedRange[]> {
  const rows = await sql.query<{ area: string; position: string }>(
    'select area, position from area_checkpoints where failure is not null',
    [],
  );
  const stops = new Map(rows.map(({ area, position }) => [area, Number(position)]));
  let upTo = Infinity;
  const reached = AREAS.map((area) => (upTo = Math.min(upTo, stops.get(area) ?? Infinity)));
  return [...new Set(reached)].map((position) => {
    const end = reached.lastIndexOf(position) + 1;
    return {
      upTo: position,
      areas: USER_AREAS.slice(0, end),
      first: reached.indexOf(position),
      hasBoards: end === AREAS.length,
    };
  });
}

/** A user, folded by the areas of a range. */
export class FoldedRange {
  readonly range: AppliedRange;
  readonly fold: UserFold;
  readonly boards: BoardsOfUser | null;

  constructor(range: AppliedRange, configurations: Pick<ConfigurationHistory, 'at'>) {
    this.range = range;
    this.fold = new UserFold(range.areas, configurations, null, BoardsOfUser);
    this.boards = range.hasBoards ? new BoardsOfUser() : null;
  }

  /** The rows of the areas that are compared. */
  rowsOf({ rows }: FoldedEvent): readonly Rows[] {
    return rows.slice(this.range.first);
  }

  /** The rows of these areas that a correction removes. */
  removedBy({ corrected }: FoldedEvent): readonly Rows[] {
    return corrected?.removed.slice(this.range.first) ?? [];
  }

  /** Applies the event to the boards. @returns the rows of its rank changes */
  moveOnBoards({ record, occasion, configuration, effects, corrected }: FoldedEvent): readonly Row[] {
    if (this.boards === null) return [];
    const { fact } = record;
    if (corrected === undefined || fact.type !== 'CorrectionRecorded')
      return this.boards.apply(occasion, configuration, effects);
    const { before, after } = corrected;
    return this.boards.correct(
      { occasion, before, after, changesFinalRuns: fact.finalRuns === 'change' },
      configuration,
    );
  }

  statesOf({ account, subject }: UserRef): FoldedStates {
    const { areas, first } = this.range;
    const states = areas.flatMap((area, place) =>
      place < first ? [] : [[area.name, area.encode(this.fold.document[place])] as const],
    );
    return { account, subject, position: this.fold.position, states: Object.fromEntries(states) };
  }
}
