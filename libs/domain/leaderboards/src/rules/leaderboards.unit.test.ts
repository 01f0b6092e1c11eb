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
  it("adds its value to the boards ranked by its metric, in the run of its date in the user's zone", () => {
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

  it('counts on the first and last dates of a board, but not outside them', () => {
    const board = metricBoard('all', { start: '2026-01-10', end: '2026-01-12' });
    const counted = ['2026-01-09', '2026-01-10', '2026-01-12', '2026-01-13'].filter(
      (date) => of(metricEvent({ position: 1, value: 1n, date }), board).length > 0,
    );
    expect(counted).toEqual(['2026-01-10', '2026-01-12']);
  });

  it('contributes nothing if its value is 0', () => {
    expect(of(metricEvent({ position: 1, value: 0n }), metricBoard('all'))).toEqual([]);
  });

  it('contributes nothing if its configuration version has no board', () => {
    expect(of(metricEvent({ position: 1, value: 1n }))).toEqual([]);
  });
});

describe('a points award', () => {
  it('adds the points after the maximum is applied, in the run and at the instant of the award', () => {
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

  it('counts for recorded events of any type, such as sweeps', () => {
    const message = swept({ position: 1, awards: [award('xp', 4n, { due: true })] });
    expect(of(message, pointsBoard('xp', 'xp'), metricBoard('all'))).toHaveLength(1);
  });
});

describe('a streak change', () => {
  it('sets the length at the instant of the recorded event, in the run of its date', () => {
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

  it('counts as due before the event if it is the end of a streak, and has its own instant', () => {
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

  it('contributes nothing if the date of the event lies outside the board', () => {
    const streakChanges = [{ at: NOON, length: 1 }];
    const message = metricEvent({ position: 1, value: 1n, date: '2026-01-11', streakChanges });
    expect(of(message, streakBoard('streaks', { end: '2026-01-10' }))).toEqual([]);
  });

  it('counts the end of a streak on its own day, even if that is the last day of the board and the event is later', () => {
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

  it('counts the end of a streak in the zone before the event, not in the one that the event sets', () => {
    const message = metricEvent({ position: 1, value: 1n, at: LATER, streakChanges: [{ at: NOON, length: 0 }] });
    const moved = { ...message, user: { ...message.user!, previousZone: 'Pacific/Kiritimati' } };
    const daily = streakBoard('daily', { run: { unit: 'day', interval: 1 } });
    expect(of(moved, daily).map(({ run }) => run)).toEqual(['2026-01-11']);
  });

  it('in a sweep of several users numbers its contributions after those of the users before', () => {
    const message = swept({ position: 1, streakChanges: [{ at: NOON, length: 0 }], awards: [award('xp', 1n)] });
    const third = {
      ...message,
      record: { ...message.record, fact: { type: 'UserSwept', subject: subjectOf('eve'), place: 2 } },
    };
    const boards = [pointsBoard('xp', 'xp'), streakBoard('streaks')];
    expect(of(third as ChainMessage, ...boards).map(({ ordinal }) => ordinal)).toEqual([20_000, 20_000]);
  });
});

describe('a message that an earlier area has not applied', () => {
  it.each(['users', 'points', 'streaks'] as const)('is refused if %s is missing', (needed) => {
    const full = metricEvent({ position: 1, value: 1n });
    const message = { ...full, areas: full.areas.filter((area) => area !== needed) };
    expect(() => requireAreas(new LeaderboardsArea(emptyDatabase), message)).toThrow(
      `leaderboards needs ${needed}, which has not applied the record at position 1`,
    );
  });
});
