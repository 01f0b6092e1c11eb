import { parseDocument } from './parse-document.ts';
import { documentWarnings } from './document-warnings.ts';

function warningsFor(board: string, streak = ''): readonly unknown[] {
  const text = `
version: 1
metrics: [{ key: runs, name: Runs }]
${streak}
leaderboards: [{ key: board, name: Board, rankBy: metric, metric: runs, ${board} }]
`;
  const { document, problems } = parseDocument(text, 'laurel.yaml');
  expect(problems ?? []).toEqual([]);
  if (!document) throw new Error('the document cannot be read');
  return documentWarnings(document);
}

const SUNDAYS = 'streak: { frequency: daily, weekStart: sunday, conditions: [{ metric: runs, threshold: 1 }] }';

describe('the week warning for a leaderboard', () => {
  it('is given if its runs last whole weeks but do not start on the first day of a week', () => {
    expect(warningsFor('start: 2026-01-06, runUnit: day, runInterval: 7')).toEqual([
      {
        path: 'leaderboards[0].start',
        message: 'is a Tuesday, so each run begins on a Tuesday; weeks begin on a Monday in this configuration',
      },
    ]);
    expect(warningsFor('start: 2026-01-05, runUnit: day, runInterval: 14', SUNDAYS)).toMatchObject([
      { message: expect.stringContaining('is a Monday, so each run begins on a Monday; weeks begin on a Sunday') },
    ]);
  });

  it.each([
    ['starts with the week', 'start: 2026-01-05, runUnit: day, runInterval: 7', ''],
    ['starts with a week that begins on Sundays', 'start: 2026-01-04, runUnit: day, runInterval: 28', SUNDAYS],
    ['lasts another number of days', 'start: 2026-01-06, runUnit: day, runInterval: 10', ''],
    ['lasts months', 'start: 2026-01-06, runUnit: month, runInterval: 7', ''],
    ['has no runs', 'start: 2026-01-06', ''],
  ])('is absent if the board %s', (_, board, streak) => expect(warningsFor(board, streak)).toEqual([]));
});
