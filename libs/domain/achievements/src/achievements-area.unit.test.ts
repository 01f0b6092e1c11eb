import { achievementsArea } from './achievements-area.ts';
import {
  completedBy,
  configuration,
  keysOf,
  live,
  onAll,
  onCall,
  onStreak,
  onTotal,
  USER,
} from './achievements.fixture.ts';

describe('a metric achievement', () => {
  const ten = configuration(onTotal('ten', 'lessons', 10), onTotal('tenth', 'lessons', 0.1));

  it('is completed when the total reaches its value, exact to one millionth', () => {
    const lessons = (total: number) => ({ total: ['lessons', total] as const });
    expect(completedBy(ten, lessons(0.099999), lessons(0.1), lessons(9.999999), lessons(10))).toEqual([
      [],
      ['tenth'],
      [],
      ['ten'],
    ]);
  });

  it('stays complete when the total falls, and is not completed again when it rises', () => {
    const happenings = [10, -5, 20].map((total) => ({ total: ['lessons', total] as const }));
    expect(completedBy(ten, ...happenings)).toEqual([['ten', 'tenth'], [], []]);
  });

  it('is completed only by an event of its own metric', () => {
    expect(completedBy(ten, { total: ['words', 99] }, {}, { swept: true }, { called: 'ten' })).toEqual([
      [],
      [],
      [],
      [],
    ]);
  });

  it('is achieved at the instant of the event, even if the event is imported', () => {
    const at = Date.UTC(2020, 0, 1);
    const { sections, rows } = live([ten, { total: ['lessons', 1], at }]);
    expect(sections).toEqual([{ completed: [{ key: 'tenth', achievedAt: at }] }]);
    expect(rows.get('achievement_completions')).toMatchObject([{ achieved_at: '2020-01-01T00:00:00.000Z' }]);
  });
});

describe('an achievement with a window', () => {
  const [from, until] = [Date.UTC(2026, 2, 1), Date.UTC(2026, 3, 1)];
  const between = { activeFrom: from, activeUntil: until };
  const lessons = (total: number, at: number) => ({ total: ['lessons', total] as const, at });

  it('completes by a total only inside, with the next event of its metric if it was reached outside', () => {
    const ten = configuration({ ...onTotal('ten', 'lessons', 10), ...between });
    expect(completedBy(ten, lessons(10, from - 1), lessons(10, from))).toEqual([[], ['ten']]);
    expect(completedBy(ten, lessons(9, until - 1), lessons(10, until), lessons(11, until + 1))).toEqual([[], [], []]);
    expect(completedBy(ten, lessons(10, until), lessons(11, until - 1))).toEqual([[], ['ten']]);
    expect(completedBy(ten, lessons(10, from - 1), lessons(9, from))).toEqual([[], []]);
  });

  it('completes by a streak only with an extension inside', () => {
    const week = configuration({ ...onStreak('week', 7), ...between });
    const extended = (extendedTo: number, at: number) => ({ ...lessons(1, at), extendedTo });
    expect(completedBy(week, extended(7, from - 1), lessons(1, from), extended(8, from + 1))).toEqual([
      [],
      [],
      ['week'],
    ]);
  });

  it('completes by a call only inside, and by hand at any time', () => {
    const called = configuration({ ...onCall('called'), ...between });
    expect(completedBy(called, { called: 'called', at: until }, { called: 'called', at: until - 1 })).toEqual([
      [],
      ['called'],
    ]);
    const grant = { kind: 'achievement', achievement: 'called' } as const;
    expect(completedBy(called, { granted: grant, at: until })).toEqual([['called']]);
  });

  it('completes by others only inside, with the next event or call', () => {
    const both = configuration(onCall('called'), { ...onAll('both', 'called'), ...between });
    expect(completedBy(both, { called: 'called', at: from - 1 }, lessons(1, from))).toEqual([['called'], ['both']]);
  });
});

describe('a streak achievement', () => {
  const week = configuration(onStreak('week', 7));
  const event = { total: ['lessons', 1] as const };

  it('is completed by an event that extends the streak to its length or beyond', () => {
    expect(completedBy(week, { ...event, extendedTo: 6 }, { ...event, extendedTo: 7 })).toEqual([[], ['week']]);
    expect(completedBy(week, { ...event, extendedTo: 30 })).toEqual([['week']]);
  });

  it('is not completed by an event that does not extend the streak, nor by a call or a sweep', () => {
    expect(completedBy(week, { ...event, streak: 9 }, { extendedTo: 9 }, { swept: true, extendedTo: 9 })).toEqual([
      [],
      [],
      [],
    ]);
  });

  it('is completed only once', () => {
    expect(completedBy(week, { ...event, extendedTo: 7 }, { ...event, extendedTo: 8 })).toEqual([['week'], []]);
  });
});

describe('an achievement completed by an API call', () => {
  const called = configuration(onCall('profile'), onCall('__proto__'), onTotal('first', 'lessons', 1));

  it('is completed once, by the first call with its key', () => {
    expect(completedBy(called, { called: 'profile' }, { called: 'profile' }, { called: '__proto__' })).toEqual([
      ['profile'],
      [],
      ['__proto__'],
    ]);
  });

  it('ignores other events and calls, and its calls complete no achievement of another trigger type', () => {
    const event = { total: ['lessons', 1] as const, extendedTo: 9 };
    expect(completedBy(called, { called: 'first' }, { called: 'constructor' }, event)).toEqual([[], [], ['first']]);
  });
});

describe('a composite achievement', () => {
  it("is completed by the event that completes its last part, whatever that part's trigger", () => {
    const all = onAll('all', 'first', 'week', 'profile');
    const under = configuration(all, onTotal('first', 'lessons', 1), onStreak('week', 7), onCall('profile'));
    const first = { total: ['lessons', 1] as const };
    expect(completedBy(under, first, { called: 'profile' }, { ...first, extendedTo: 7 })).toEqual([
      ['first'],
      ['profile'],
      ['week', 'all'],
    ]);
    expect(completedBy(under, { ...first, extendedTo: 7 }, { called: 'profile' })).toEqual([
      ['first', 'week'],
      ['profile', 'all'],
    ]);
  });

  it('is completed by the same event at any depth, even if the document lists the deepest first', () => {
    const depth = 100;
    const chain = Array.from({ length: depth }, (_, index) => onAll(`c${index + 1}`, `c${index}`));
    const upward = Array.from({ length: depth + 1 }, (_, index) => `c${index}`);
    for (const listed of [chain, chain.toReversed()])
      expect(completedBy(configuration(...listed, onCall('c0')), { called: 'c0' })).toEqual([upward]);
  });

  it('is completed once even if several of its parts depend on the same achievement', () => {
    const under = configuration(
      onAll('top', 'left', 'right'),
      onAll('left', 'base'),
      onAll('right', 'base'),
      onCall('base'),
    );
    expect(completedBy(under, { called: 'base' })).toEqual([['base', 'left', 'right', 'top']]);
  });

  it('counts a completed part that was later removed from the configuration', () => {
    const before = configuration(onCall('old'), onCall('new'));
    const after = configuration(onAll('both', 'old', 'new'), onCall('new'));
    expect(keysOf(live([before, { called: 'old' }], [after, { called: 'new' }]))).toEqual([['old'], ['new', 'both']]);
  });
});

describe('an achievement published after the user has met its condition', () => {
  const before = configuration(onTotal('first', 'lessons', 1));
  const first = { total: ['lessons', 5] as const };

  it('is completed by the next event of its metric', () => {
    const after = configuration(onTotal('first', 'lessons', 1), onTotal('three', 'lessons', 3));
    const life = live([before, first], [after, { total: ['words', 1] }], [after, { total: ['lessons', 5] }]);
    expect(keysOf(life)).toEqual([['first'], [], ['three']]);
  });

  it('is completed by the next extension of the streak', () => {
    const after = configuration(onStreak('week', 7));
    const life = live([before, { ...first, extendedTo: 9 }], [after, { ...first, streak: 9 }], [after, { ...first, extendedTo: 10 }]); // prettier-ignore
    expect(keysOf(life)).toEqual([['first'], [], ['week']]);
  });

  it('is completed by the next event of any metric if it is a composite whose parts are all complete', () => {
    const after = configuration(onTotal('first', 'lessons', 1), onAll('again', 'first'));
    const life = live([before, first], [after, {}], [after, { swept: true }], [after, { total: ['words', 1] }]);
    expect(keysOf(life)).toEqual([['first'], [], [], ['again']]);
  });
});

describe('the completions of one event', () => {
  it('are listed by metric, then streak, then composites in rounds, each in configuration order', () => {
    const under = configuration(
      onAll('second round', 'first round b', 'week'),
      onAll('first round a', 'week'),
      onStreak('week', 7),
      onTotal('late in the list', 'lessons', 1),
      onStreak('day', 1),
      onAll('first round b', 'late in the list'),
      onTotal('later in the list', 'lessons', 1),
    );
    expect(completedBy(under, { total: ['lessons', 1], extendedTo: 7 })).toEqual([
      [
        ...['late in the list', 'later in the list', 'week', 'day'],
        ...['first round a', 'first round b', 'second round'],
      ],
    ]);
  });
});

describe('the stored achievements', () => {
  it('consist of a row per completion and a count per achievement', () => {
    const under = configuration(onTotal('first', 'lessons', 1), onAll('all', 'first'));
    const { rows } = live([under, { total: ['words', 1] }], [under, { total: ['lessons', 1] }]);
    const row = { subject: USER, achieved_at: '2026-03-01T01:00:00.000Z', position: 2 };
    expect(rows.get('achievement_completions')).toEqual([
      { ...row, achievement: 1 },
      { ...row, achievement: 2 },
    ]);
    const { subject, position, achieved_at: occurred_at } = row;
    expect(rows.get('effects')).toEqual([{ subject, position, occurred_at, achievements: '[1,2]' }]);
    const count = { account: 'default', partition: 0, completions: 1 };
    expect(rows.get('achievement_counts')).toEqual([
      { ...count, achievement: 'first' },
      { ...count, achievement: 'all' },
    ]);
  });

  it('are refused unless they are a list of keys', () => {
    for (const json of ['first', null, { first: true }]) expect(() => achievementsArea.decode(json)).toThrow(TypeError);
  });

  it('are decoded and encoded unchanged, and a replayed request reports no new completion', () => {
    const state = achievementsArea.decode(['__proto__', 'first']);
    expect(achievementsArea.encode(state)).toEqual(['__proto__', 'first']);
    expect(achievementsArea.view(state, {} as never, configuration())).toEqual({ completed: [] });
  });
});
