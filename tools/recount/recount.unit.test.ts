// The tools have no types: what they take and give is in their comments.
const { recount } = await import(new URL('./recount.mjs', import.meta.url).href);
const { differences, numbersIn, readCounters } = await import(new URL('./counters.mjs', import.meta.url).href);

const LEVELS = {
  xp: [
    { key: 'adept', points: 1_000 },
    { key: 'novice', points: 100 },
  ],
  energy: [],
};

const event = (timestamp: string, tz: string, userId = 'ann') => ({ timestamp, tz, userId, metric: 'words', value: 7 });
const award = (at: string, date: string, awarded: number) => ({ at, date, awarded, userId: 'ann', points: 'xp' });
const streak = (length: number, history: Readonly<Record<string, number>> = {}) => ({ length, history });

/** Ann is in Tokyo, then in New York, and back to a date that she has had; Bob has nothing but a profile. */
const EXPORTED = {
  events: [
    event('2024-03-01T20:00:00Z', 'Asia/Tokyo'),
    event('2024-03-01T21:00:00Z', 'America/New_York'),
    event('2024-03-03T12:00:00Z', 'America/New_York'),
    event('2024-03-03T12:00:00Z', 'America/New_York', 'cy'),
  ],
  awards: [award('2024-03-01T20:30:00Z', '2024-03-02', 90), award('2024-03-03T12:00:00Z', '2024-03-03', -40)],
  users: {
    ann: {
      points: { xp: 1_050 },
      streak: streak(0, { '2024-03-01': 1, '2024-03-02': 2, '2024-03-03': 2, '2024-03-05': 1 }),
    },
    bob: { points: {}, streak: streak(0) },
    cy: { points: { xp: 100 }, streak: streak(1, { '2024-03-03': 1 }) },
  },
};

describe('recount', () => {
  const recounted = recount(EXPORTED, LEVELS);

  it('assigns events and awards to the date of the user’s clock, and active users to new dates', () => {
    const words = (events: number) => ({ words: { events, value: 7 * events } });
    expect(recounted.days).toEqual({
      '2024-03-02': {
        events: 1,
        activeUsers: 1,
        newUsers: 1,
        metrics: words(1),
        points: { xp: { awarded: 90, consumed: 0 } },
      },
      '2024-03-01': { events: 1, activeUsers: 0, newUsers: 0, metrics: words(1), points: {} },
      '2024-03-03': {
        events: 2,
        activeUsers: 2,
        newUsers: 1,
        metrics: words(2),
        points: { xp: { awarded: 0, consumed: 40 } },
      },
    });
  });

  it('counts a streak at every length that it reached, except bridged periods, and its end once', () => {
    expect(recounted.survival).toEqual({
      lengths: { 1: { reached: 3, ended: 1 }, 2: { reached: 1, ended: 1 } },
      longest: 2,
    });
  });

  it('counts users at their level and in ranges up to a power of ten', () => {
    expect(recounted.levels).toEqual({ xp: { novice: 1, adept: 1 }, energy: null });
    expect(Object.entries(recounted.distribution.xp).filter(([, users]) => users !== 0)).toEqual([
      ['0–0', 1],
      ['1–1000', 1],
      ['1001–2000', 1],
    ]);
    expect(Object.keys(recounted.distribution.energy)).toEqual(expect.arrayContaining(['0–0', '1–1', '10–10']));
  });

  it('dates an award by a matching event when events in different time zones share its instant', () => {
    const at = '2024-03-01T20:00:00Z';
    const moved = { ...EXPORTED, events: [event(at, 'Asia/Tokyo'), event(at, 'America/New_York')] };
    const dateOf = (date: string) => {
      const { days } = recount({ ...moved, awards: [award(at, date, 5)] }, LEVELS);
      return Object.keys(days).filter((day) => days[day].points.xp !== undefined);
    };
    expect(dateOf('2024-03-02')).toEqual(['2024-03-02']);
    expect(dateOf('2024-03-01')).toEqual(['2024-03-01']);
    expect(dateOf('2024-03-09')).toEqual(['2024-03-01']);
  });
});

describe('the comparison with the counters of a service', () => {
  const recounted = recount(EXPORTED, LEVELS);
  const { days, survival, levels, distribution } = recounted;
  const planted = { day: 0, reached: 0, level: 0, range: 0 };
  afterEach(() => Object.assign(planted, { day: 0, reached: 0, level: 0, range: 0 }));

  /** Answers as the routes do. */
  function ask(path: string) {
    const [, system = ''] = /^\/v1\/points\/(\w+)\//.exec(path) ?? [];
    if (path.startsWith('/admin/v1/days')) {
      const { from = '', to = '' } = Object.fromEntries(new URL(path, 'http://service').searchParams);
      const nothing = { events: 0, activeUsers: 0, newUsers: 0, metrics: {}, points: {} };
      const known = Object.keys(days).filter((date) => from <= date && date <= to);
      const answered = known.map((date) => ({ date, ...days[date], events: days[date].events + planted.day }));
      return Promise.resolve({ days: [{ date: '2024-02-01', ...nothing }, ...answered] });
    }
    if (path.endsWith('/level-summary')) {
      if (levels[system] === null) return Promise.resolve(null);
      const users = Object.entries(levels[system]).map(([key, count]) => ({
        level: { key },
        users: Number(count) + planted.level,
      }));
      return Promise.resolve(users);
    }
    if (path.endsWith('/summary')) {
      const range = ([name, users]: [string, unknown]) => {
        const [from, to] = name.split('–');
        return { from: Number(from), to: Number(to), users: Number(users) + planted.range };
      };
      return Promise.resolve(Object.entries(distribution[system]).map(range));
    }
    const lengths = Object.entries(survival.lengths as Record<string, { reached: number }>);
    return Promise.resolve({
      lengths: lengths.map(([length, counts]) => ({
        ...counts,
        length: Number(length),
        reached: counts.reached + planted.reached,
      })),
      longest: survival.longest,
    });
  }
  const found = async () => differences(recounted, await readCounters(ask, recounted));

  it('finds no difference between equal counts', async () => {
    expect(await found()).toEqual([]);
    expect(numbersIn(recounted)).toBeGreaterThan(30);
  });

  it.each([
    ['day', 'days 2024-03-02 events: counted 2, recounted 1'],
    ['reached', 'survival lengths 1 reached: counted 4, recounted 3'],
    ['level', 'levels xp novice: counted 2, recounted 1'],
    ['range', 'distribution xp 0–0: counted 2, recounted 1'],
  ] as const)('finds one count too many: %s', async (what, finding) => {
    planted[what] = 1;
    expect(await found()).toContain(finding);
  });

  it('finds dates that only one side has', () => {
    const { '2024-03-02': taken, ...others } = days;
    expect(taken).toBeDefined();
    expect(differences({ days: others }, { days })).toEqual([
      expect.stringMatching(/^days 2024-03-02: counted \{.*recounted nothing$/),
    ]);
    expect(differences({ days }, { days: others })).toEqual([
      expect.stringMatching(/^days 2024-03-02: counted nothing/),
    ]);
  });
});
