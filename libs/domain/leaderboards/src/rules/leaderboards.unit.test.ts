import { leaderboardsPlanOf, contributionsOf } from '@laurel/contributions';
import { subjectOf } from '@laurel/testing/subjects';
import { occasionOf, requireAreas, type ChainMessage, type LeaderboardDefinition } from '@laurel/kernel';
import { LeaderboardsArea } from '../leaderboards-area.ts';
import { emptyDatabase } from '../testing/boards.ts';
import { configurationOf, merges, metricBoard, pointsBoard, streakBoard } from '../testing/configuration.ts';
import { award, metricEvent, NOON, swept, whole } from '../testing/messages.ts';

function of(message: ChainMessage, ...boards: LeaderboardDefinition[]) {
  const configuration = configurationOf(boards);
  const occasion = occasionOf(message.record, message.user, configuration);
  const contributions = contributionsOf(occasion, leaderboardsPlanOf(configuration), message.effects);
  return contributions.map(({ run, change, sets, ...rest }) => ({
    board: run.board.key,
    run: run.start,
    change: sets ? { type: 'set', value: BigInt(change) } : { type: 'add', amount: BigInt(change) },
    ...rest,
  }));
}

const LATER = NOON + 86_400_000;

describe('a metric event', () => {
  it('adds its value to the boards ranked by its metric, in the run of its date on the user’s clock', () => {
    const monthly = metricBoard('monthly', { run: { unit: 'month', interval: 1 } });
    const other = metricBoard('other', { rankBy: { type: 'metric', metric: merges } });
    const event = metricEvent({ position: 1, value: whole(-3), date: '2026-02-01' });
    expect(of(event, metricBoard('all'), other, monthly)).toEqual([
      { board: 'all', run: '2026-01-01', change: { type: 'add', amount: whole(-3) }, at: NOON, ordinal: 0, due: false },
      {
        board: 'monthly',
        run: '2026-02-01',
        change: { type: 'add', amount: whole(-3) },
        at: NOON,
        ordinal: 0,
        due: false,
      },
    ]);
  });

  it('counts nothing outside of start and end, both of which count', () => {
    const board = metricBoard('all', { start: '2026-01-10', end: '2026-01-12' });
    const counted = ['2026-01-09', '2026-01-10', '2026-01-12', '2026-01-13'].filter(
      (date) => of(metricEvent({ position: 1, value: 1n, date }), board).length > 0,
    );
    expect(counted).toEqual(['2026-01-10', '2026-01-12']);
  });

  it('counts nothing with the value 0', () => {
    expect(of(metricEvent({ position: 1, value: 0n }), metricBoard('all'))).toEqual([]);
  });

  it('counts nothing for a board that its version does not hold', () => {
    expect(of(metricEvent({ position: 1, value: 1n }))).toEqual([]);
  });
});

describe('an award', () => {
  it('adds an award after the cut, in the run of its own date and at its own instant', () => {
    const daily = pointsBoard('daily', 'xp', { run: { unit: 'day', interval: 1 } });
    const awards = [award('xp', 4n, { due: true }), award('energy', 5n), award('xp', -3n, { at: LATER })];
    expect(of(metricEvent({ position: 1, value: 1n, at: LATER, awards }), daily)).toEqual([
      { board: 'daily', run: '2026-01-10', change: { type: 'add', amount: whole(4) }, at: NOON, ordinal: 0, due: true },
      {
        board: 'daily',
        run: '2026-01-11',
        change: { type: 'add', amount: whole(-3) },
        at: LATER,
        ordinal: 2,
        due: false,
      },
    ]);
  });

  it('counts for any kind of record', () => {
    const message = swept({ position: 1, awards: [award('xp', 4n, { due: true })] });
    expect(of(message, pointsBoard('xp', 'xp'), metricBoard('all'))).toHaveLength(1);
  });
});

describe('a change of the streak', () => {
  it('sets the length, at the record’s instant, in the run of the record’s date', () => {
    const message = metricEvent({ position: 1, value: 1n, at: NOON, streakChanges: [{ at: LATER, length: 3 }] });
    expect(of(message, streakBoard('streaks'))).toEqual([
      {
        board: 'streaks',
        run: '2026-01-01',
        change: { type: 'set', value: whole(3) },
        at: NOON,
        ordinal: 0,
        due: false,
      },
    ]);
  });

  it('was due before the record if it is an end, which has an instant of its own', () => {
    const streakChanges = [
      { at: NOON - 5, length: 0 },
      { at: NOON, length: 1 },
    ];
    const message = metricEvent({ position: 1, value: 1n, streakChanges });
    expect(of(message, streakBoard('streaks'))).toEqual([
      { board: 'streaks', run: '2026-01-01', change: { type: 'set', value: 0n }, at: NOON - 5, ordinal: 0, due: true },
      {
        board: 'streaks',
        run: '2026-01-01',
        change: { type: 'set', value: whole(1) },
        at: NOON,
        ordinal: 1,
        due: false,
      },
    ]);
  });

  it('counts nothing when the record’s date lies outside of the board', () => {
    const streakChanges = [{ at: NOON, length: 1 }];
    const message = metricEvent({ position: 1, value: 1n, date: '2026-01-11', streakChanges });
    expect(of(message, streakBoard('streaks', { end: '2026-01-10' }))).toEqual([]);
  });

  it('counts an end on its own day, even if this is the last day of a board and the record comes later', () => {
    const at = Date.parse('2026-01-10T23:59:59Z');
    const streakChanges = [
      { at, length: 0 },
      { at: LATER, length: 1 },
    ];
    const message = metricEvent({ position: 1, value: 1n, at: LATER, date: '2026-01-11', streakChanges });
    const ended = { run: '2026-01-01', change: { type: 'set', value: 0n }, at, ordinal: 0, due: true };
    expect(of(message, streakBoard('streaks', { end: '2026-01-10' }))).toEqual([{ board: 'streaks', ...ended }]);
    expect(of(message, streakBoard('before', { end: '2026-01-09' }))).toEqual([]);
    const daily = streakBoard('daily', { run: { unit: 'day', interval: 1 } });
    expect(of(message, daily).map(({ run, due }) => [run, due])).toEqual([
      ['2026-01-10', true],
      ['2026-01-11', false],
    ]);
  });

  it('counts an end on the clock that was in force, not on the one that the record brings', () => {
    const message = metricEvent({ position: 1, value: 1n, at: LATER, streakChanges: [{ at: NOON, length: 0 }] });
    const moved = { ...message, user: { ...message.user!, previousZone: 'Pacific/Kiritimati' } };
    const daily = streakBoard('daily', { run: { unit: 'day', interval: 1 } });
    expect(of(moved, daily).map(({ run }) => run)).toEqual(['2026-01-11']);
  });

  it('of several users in one sweep continues the order of the users before', () => {
    const message = swept({ position: 1, streakChanges: [{ at: NOON, length: 0 }], awards: [award('xp', 1n)] });
    const third = {
      ...message,
      record: { ...message.record, fact: { type: 'UserSwept', subject: subjectOf('eve'), place: 2 } },
    };
    const boards = [pointsBoard('xp', 'xp'), streakBoard('streaks')];
    expect(of(third as ChainMessage, ...boards).map(({ ordinal }) => ordinal)).toEqual([20_000, 20_000]);
  });
});

describe('a message that an area before has not applied', () => {
  it.each(['users', 'points', 'streaks'] as const)('is refused without %s, instead of counting less', (needed) => {
    const full = metricEvent({ position: 1, value: 1n });
    const message = { ...full, areas: full.areas.filter((area) => area !== needed) };
    expect(() => requireAreas(new LeaderboardsArea(emptyDatabase), message)).toThrow(
      `leaderboards needs ${needed}, which has not applied the record at position 1`,
    );
  });
});
