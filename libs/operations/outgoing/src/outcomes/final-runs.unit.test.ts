import { finalRunFields } from './final-runs.ts';

it('finalRunFields lists a hundred final runs and counts the rest', () => {
  const runs = (count: number) =>
    Array.from({ length: count }, (_, place) => ({ board: `b${place}`, start: '2026-01-01', end: '2026-01-07' }));
  const named = runs(100).map(({ board }) => ({ leaderboard: board, run: '2026-01-01', runEnd: '2026-01-07' }));
  expect(finalRunFields([])).toEqual({ finalRuns: [], finalRunsLeftOut: 0 });
  expect(finalRunFields(runs(100))).toEqual({ finalRuns: named, finalRunsLeftOut: 0 });
  expect(finalRunFields(runs(102))).toEqual({ finalRuns: named, finalRunsLeftOut: 2 });
});
