import { parseDate, type LocalDate } from '@laurel/calendar';
import type { BoardRun } from '@laurel/kernel';
import type { AwardPlace, ChangePlace } from '@laurel/ports';
import { cursorFormat, numberCursor, type CursorFormat } from '@laurel/runtime';

/** Awards of a points system. */
export const AWARD_CURSOR = cursorFormat<AwardPlace>(
  /^points:([fs]):(\d{1,16}):(\d{1,9})$/,
  ([kind, position, index]) => ({ folded: kind === 'f', position: Number(position), index: Number(index) }),
  ({ folded, position, index }) => `points:${folded ? 'f' : 's'}:${position}:${index}`,
);

/** Users whom an event concerns. */
export const EVENT_USER_CURSOR = numberCursor('users', 9);

/** Events of a user, by position. */
export const TIMELINE_CURSOR = numberCursor('timeline', 16);

/** Runs of a board, by their first date. */
export const RUN_CURSOR = cursorFormat<LocalDate>(
  /^runs:(\d{4}-\d\d-\d\d)$/,
  ([start = '']) => parseDate(start),
  (start) => `runs:${start}`,
);

/**
 * Changes in one run of a board. A cursor of another run is refused, because the present run may change between two
 * pages.
 */
export const changeCursor = (run: BoardRun | null): CursorFormat<ChangePlace> =>
  cursorFormat(
    /^board:(\d{4}-\d\d-\d\d):(\d{1,16}):(\d{1,9})$/,
    ([start, position, ordinal]) =>
      start === run?.start ? { position: Number(position), ordinal: Number(ordinal) } : null,
    ({ position, ordinal }) => `board:${run?.start}:${position}:${ordinal}`,
  );
