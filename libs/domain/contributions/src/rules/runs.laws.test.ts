import { addDays, addMonths, type LocalDate } from '@laurel/calendar';
import type { RunUnit } from '@laurel/kernel';
import fc from 'fast-check';
import { runHolding, type BoardDates } from './runs.ts';

const dates = fc.integer({ min: 0, max: 12_000 }).map((days) => addDays('1999-12-01', days));
const boards = fc.record({
  start: dates,
  days: fc.option(fc.integer({ min: 0, max: 4_000 })),
  run: fc.option(
    fc.record({ unit: fc.constantFrom<RunUnit>('day', 'month', 'year'), interval: fc.integer({ min: 1, max: 14 }) }),
  ),
});
const dated = boards.map(({ start, days, run }): BoardDates => {
  return { start, end: days === null ? null : addDays(start, days), run };
});

/** The starts of the runs, counted one by one from the board's start. */
function startsUntil(board: BoardDates, date: LocalDate): LocalDate[] {
  const starts: LocalDate[] = [];
  for (let k = 0, start = board.start; start <= date; k++, start = startOf(board, k)) starts.push(start);
  return starts;
}

function startOf({ start, run }: BoardDates, k: number): LocalDate {
  if (run === null) return '9999-12-31';
  const n = k * run.interval;
  return run.unit === 'day' ? addDays(start, n) : addMonths(start, run.unit === 'year' ? 12 * n : n);
}

describe('runHolding', () => {
  it('finds the same run as counting runs from the start of the board', () => {
    fc.assert(
      fc.property(dated, dates, (board, date) => {
        const inside = date >= board.start && (board.end === null || date <= board.end);
        expect(runHolding(board, date)?.start).toBe(inside ? startsUntil(board, date).at(-1) : undefined);
      }),
    );
  });

  it('divides the dates of the board into runs without gaps or overlaps', () => {
    fc.assert(
      fc.property(dated, dates, (board, date) => {
        const run = runHolding(board, date);
        if (run === null) return;
        expect(run.start <= date && (run.end === null || date <= run.end)).toBe(true);
        if (run.start > board.start)
          expect(runHolding(board, addDays(run.start, -1))?.end).toBe(addDays(run.start, -1));
        if (run.end === null || run.end === board.end) return;
        expect(runHolding(board, addDays(run.end, 1))?.start).toBe(addDays(run.end, 1));
      }),
    );
  });
});
