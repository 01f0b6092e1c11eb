import { subjectOf } from '@laurel/testing/subjects';
import { parseDay } from '@laurel/calendar';
import { leaderboardsPlanOf, contributionsOf } from '@laurel/contributions';
import { occasionOf, type Effect, type LeaderboardDefinition } from '@laurel/kernel';
import { configurationOf, metricBoard, pointsBoard, streakBoard } from '../testing/configuration.ts';
import { award, metricEvent, NOON, swept, whole, type Given } from '../testing/messages.ts';
import { moveStandings } from './leaderboards.ts';
import { RunStandings } from './run-standings.ts';
import type { Standing } from './standing.ts';

const UNITS = 1_000_000;
const JANUARY = parseDay('2026-01-01');

/** Boards in memory, and the effects of each message on them. */
class World {
  readonly #configuration: ReturnType<typeof configurationOf>;
  readonly #runs = new Map<string, RunStandings>();
  #position = 0;

  constructor(...boards: readonly LeaderboardDefinition[]) {
    this.#configuration = configurationOf(boards);
  }

  event(value: bigint, given: Partial<Given> = {}): readonly Effect[] {
    return this.#apply(metricEvent({ position: ++this.#position, value, ...given }));
  }

  sweep(given: Partial<Given>): readonly Effect[] {
    return this.#apply(swept({ position: ++this.#position, ...given }));
  }

  standing(board: string, subject = subjectOf('ada'), run = '2026-01-01'): Standing | undefined {
    return this.#run(board, run).get(subject);
  }

  #apply(message: ReturnType<typeof metricEvent>): readonly Effect[] {
    const occasion = occasionOf(message.record, message.user, this.#configuration);
    const contributions = contributionsOf(occasion, leaderboardsPlanOf(this.#configuration), message.effects);
    return moveStandings(contributions, occasion, ({ key }) => this.#run(key.board, key.start));
  }

  #run(board: string, start: string): RunStandings {
    const name = `${board} ${start}`;
    const run = this.#runs.get(name) ?? new RunStandings();
    this.#runs.set(name, run);
    return run;
  }
}

const changed = (fields: Partial<Extract<Effect, { type: 'RankChanged' }>>) => ({
  type: 'RankChanged',
  board: 'all',
  run: JANUARY,
  at: NOON,
  ordinal: 0,
  previousRank: null,
  rank: 1,
  participants: 1,
  previousValue: null,
  due: false,
  ...fields,
});

describe('a standing', () => {
  it('starts at 0, adds contributions, and dates its value by the last of them', () => {
    const world = new World(metricBoard('all'));
    world.event(whole(5));
    world.event(whole(-2), { at: NOON + 7 });
    const moved = { subject: subjectOf('ada'), score: 3 * UNITS, reachedAt: NOON + 7, position: 2, ordinal: 0 };
    expect(world.standing('all')).toEqual(moved);
    world.event(whole(-9), { subject: subjectOf('bob') });
    expect(world.standing('all', subjectOf('bob'))).toMatchObject({ score: -9 * UNITS });
  });

  it('on a streak board is replaced by the new length', () => {
    const world = new World(streakBoard('streaks'));
    world.event(0n, { streakChanges: [{ at: NOON, length: 5 }] });
    world.event(0n, { streakChanges: [{ at: NOON, length: 1 }] });
    expect(world.standing('streaks')).toMatchObject({ score: UNITS });
  });

  it('is not changed by a contribution of 0, which has no effect either', () => {
    const world = new World(metricBoard('all'), streakBoard('streaks'));
    const streakChanges = [{ at: NOON, length: 5 }];
    world.event(whole(1), { streakChanges });
    const before = [world.standing('all'), world.standing('streaks')];
    expect(world.event(0n, { at: NOON + 1, streakChanges })).toEqual([]);
    expect([world.standing('all'), world.standing('streaks')]).toEqual(before);
    expect(world.sweep({ subject: subjectOf('bob'), streakChanges: [{ at: NOON, length: 0 }] })).toEqual([]);
    expect(world.standing('streaks', subjectOf('bob'))).toBeUndefined();
  });

  it('is exact beyond the precision of a double', () => {
    const world = new World(metricBoard('all'));
    const limit = BigInt(Number.MAX_SAFE_INTEGER);
    world.event(limit);
    const [above] = world.event(2n);
    expect(above).toMatchObject({ previousValue: Number.MAX_SAFE_INTEGER, value: limit + 2n });
    expect(world.standing('all')?.score).toBe(limit + 2n);
    world.event(-2n);
    expect(world.standing('all')?.score).toBe(Number.MAX_SAFE_INTEGER);
  });

  it('rejects an invalid instant', () => {
    const world = new World(metricBoard('all'));
    expect(() => world.event(1n, { at: Number.NaN, date: '2026-01-10' })).toThrow(RangeError);
  });
});

describe('a rank change', () => {
  it('has the exact rank and value directly before and after the event', () => {
    const world = new World(metricBoard('all'));
    expect(world.event(whole(2), { subject: subjectOf('bob') })).toEqual([changed({ value: 2 * UNITS })]);
    expect(world.event(whole(1))).toEqual([changed({ rank: 2, participants: 2, value: UNITS })]);
    const after = {
      previousRank: 2,
      rank: 1,
      participants: 2,
      previousValue: UNITS,
      value: 2 * UNITS + 1,
      at: NOON + 1,
    };
    expect(world.event(whole(1) + 1n, { at: NOON + 1 })).toEqual([changed(after)]);
  });

  it('is emitted if only the value changes, and if the value leaves the board', () => {
    const world = new World(metricBoard('all', { maxParticipants: 1 }));
    world.event(whole(2));
    expect(world.event(whole(1), { subject: subjectOf('bob') })).toEqual([
      changed({ rank: null, participants: 2, value: UNITS }),
    ]);
    const same = { previousRank: 1, rank: 1, participants: 2, previousValue: 2 * UNITS, value: 3 * UNITS };
    expect(world.event(whole(1))).toEqual([changed(same)]);
    const gone = { previousRank: 1, rank: null, participants: 1, previousValue: 3 * UNITS, value: 0 };
    expect(world.event(whole(-3))).toEqual([changed(gone)]);
  });

  it("is emitted per due award at the award's instant, then once for all awards of the event itself", () => {
    const world = new World(pointsBoard('xp', 'xp'));
    const due = { due: true, at: NOON - 10 };
    const awards = [award('xp', 1n, due), award('xp', 2n, { ...due, at: NOON - 5 }), award('xp', 3n), award('xp', 4n)];
    const board = 'xp';
    const first = { board, due: true, at: NOON - 10, ordinal: 0, value: UNITS };
    const second = {
      board,
      due: true,
      at: NOON - 5,
      ordinal: 1,
      previousRank: 1,
      previousValue: UNITS,
      value: 3 * UNITS,
    };
    const own = { board, ordinal: 3, previousRank: 1, previousValue: 3 * UNITS, value: 10 * UNITS };
    expect(world.event(0n, { awards })).toEqual([changed(first), changed(second), changed(own)]);
    expect(world.standing('xp')).toMatchObject({ reachedAt: NOON, ordinal: 3 });
  });

  it("is due if it ends a streak, and is the event's own if it starts the next one", () => {
    const world = new World(streakBoard('streaks'));
    world.event(0n, { streakChanges: [{ at: NOON, length: 2 }] });
    const streakChanges = [
      { at: NOON - 1, length: 0 },
      { at: NOON, length: 1 },
    ];
    const board = 'streaks';
    const ended = {
      board,
      due: true,
      at: NOON - 1,
      previousRank: 1,
      rank: null,
      participants: 0,
      previousValue: 2 * UNITS,
      value: 0,
    };
    const started = { board, ordinal: 1, previousValue: 0, value: UNITS };
    expect(world.event(0n, { streakChanges })).toEqual([changed(ended), changed(started)]);
  });

  it('is not emitted if the awards of the event cancel out, although the value counts as reached later', () => {
    const world = new World(pointsBoard('xp', 'xp'));
    world.event(0n, { awards: [award('xp', 5n)] });
    expect(world.event(0n, { awards: [award('xp', 2n), award('xp', -2n)] })).toEqual([]);
    expect(world.standing('xp')).toMatchObject({ score: 5 * UNITS, position: 2, ordinal: 1 });
  });

  it('combines the changes that one event makes on several days of a run', () => {
    const world = new World(pointsBoard('xp', 'xp', { run: { unit: 'month', interval: 1 } }));
    const awards = [award('xp', 1n, { date: '2026-01-09' }), award('xp', 2n, { date: '2026-01-10' })];
    expect(world.event(0n, { awards })).toEqual([changed({ board: 'xp', ordinal: 1, value: 3 * UNITS })]);
  });

  it('is listed in configuration order of the boards, due changes first', () => {
    const world = new World(streakBoard('streaks'), pointsBoard('xp', 'xp'), metricBoard('all'));
    const awards = [award('xp', 1n, { due: true }), award('xp', 1n)];
    const told = world.event(whole(1), { awards, streakChanges: [{ at: NOON, length: 1 }] });
    expect(told.map((effect) => effect.type === 'RankChanged' && [effect.board, effect.due])).toEqual([
      ['xp', true],
      ['streaks', false],
      ['xp', false],
      ['all', false],
    ]);
  });
});
