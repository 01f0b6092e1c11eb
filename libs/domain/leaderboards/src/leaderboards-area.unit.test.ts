import { subjectOf } from '@laurel/testing/subjects';
import { addDays } from '@laurel/calendar';
import { EffectList, occasionOf, type BoardsLayer, type SqlReader, type Subject } from '@laurel/kernel';
import { LeaderboardsArea } from './leaderboards-area.ts';
import { applyTo, Boards, emptyDatabase } from './testing/boards.ts';
import {
  configurationOf,
  merges,
  metricBoard,
  pointsBoard,
  pointsSystem,
  streakBoard,
} from './testing/configuration.ts';
import { award, metricEvent, NOON, swept, viewRequest, whole } from './testing/messages.ts';

const allTime = metricBoard('all');
const boardsWith = (...leaderboards: Parameters<typeof configurationOf>[0]) =>
  new Boards(configurationOf(leaderboards));

let position = 0;
const event = (subject: Subject, value: number, fields: Partial<Parameters<typeof metricEvent>[0]> = {}) =>
  metricEvent({ position: ++position, subject, value: whole(value), ...fields });

describe('ranks', () => {
  it('are 1, 2, 3, … in descending order of value', async () => {
    const boards = boardsWith(allTime);
    await boards.apply(event(subjectOf('ada'), 1), event(subjectOf('bob'), 3), event(subjectOf('eve'), 2));
    expect(await boards.rankings('all')).toEqual([
      { subject: subjectOf('bob'), rank: 1, value: whole(3) },
      { subject: subjectOf('eve'), rank: 2, value: whole(2) },
      { subject: subjectOf('ada'), rank: 3, value: whole(1) },
    ]);
  });

  it('are read from the database only if it may hold some, or if their run has left memory', async () => {
    let reads = 0;
    const sql = { query: () => Promise.resolve((reads++, [])) };
    const twice = [event(subjectOf('ada'), 1), event(subjectOf('ada'), 1)];
    await new Boards(configurationOf([allTime]), sql, { beginsEmpty: true }).apply(...twice);
    expect(reads).toBe(0);
    await new Boards(configurationOf([allTime]), sql, { beginsEmpty: true, capacityBytes: 1 }).apply(...twice);
    expect(reads).toBe(1);
  });

  it('put the user first who reached an equal value earlier, even if that was recorded later', async () => {
    const boards = boardsWith(allTime);
    await boards.apply(event(subjectOf('ada'), 3), event(subjectOf('bob'), 3, { at: NOON - 1 }));
    expect((await boards.rankings('all')).map(({ subject }) => subject)).toEqual(['bob', 'ada'].map(subjectOf));
  });

  it('follow the order of recording if value and instant are equal', async () => {
    const boards = boardsWith(allTime);
    await boards.apply(event(subjectOf('zoe'), 3), event(subjectOf('ada'), 3));
    expect((await boards.rankings('all')).map(({ subject }) => subject)).toEqual(['zoe', 'ada'].map(subjectOf));
  });

  it('depend on when the present value was last reached', async () => {
    const boards = boardsWith(allTime);
    await boards.apply(event(subjectOf('ada'), 3, { at: NOON }), event(subjectOf('bob'), 3, { at: NOON + 1 }));
    await boards.apply(event(subjectOf('ada'), 1, { at: NOON + 2 }), event(subjectOf('ada'), -1, { at: NOON + 3 }));
    expect((await boards.rankings('all')).map(({ subject }) => subject)).toEqual(['bob', 'ada'].map(subjectOf));
  });

  it('do not move for a change of 0', async () => {
    const boards = boardsWith(allTime);
    await boards.apply(
      event(subjectOf('ada'), 3),
      event(subjectOf('bob'), 3, { at: NOON + 1 }),
      event(subjectOf('ada'), 0, { at: NOON + 2 }),
    );
    expect((await boards.rankings('all')).map(({ subject }) => subject)).toEqual(['ada', 'bob'].map(subjectOf));
  });

  it('omit users with a value of 0 or less, but their values are kept', async () => {
    const boards = boardsWith(allTime);
    await boards.apply(
      event(subjectOf('ada'), 3),
      event(subjectOf('bob'), -2),
      event(subjectOf('ada'), -3),
      event(subjectOf('eve'), 1),
    );
    expect((await boards.rankings('all')).map(({ subject }) => subject)).toEqual(['eve'].map(subjectOf));
    expect(await boards.standing('all', subjectOf('bob'))).toEqual({ rank: null, value: whole(-2) });
    expect(await boards.standing('all', subjectOf('ada'))).toEqual({ rank: null, value: 0n });
    await boards.apply(event(subjectOf('bob'), 5));
    expect(await boards.standing('all', subjectOf('bob'))).toEqual({ rank: 1, value: whole(3) });
  });

  it('distinguish users whose names are property names or digits', async () => {
    const boards = boardsWith(allTime);
    await boards.apply(
      event(subjectOf('__proto__'), 2),
      event(subjectOf('constructor'), 1),
      event(subjectOf('10'), 5),
      event(subjectOf('2'), 4),
    );
    const ids = (await boards.rankings('all')).map(({ subject }) => subject);
    expect(ids).toEqual(['10', '2', '__proto__', 'constructor'].map(subjectOf));
  });
});

describe('a board with maxParticipants', () => {
  const small = metricBoard('all', { maxParticipants: 2 });

  it('ranks at most that many users, but keeps every value', async () => {
    const boards = boardsWith(small);
    const applied = await boards.apply(
      event(subjectOf('ada'), 3),
      event(subjectOf('bob'), 2),
      event(subjectOf('eve'), 1),
    );
    expect(applied.map(({ boards: [outcome] }) => outcome?.rank)).toEqual([1, 2, null]);
    expect(await boards.rankings('all')).toHaveLength(2);
    expect(await boards.standing('all', subjectOf('eve'))).toEqual({ rank: null, value: whole(1) });
  });

  it('ranks a further user as soon as they surpass the last ranked one', async () => {
    const boards = boardsWith(small);
    await boards.apply(event(subjectOf('ada'), 3), event(subjectOf('bob'), 2), event(subjectOf('eve'), 1));
    const [equal, beyond] = await boards.apply(
      event(subjectOf('eve'), 1, { at: NOON + 1 }),
      event(subjectOf('eve'), 0.5 * 2),
    );
    expect(equal?.boards[0]).toMatchObject({ previousRank: null, rank: null });
    expect(beyond?.boards[0]).toMatchObject({ previousRank: null, rank: 2 });
    expect(await boards.standing('all', subjectOf('bob'))).toEqual({ rank: null, value: whole(2) });
  });

  it('reports the last ranked value as threshold if it is full, else 0', async () => {
    const boards = boardsWith(small);
    const applied = await boards.apply(
      event(subjectOf('ada'), 3),
      event(subjectOf('bob'), 2),
      event(subjectOf('eve'), 1),
      event(subjectOf('eve'), 6),
      event(subjectOf('ada'), -4),
    );
    expect(applied.map(({ boards: [outcome] }) => outcome?.threshold)).toEqual([
      0n,
      whole(2),
      whole(2),
      whole(3),
      whole(2),
    ]);
  });
});

describe('the answer to an event', () => {
  it('names the boards it changed, in configuration order, with the ranks before and after it', async () => {
    const monthly = metricBoard('monthly', { run: { unit: 'month', interval: 1 }, end: '2026-02-10' });
    const other = metricBoard('other', { rankBy: { type: 'metric', metric: merges } });
    const boards = boardsWith(monthly, other, allTime);
    await boards.apply(
      event(subjectOf('bob'), 2, { date: '2026-01-10' }),
      event(subjectOf('ada'), 1, { date: '2026-01-10' }),
    );
    const [applied] = await boards.apply(event(subjectOf('ada'), 2, { date: '2026-02-01' }));
    expect(applied?.boards).toEqual([
      { key: 'monthly', runStart: '2026-02-01', runEnd: '2026-02-10', previousRank: null, rank: 1, threshold: 0n },
      { key: 'all', runStart: '2026-01-01', runEnd: null, previousRank: 2, rank: 1, threshold: 0n },
    ]);
  });

  it('reports the rank before the event as the one after due time awards', async () => {
    const boards = boardsWith(pointsBoard('xp', 'xp'));
    await boards.apply(swept({ position: ++position, subject: subjectOf('bob'), awards: [award('xp', 5n)] }));
    const awards = [award('xp', 7n, { due: true, at: NOON - 1000 }), award('xp', 1n)];
    const [applied] = await boards.apply(event(subjectOf('ada'), 1, { awards }));
    expect(applied?.boards).toMatchObject([{ key: 'xp', previousRank: 1, rank: 1 }]);
    expect(applied?.changes).toMatchObject([
      {
        timestamp: new Date(NOON - 1000).toISOString(),
        previous_rank: 0,
        rank: 1,
        value: '7',
      },
      { timestamp: new Date(NOON).toISOString(), previous_rank: 1, rank: 1, value: '8' },
    ]);
  });

  it('omits a board that only a due award changed', async () => {
    const boards = boardsWith(pointsBoard('xp', 'xp'));
    const [applied] = await boards.apply(event(subjectOf('ada'), 1, { awards: [award('xp', 7n, { due: true })] }));
    expect(applied?.boards).toEqual([]);
    expect(applied?.changes).toHaveLength(1);
  });

  it('omits a board whose value ends unchanged, although that value counts as reached later', async () => {
    const boards = boardsWith(pointsBoard('xp', 'xp'));
    await boards.apply(
      event(subjectOf('ada'), 1, { awards: [award('xp', 5n)] }),
      event(subjectOf('bob'), 1, { awards: [award('xp', 5n)] }),
    );
    const [applied] = await boards.apply(event(subjectOf('ada'), 1, { awards: [award('xp', 2n), award('xp', -2n)] }));
    expect(applied?.boards).toEqual([]);
    expect(applied?.changes).toEqual([]);
    expect(applied?.standings).toMatchObject([
      { subject: subjectOf('ada'), value: '5', reached_position: position, reached_ordinal: 1 },
    ]);
    expect((await boards.rankings('xp')).map(({ subject }) => subject)).toEqual(['bob', 'ada'].map(subjectOf));
  });

  it('combines several awards of one points system into one change', async () => {
    const boards = boardsWith(pointsBoard('xp', 'xp'));
    const [applied] = await boards.apply(
      event(subjectOf('ada'), 1, { awards: [award('xp', 100n), award('energy', 1n), award('xp', 10n)] }),
    );
    expect(applied?.changes).toMatchObject([{ value: '110', rank: 1, ordinal: 2 }]);
    expect(applied?.standings).toHaveLength(1);
  });

  it('reports the rank before the first of several awards', async () => {
    const boards = boardsWith(pointsBoard('xp', 'xp'));
    const awarded = (subject: Subject, ...points: bigint[]) =>
      event(subject, 1, { awards: points.map((given) => award('xp', given)) });
    await boards.apply(awarded(subjectOf('bob'), 10n), awarded(subjectOf('eve'), 20n), awarded(subjectOf('ada'), 5n));
    const [applied] = await boards.apply(awarded(subjectOf('ada'), 10n, 10n));
    expect(applied?.boards).toMatchObject([{ previousRank: 3, rank: 1 }]);
    expect(applied?.changes).toMatchObject([{ previous_rank: 3, rank: 1 }]);
  });

  it('omits a run that does not hold the date of the event', async () => {
    const boards = boardsWith(pointsBoard('xp', 'xp', { run: { unit: 'day', interval: 1 } }));
    const [applied] = await boards.apply(
      event(subjectOf('ada'), 1, { awards: [award('xp', 5n, { date: '2026-01-09' })] }),
    );
    expect(applied?.boards).toEqual([]);
    expect(applied?.changes).toHaveLength(1);
  });
});

describe('a run', () => {
  const monthly = metricBoard('monthly', { run: { unit: 'month', interval: 1 } });

  it('sums only values dated within it', async () => {
    const boards = boardsWith(monthly);
    await boards.apply(
      event(subjectOf('ada'), 1, { date: '2026-01-31' }),
      event(subjectOf('ada'), 5, { date: '2026-02-01' }),
    );
    expect(await boards.standing('monthly', subjectOf('ada'), '2026-01-15')).toEqual({ rank: 1, value: whole(1) });
    expect(await boards.standing('monthly', subjectOf('ada'), '2026-02-15')).toEqual({ rank: 1, value: whole(5) });
    expect(await boards.standing('monthly', subjectOf('ada'), '2026-03-15')).toEqual({ rank: null, value: null });
  });

  it("counts a due time award by the award's own date, even if the event is dated in a later run", async () => {
    const boards = boardsWith(pointsBoard('xp', 'xp', { run: { unit: 'day', interval: 1 } }));
    const awards = [award('xp', 4n, { due: true, at: NOON - 86_400_000 }), award('xp', 1n)];
    const [applied] = await boards.apply(event(subjectOf('ada'), 1, { awards }));
    expect(applied?.boards).toMatchObject([{ runStart: '2026-01-10', previousRank: null, rank: 1 }]);
    expect(await boards.standing('xp', subjectOf('ada'), '2026-01-09')).toEqual({ rank: 1, value: whole(4) });
    expect(await boards.standing('xp', subjectOf('ada'), '2026-01-10')).toEqual({ rank: 1, value: whole(1) });
  });
});

describe('a streak board', () => {
  const streakChange = (length: number, at = NOON) => ({ length, at });

  it('stores nothing if the length stays the same', async () => {
    const boards = boardsWith(streakBoard('streaks'));
    const lengths = [1, 2, 2].map((length) => event(subjectOf('ada'), 1, { streakChanges: [streakChange(length)] }));
    expect((await boards.apply(...lengths)).map(({ standings }) => standings.length)).toEqual([1, 1, 0]);
  });

  it('shows the current length, and 0 once the streak has ended', async () => {
    const boards = boardsWith(streakBoard('streaks'));
    await boards.apply(
      event(subjectOf('ada'), 1, { streakChanges: [streakChange(1)] }),
      event(subjectOf('ada'), 1, { streakChanges: [streakChange(2)] }),
    );
    expect(await boards.standing('streaks', subjectOf('ada'))).toEqual({ rank: 1, value: whole(2) });
    const [ended] = await boards.apply(swept({ position: ++position, streakChanges: [streakChange(0, NOON + 9)] }));
    expect(await boards.standing('streaks', subjectOf('ada'))).toEqual({ rank: null, value: 0n });
    expect(ended?.changes).toMatchObject([
      { timestamp: new Date(NOON + 9).toISOString(), previous_rank: 1, rank: 0, value: '0' },
    ]);
  });

  it('applies the end of a streak before the event that reports it', async () => {
    const boards = boardsWith(streakBoard('streaks'));
    await boards.apply(event(subjectOf('ada'), 1, { streakChanges: [streakChange(2)] }));
    const [applied] = await boards.apply(
      event(subjectOf('ada'), 1, { streakChanges: [streakChange(0, NOON - 5), streakChange(1)] }),
    );
    expect(applied?.boards).toMatchObject([{ previousRank: null, rank: 1 }]);
    expect(applied?.changes).toMatchObject([
      { value: '0', ordinal: 0 },
      { value: '1', ordinal: 1 },
    ]);
  });

  it('ignores the end of a streak that began before the board was published', async () => {
    const boards = boardsWith(streakBoard('streaks'));
    const [applied] = await boards.apply(swept({ position: ++position, streakChanges: [streakChange(0)] }));
    expect(applied).toEqual({ boards: [], standings: [], changes: [] });
  });
});

describe('the answer to a replayed request', () => {
  const systems = [pointsSystem('xp'), pointsSystem('energy', merges)];
  const leaderboards = [
    pointsBoard('xp', 'xp'),
    pointsBoard('energy', 'energy'),
    streakBoard('streaks'),
    metricBoard('january', { end: '2026-01-31' }),
    metricBoard('monthly', { run: { unit: 'month', interval: 1 }, maxParticipants: 1 }),
    metricBoard('merged', { rankBy: { type: 'metric', metric: merges } }),
  ];
  const configuration = configurationOf(leaderboards, systems);

  const view = async (boards: Boards, originalDate: string) => {
    const layer = boards.area.openLayer(null);
    const first = layer.view(viewRequest({ originalDate }), configuration);
    if ('missing' in first) await boards.area.load(first.missing);
    const viewed = layer.view(viewRequest({ originalDate }), configuration);
    layer.discard();
    return 'missing' in viewed ? viewed : viewed.boards;
  };

  it('names the boards of its metric and of points systems triggered by it, with previousRank equal to rank', async () => {
    const boards = new Boards(configuration);
    await boards.apply(event(subjectOf('bob'), 1), event(subjectOf('ada'), 2, { awards: [award('xp', 5n)] }));
    expect(await view(boards, '2026-01-10')).toEqual([
      { key: 'xp', runStart: '2026-01-01', runEnd: null, previousRank: 1, rank: 1, threshold: 0n },
      { key: 'january', runStart: '2026-01-01', runEnd: '2026-01-31', previousRank: 1, rank: 1, threshold: 0n },
      { key: 'monthly', runStart: '2026-01-01', runEnd: '2026-01-31', previousRank: 1, rank: 1, threshold: whole(2) },
    ]);
  });

  it('names boards without a value too, in the run of the original date, unless that lies outside the board', async () => {
    expect(await view(new Boards(configuration), '2026-02-01')).toEqual([
      { key: 'xp', runStart: '2026-01-01', runEnd: null, previousRank: null, rank: null, threshold: 0n },
      { key: 'monthly', runStart: '2026-02-01', runEnd: '2026-02-28', previousRank: null, rank: null, threshold: 0n },
    ]);
  });
});

describe('layers', () => {
  const open = (boards: Boards, below: BoardsLayer | null = null) => boards.area.openLayer(below);

  it('are visible to the layer above, and to readers only once they are published', async () => {
    const boards = boardsWith(allTime);
    await boards.apply(event(subjectOf('ada'), 1));
    const lower = open(boards);
    await boards.applyTo(lower, event(subjectOf('bob'), 2));
    const upper = open(boards, lower);
    const { boards: outcomes } = await boards.applyTo(upper, event(subjectOf('ada'), 2));
    expect(outcomes).toMatchObject([{ previousRank: 2, rank: 1 }]);
    expect(await boards.rankings('all')).toEqual([{ subject: subjectOf('ada'), rank: 1, value: whole(1) }]);
    lower.publish();
    expect((await boards.rankings('all')).map(({ subject }) => subject)).toEqual(['bob', 'ada'].map(subjectOf));
    upper.publish();
    expect((await boards.rankings('all')).map(({ subject }) => subject)).toEqual(['ada', 'bob'].map(subjectOf));
  });

  it('discard the layers above them as well', async () => {
    const boards = boardsWith(allTime);
    await boards.apply(event(subjectOf('ada'), 1));
    const lower = open(boards);
    await boards.applyTo(lower, event(subjectOf('ada'), 2));
    const upper = open(boards, lower);
    await boards.applyTo(upper, event(subjectOf('ada'), 4));
    lower.discard();
    upper.discard();
    expect(await boards.rankings('all')).toEqual([{ subject: subjectOf('ada'), rank: 1, value: whole(1) }]);
    const [again] = await boards.apply(event(subjectOf('ada'), 2));
    expect(again?.changes).toMatchObject([{ value: '3' }]);
  });

  it('keep nothing of a message that failed', async () => {
    const boards = boardsWith(allTime, pointsBoard('xp', 'xp'));
    const layer = open(boards);
    await boards.applyTo(layer, event(subjectOf('ada'), 1, { awards: [award('xp', 1n)] }));
    const broken = event(subjectOf('ada'), 5, { awards: [award('xp', 1n, { at: Number.NaN, date: '2026-01-10' })] });
    await expect(boards.applyTo(layer, broken)).rejects.toThrow();
    const { changes } = await boards.applyTo(layer, event(subjectOf('ada'), 2, { awards: [award('xp', 1n)] }));
    expect(changes).toMatchObject([{ value: '3' }, { value: '2' }]);
  });

  it('name the runs that are not loaded, and change nothing without them', () => {
    const configuration = configurationOf([allTime]);
    const layer = new Boards(configuration).area.openLayer(null);
    const missing = [{ account: 'default', board: 'all', boardNumber: 1, start: '2026-01-01' }];
    expect(applyTo(layer, event(subjectOf('ada'), 1), configuration)).toEqual({ missing });
    expect(layer.view(viewRequest(), configuration)).toEqual({ missing });
  });

  it('refuse calls in the wrong order', async () => {
    const boards = boardsWith(allTime);
    const lower = open(boards);
    expect(() => open(boards)).toThrow('over the latest open one');
    const upper = open(boards, lower);
    expect(() => upper.publish()).toThrow('in the order in which they were opened');
    await expect(boards.applyTo(lower, event(subjectOf('ada'), 1))).rejects.toThrow('while another lies above');
    expect(() => boards.area.forget()).toThrow('a layer is open');
    lower.publish();
    expect(() => lower.discard()).toThrow('the layer was published');
    upper.discard();
    await expect(boards.applyTo(upper, event(subjectOf('ada'), 1))).rejects.toThrow('the layer was discarded');
  });
});

describe('loading runs', () => {
  it('queries the database once per board, and never for runs that the database lacks', async () => {
    const asked: (readonly unknown[])[] = [];
    const sql = {
      query: (text: string, parameters: readonly unknown[]) => (
        asked.push(parameters),
        emptyDatabase.query<never>(text, parameters)
      ),
    };
    const daily = metricBoard('daily', { run: { unit: 'day', interval: 1 } });
    const boards = new Boards(configurationOf([daily, allTime]), sql);
    for (let day = 0; day < 400; day++)
      await boards.apply(event(subjectOf('ada'), 1, { date: addDays('2026-01-01', day) }));
    expect(asked).toEqual([
      [
        ['default', 'default'],
        [1, 2],
      ],
    ]);
  });
});

describe('LeaderboardQueries', () => {
  it('reads status and runs of a board under the configuration in force', () => {
    const { reads } = boardsWith(metricBoard('all', { end: '2026-03-31', run: { unit: 'month', interval: 1 } }));
    const at = Date.parse('2026-02-10T00:00:00Z');
    expect(reads.status('default', 'all', at)).toBe('active');
    expect(reads.run('default', 'all', at, null)).toEqual({ start: '2026-02-01', end: '2026-02-28' });
    expect(reads.run('default', 'all', at, '2026-03-31')).toEqual({ start: '2026-03-01', end: '2026-03-31' });
    expect(reads.run('default', 'all', at, '2026-04-01')).toBeNull();
    expect(() => reads.status('default', 'unknown', at)).toThrow('no leaderboard "unknown"');
  });
});

describe('a correction that changes final runs', () => {
  it('holds only a few runs in memory at a time', async () => {
    const configuration = configurationOf([metricBoard('daily', { run: { unit: 'day', interval: 1 } })]);
    const runs = Array.from({ length: 30 }, (_, day) => addDays('2026-01-01', day));
    const stored = (day: string) => ({
      subject: String(subjectOf('ada')),
      value: '1',
      reached_at: new Date(`${day}T12:00:00Z`),
      reached_position: '1',
      reached_ordinal: 0,
    });
    const read: number[] = [];
    const query = (sql: string, [, , starts]: readonly unknown[]): Promise<readonly unknown[]> => {
      if (sql.includes('with recursive'))
        return Promise.resolve(runs.map((run_start) => ({ account: 'default', board: 1, run_start })));
      const asked = starts as readonly string[];
      read.push(asked.length);
      return Promise.resolve(asked.map((day, index) => ({ place: index + 1, ...stored(day) })));
    };
    const area = new LeaderboardsArea({ query } as SqlReader, { capacityBytes: 1 });
    const valuesOf = (scoreOf: (day: number) => number) => {
      const values = area.newRunValues();
      for (const [day, date] of runs.entries()) {
        const at = Date.parse(`${date}T12:00:00Z`);
        const message = metricEvent({ position: 1, subject: subjectOf('ada'), at, value: whole(scoreOf(day)) });
        values.add(occasionOf(message.record, message.user, configuration), configuration, message.effects);
      }
      return values;
    };
    const [before, after] = [valuesOf(() => 1), valuesOf((day) => (day === 3 || day === 20 ? 2 : 1))];
    const { record, user } = metricEvent({ position: 2, at: NOON + 365 * 86_400_000, value: whole(0) });
    const occasion = occasionOf(record, user, configuration);
    const correction = { occasion: { ...occasion, subject: subjectOf('ada') }, before, after, changesFinalRuns: true };
    const layer = area.openLayer(null);
    const out = new EffectList(occasion, configuration);
    const corrected: unknown[] = [];
    let [most, oneRun] = [0, 0];
    for (let from: number | null = 0; from !== null;) {
      const made: ReturnType<typeof layer.correct> = layer.correct(correction, configuration, out, from);
      if ('missing' in made) {
        await area.load(made.missing);
        oneRun ||= area.bytes / made.missing.length;
        most = Math.max(most, area.bytes);
        continue;
      }
      corrected.push(...(made.rows.get('board_standings') ?? []));
      from = made.next;
    }
    expect(corrected).toMatchObject([{ run_start: '2026-01-04' }, { run_start: '2026-01-21' }]);
    expect(Math.max(...read)).toBeLessThanOrEqual(8);
    expect(read.reduce((sum, count) => sum + count, 0)).toBe(30);
    // Those that it has changed stay.
    expect(most).toBeLessThanOrEqual(10 * oneRun);
  });
});
