import { streaksArea } from './streaks-area.ts';
import { StreakStory, configurationOf, definitionOf, instantOf } from './testing/streak-story.ts';

const HONOLULU = 'Pacific/Honolulu';
const KIRITIMATI = 'Pacific/Kiritimati';

/** A streak of one day or more, an event at noon of each date. */
function daily(dates: readonly string[], story = new StreakStory()): StreakStory {
  for (const date of dates) story.event(`${date}T12:00:00Z`);
  return story;
}

describe('the period of a date', () => {
  it('is the day', () => {
    const story = daily(['2024-03-01', '2024-03-01', '2024-03-02']);
    expect(story.read('2024-03-02T13:00:00Z')).toMatchObject({
      length: 2,
      periodStart: '2024-03-02',
      periodEnd: '2024-03-02',
    });
  });

  it('is the week from Monday', () => {
    const story = daily(
      ['2024-03-03', '2024-03-04', '2024-03-10'],
      new StreakStory(definitionOf({ frequency: 'weekly' })),
    );
    expect(story.read('2024-03-10T13:00:00Z')).toMatchObject({
      length: 2,
      frequency: 'weekly',
      periodStart: '2024-03-04',
      periodEnd: '2024-03-10',
      expires: '2024-03-17',
    });
    expect(story.history()).toEqual({ '2024-02-26': 1, '2024-03-04': 2 });
  });

  it('is the week from Sunday if so configured', () => {
    const sundays = definitionOf({ frequency: 'weekly', weekStart: 'sunday' });
    const story = daily(['2024-03-03', '2024-03-04', '2024-03-10'], new StreakStory(sundays));
    expect(story.history()).toEqual({ '2024-03-03': 1, '2024-03-10': 2 });
    expect(story.read('2024-03-10T13:00:00Z').expires).toBe('2024-03-23');
  });

  it('is the calendar month', () => {
    const story = daily(
      ['2024-01-31', '2024-02-01', '2024-02-29'],
      new StreakStory(definitionOf({ frequency: 'monthly' })),
    );
    expect(story.read('2024-02-29T13:00:00Z')).toMatchObject({
      length: 2,
      periodStart: '2024-02-01',
      periodEnd: '2024-02-29',
      expires: '2024-03-31',
    });
    expect(story.read('2024-03-31T23:59:59.999Z').length).toBe(2);
    expect(story.read('2024-04-01T00:00:00Z').length).toBe(0);
  });
});

describe('the clock', () => {
  it('is that of the user’s zone', () => {
    const story = new StreakStory(definitionOf(), 'America/New_York');
    story.event('2024-03-01T04:59:00Z');
    story.event('2024-03-01T05:00:00Z');
    expect(story.history()).toEqual({ '2024-02-29': 1, '2024-03-01': 2 });
  });

  it('takes over an event’s own tz before the event counts', () => {
    const story = daily(['2024-03-01']);
    const section = story.event('2024-03-01T13:00:00Z', { tz: KIRITIMATI });
    expect(section).toMatchObject({ extended: true, streak: { length: 2, periodStart: '2024-03-02' } });
  });

  it('keeps its days across daylight saving time', () => {
    const story = new StreakStory(definitionOf(), 'Europe/Berlin');
    story.event('2024-03-30T22:59:00Z');
    story.event('2024-03-31T21:59:59.999Z');
    story.event('2024-03-31T22:00:00Z');
    story.event('2024-10-26T22:00:00Z');
    story.event('2024-10-27T22:59:59.999Z');
    expect(story.history()).toEqual({ '2024-03-30': 1, '2024-03-31': 2, '2024-04-01': 3, '2024-10-27': 1 });
    expect(story.read('2024-10-28T22:59:59.999Z').length).toBe(1);
    expect(story.read('2024-10-28T23:00:00Z').length).toBe(0);
  });
});

describe('the instant that counts', () => {
  it('is the latest recorded so far: a late import revives nothing', () => {
    const story = daily(['2024-03-01', '2024-03-04']);
    const section = story.event('2024-03-02T12:00:00Z');
    expect(section).toMatchObject({ extended: false, streak: { length: 1, started: '2024-03-04' } });
    expect(story.history()).toEqual({ '2024-03-01': 1, '2024-03-04': 1 });
  });

  it('dates what a late import causes, its own instant does not', () => {
    const story = new StreakStory(definitionOf({ conditions: { steps: 2 } }));
    story.event('2024-03-04T12:00:00Z');
    const section = story.event('2024-03-02T12:00:00Z');
    expect(section.streak).toMatchObject({ started: '2024-03-04', extendedAt: instantOf('2024-03-04T12:00:00Z') });
    expect(section.changes).toEqual([{ at: instantOf('2024-03-02T12:00:00Z'), length: 1 }]);
  });

  it('is of metric events alone: identification, a completion by call and a sweep do not move it', () => {
    const story = daily(['2024-03-01']);
    story.identified('2024-03-09T12:00:00Z');
    story.completed('2024-03-09T12:00:00Z');
    story.swept('2024-03-09T12:00:00Z');
    expect(story.event('2024-03-02T12:00:00Z')).toMatchObject({ extended: true, streak: { length: 2 } });
  });
});

describe('the current period', () => {
  it('never moves back: having travelled west, a user stays in the period already reached', () => {
    const story = new StreakStory(definitionOf({ conditions: { steps: 2 } }), KIRITIMATI);
    story.event('2024-03-01T12:00:00Z');
    const section = story.event('2024-03-01T13:00:00Z', { tz: HONOLULU });
    expect(section).toMatchObject({
      extended: true,
      streak: { length: 1, periodStart: '2024-03-02', started: '2024-03-02' },
    });
    expect(story.read('2024-03-01T14:00:00Z')).toMatchObject({ periodStart: '2024-03-02', periodEnd: '2024-03-02' });
  });

  it('is made current by any metric event, also by one that is no condition', () => {
    const story = new StreakStory(definitionOf(), KIRITIMATI);
    story.event('2024-03-01T12:00:00Z', { metric: 'other' });
    expect(story.event('2024-03-01T13:00:00Z', { tz: HONOLULU }).streak.periodStart).toBe('2024-03-02');
  });

  it('is not made current by reads, identification, a completion by call or a sweep', () => {
    const story = new StreakStory(definitionOf(), KIRITIMATI);
    story.identified('2024-03-01T12:00:00Z');
    story.completed('2024-03-01T12:00:00Z');
    story.swept('2024-03-01T12:00:00Z');
    expect(story.read('2024-03-01T12:00:00Z').periodStart).toBe('2024-03-02');
    expect(story.identified('2024-03-01T13:00:00Z', HONOLULU).streak.periodStart).toBe('2024-03-01');
  });
});

describe('progress', () => {
  it('is the sum of values within the current period; a new period starts at 0', () => {
    const story = new StreakStory(definitionOf({ conditions: { steps: 10 } }));
    expect(story.event('2024-03-01T10:00:00Z', { value: 9 }).extended).toBe(false);
    expect(story.event('2024-03-02T10:00:00Z', { value: 1 }).extended).toBe(false);
    expect(story.event('2024-03-02T11:00:00Z', { value: 8.5 }).extended).toBe(false);
    expect(story.event('2024-03-02T12:00:00Z', { value: 0.5 }).extended).toBe(true);
  });

  it('is exact in decimals', () => {
    const story = new StreakStory(definitionOf({ conditions: { steps: 0.3 } }));
    expect(story.event('2024-03-01T10:00:00Z', { value: 0.1 }).extended).toBe(false);
    expect(story.event('2024-03-01T11:00:00Z', { value: 0.199999 }).extended).toBe(false);
    expect(story.event('2024-03-01T12:00:00Z', { value: 0.000001 }).extended).toBe(true);
  });

  it('is kept of the metrics that are conditions, not of those that become one later', () => {
    const story = new StreakStory(definitionOf({ conditions: { steps: 9 } }));
    story.event('2024-03-01T10:00:00Z', { metric: 'pages', value: 5 });
    story.definition = definitionOf({ conditions: { pages: 5 } });
    expect(story.event('2024-03-01T11:00:00Z', { metric: 'pages', value: 1 }).extended).toBe(false);
    expect(story.event('2024-03-01T12:00:00Z', { metric: 'pages', value: 4 }).extended).toBe(true);
  });

  it('needs every condition with `all`', () => {
    const story = new StreakStory(definitionOf({ mode: 'all', conditions: { steps: 2, pages: 1 } }));
    expect(story.event('2024-03-01T10:00:00Z', { value: 5 }).extended).toBe(false);
    expect(story.event('2024-03-02T10:00:00Z', { metric: 'pages' }).extended).toBe(false);
    expect(story.event('2024-03-02T11:00:00Z', { value: 2 }).extended).toBe(true);
  });

  it('needs one condition with `any`', () => {
    const story = new StreakStory(definitionOf({ mode: 'any', conditions: { steps: 2, pages: 1 } }));
    expect(story.event('2024-03-01T10:00:00Z', { value: 1 }).extended).toBe(false);
    expect(story.event('2024-03-01T11:00:00Z', { metric: 'pages' }).extended).toBe(true);
    expect(story.event('2024-03-01T12:00:00Z', { value: 1 }).extended).toBe(false);
  });

  it('counts metrics whose keys are names of JavaScript’s own', () => {
    const conditions = Object.fromEntries([
      ['__proto__', 1],
      ['constructor', 1],
    ]);
    const story = new StreakStory(definitionOf({ conditions }));
    expect(story.event('2024-03-01T10:00:00Z', { metric: '__proto__' }).extended).toBe(false);
    expect(story.event('2024-03-01T11:00:00Z', { metric: 'constructor' }).extended).toBe(true);
  });
});

describe('the end E of a streak', () => {
  it('is the end of the period after the last met one', () => {
    const story = daily(['2024-03-01']);
    expect(story.read('2024-03-02T23:59:59.999Z')).toMatchObject({ length: 1, expires: '2024-03-02' });
    expect(story.read('2024-03-03T00:00:00Z')).toMatchObject({
      length: 0,
      started: null,
      expires: null,
      extendedAt: null,
    });
  });

  it('is put off by travelling west: nobody loses a day', () => {
    const story = daily(['2024-03-01']);
    story.identified('2024-03-01T13:00:00Z', HONOLULU);
    expect(story.read('2024-03-03T09:59:59.999Z')).toMatchObject({ length: 1, expires: '2024-03-02' });
    expect(story.read('2024-03-03T10:00:00Z').length).toBe(0);
  });

  it('stays that of the clock on which L was met after travelling east: dates are skipped, never the streak', () => {
    const story = daily(['2024-03-01']);
    story.identified('2024-03-01T13:00:00Z', KIRITIMATI);
    expect(story.read('2024-03-02T23:59:59.999Z')).toMatchObject({ length: 1, expires: '2024-03-03' });
    expect(story.event('2024-03-02T23:00:00Z')).toMatchObject({
      extended: true,
      streak: { length: 2, periodStart: '2024-03-03' },
    });
    expect(story.history()).toEqual({ '2024-03-01': 1, '2024-03-02': 1, '2024-03-03': 2 });
  });

  it('goes by the clock of the last met period, not by that of the first', () => {
    const story = daily(['2024-03-01']);
    story.event('2024-03-02T12:00:00Z', { tz: HONOLULU });
    story.event('2024-03-03T08:00:00Z');
    story.identified('2024-03-03T09:00:00Z', KIRITIMATI);
    expect(story.state.streak).toMatchObject({ lastPeriod: '2024-03-02', zoneAtMet: HONOLULU });
    expect(story.read('2024-03-04T09:59:59.999Z').length).toBe(2);
    expect(story.read('2024-03-04T10:00:00Z').length).toBe(0);
  });

  it('of a bridged L goes by the clock of the last met period before it', () => {
    const freezes = { initial: 1, max: 1, earnEvery: null, earn: null };
    const story = daily(['2024-03-01'], new StreakStory(definitionOf({ freezes }), HONOLULU));
    story.identified('2024-03-01T13:00:00Z', KIRITIMATI);
    expect(story.read('2024-03-03T10:00:00Z')).toMatchObject({ length: 1, freezes: 0 });
    expect(story.read('2024-03-04T09:59:59.999Z').length).toBe(1);
    expect(story.read('2024-03-04T10:00:00Z').length).toBe(0);
  });

  it('passes over a date that never existed on the clock', () => {
    const story = new StreakStory(definitionOf(), 'Pacific/Apia');
    story.event('2011-12-29T20:00:00Z');
    expect(story.read('2011-12-31T09:59:59.999Z')).toMatchObject({ length: 1, expires: '2011-12-31' });
    expect(story.read('2011-12-31T10:00:00Z').length).toBe(0);
    expect(story.event('2011-12-31T09:00:00Z').streak.length).toBe(2);
    expect(story.history()).toEqual({ '2011-12-29': 1, '2011-12-30': 1, '2011-12-31': 2 });
  });

  it('comes back when a user goes home before it: what then has passed has passed', () => {
    const story = daily(['2024-03-01']);
    story.identified('2024-03-01T13:00:00Z', HONOLULU);
    expect(story.identified('2024-03-03T05:00:00Z', 'UTC')).toMatchObject({
      streak: { length: 0 },
      changes: [{ at: instantOf('2024-03-03T00:00:00Z'), length: 0 }],
    });
  });
});

describe('when the conditions are first met in a later period', () => {
  it('before E the length grows by one', () => {
    const story = daily(['2024-03-01', '2024-03-02', '2024-03-03']);
    expect(story.history()).toEqual({ '2024-03-01': 1, '2024-03-02': 2, '2024-03-03': 3 });
    expect(story.read('2024-03-03T13:00:00Z')).toMatchObject({
      length: 3,
      started: '2024-03-01',
      extendedAt: instantOf('2024-03-03T12:00:00Z'),
    });
  });

  it('from E on it restarts at 1', () => {
    const story = daily(['2024-03-01', '2024-03-02', '2024-03-04']);
    expect(story.history()).toEqual({ '2024-03-01': 1, '2024-03-02': 2, '2024-03-04': 1 });
    expect(story.read('2024-03-04T13:00:00Z').started).toBe('2024-03-04');
  });

  it('one period extends at most once', () => {
    const story = new StreakStory();
    expect([10, 11, 12].map((hour) => story.event(`2024-03-01T${hour}:00:00Z`).extended)).toEqual([true, false, false]);
  });

  it('negative values do not take it back, nor let the period extend again', () => {
    const story = new StreakStory();
    story.event('2024-03-01T10:00:00Z');
    expect(story.event('2024-03-01T11:00:00Z', { value: -1 })).toMatchObject({
      extended: false,
      streak: { length: 1 },
    });
    expect(story.event('2024-03-01T12:00:00Z', { value: 1 })).toMatchObject({ extended: false, streak: { length: 1 } });
  });

  it('negative values before that do count', () => {
    const story = new StreakStory(definitionOf({ conditions: { steps: 2 } }));
    story.event('2024-03-01T10:00:00Z', { value: -1 });
    expect(story.event('2024-03-01T11:00:00Z', { value: 2 }).extended).toBe(false);
    expect(story.event('2024-03-01T12:00:00Z', { value: 1 }).extended).toBe(true);
  });
});

describe('an ended streak', () => {
  it('lives again if a change of zone moves E beyond the instant', () => {
    const story = daily(['2024-03-01', '2024-03-02']);
    expect(story.swept('2024-03-04T00:00:00Z').changes).toEqual([{ at: instantOf('2024-03-04T00:00:00Z'), length: 0 }]);
    expect(story.identified('2024-03-04T01:00:00Z', HONOLULU)).toMatchObject({
      extended: false,
      streak: { length: 2 },
      changes: [{ at: instantOf('2024-03-04T01:00:00Z'), length: 2 }],
    });
    expect(story.event('2024-03-04T02:00:00Z')).toMatchObject({ extended: true, streak: { length: 3 } });
  });

  it('stays ended if the change of zone is too late', () => {
    const story = daily(['2024-03-01']);
    expect(story.identified('2024-03-03T10:00:00Z', HONOLULU)).toMatchObject({
      streak: { length: 0 },
      changes: [{ at: instantOf('2024-03-03T00:00:00Z'), length: 0 }],
    });
  });
});

describe('changes of the current length', () => {
  it('are announced once each: the end at E, an extension at the event’s own instant', () => {
    const story = daily(['2024-03-01']);
    story.swept('2024-03-05T00:00:30Z');
    story.swept('2024-03-05T00:01:30Z');
    story.identified('2024-03-06T00:00:00Z');
    story.event('2024-03-07T12:00:00Z');
    story.event('2024-03-10T12:00:00Z');
    const at = (text: string, length: number) => ({ at: instantOf(text), length });
    expect(story.changes).toEqual([
      at('2024-03-01T12:00:00Z', 1),
      at('2024-03-03T00:00:00Z', 0),
      at('2024-03-07T12:00:00Z', 1),
      at('2024-03-09T00:00:00Z', 0),
      at('2024-03-10T12:00:00Z', 1),
    ]);
  });
});

describe('without a streak configured', () => {
  it('length is 0, frequency daily, all dates null', () => {
    const story = new StreakStory(null);
    const nothing = {
      length: 0,
      frequency: 'daily',
      started: null,
      periodStart: null,
      periodEnd: null,
      expires: null,
      extendedAt: null,
    };
    expect(story.event('2024-03-01T12:00:00Z')).toEqual({ extended: false, streak: nothing, changes: [] });
    expect(story.read('2024-03-01T12:00:00Z')).toEqual(nothing);
    expect(story.rows).toEqual([]);
  });

  it('a length announced before is taken back, once, and the clock is followed', () => {
    const story = daily(['2024-03-01']);
    story.definition = null;
    expect(story.event('2024-03-01T13:00:00Z', { tz: KIRITIMATI }).changes).toEqual([
      { at: instantOf('2024-03-01T13:00:00Z'), length: 0 },
    ]);
    expect(story.event('2024-03-01T14:00:00Z').changes).toEqual([]);
    story.definition = definitionOf({ generation: 3 });
    expect(story.event('2024-03-01T15:00:00Z')).toMatchObject({
      extended: true,
      streak: { length: 1, started: '2024-03-02' },
    });
  });
});

describe('a published change', () => {
  it('of frequency or weekStart starts everyone afresh', () => {
    const story = daily(['2024-03-01', '2024-03-02']);
    story.definition = definitionOf({ generation: 2, frequency: 'weekly' });
    expect(story.read('2024-03-02T13:00:00Z')).toMatchObject({
      length: 0,
      frequency: 'weekly',
      periodStart: '2024-02-26',
    });
    expect(story.event('2024-03-02T14:00:00Z')).toMatchObject({
      extended: true,
      streak: { length: 1, started: '2024-03-02' },
    });
    expect(story.changes.slice(-2)).toEqual([
      { at: instantOf('2024-03-02T14:00:00Z'), length: 0 },
      { at: instantOf('2024-03-02T14:00:00Z'), length: 1 },
    ]);
    expect(story.history()).toEqual({ '2024-02-26': 1 });
  });

  it('of frequency does not move the instant that counts', () => {
    const story = daily(['2024-03-20']);
    story.definition = definitionOf({ generation: 2, frequency: 'weekly' });
    expect(story.event('2024-03-01T12:00:00Z').streak).toMatchObject({
      started: '2024-03-20',
      periodStart: '2024-03-18',
    });
  });

  it('of conditions holds from then on, progress kept', () => {
    const story = new StreakStory(definitionOf({ conditions: { steps: 10 } }));
    story.event('2024-03-01T10:00:00Z', { value: 4 });
    story.definition = definitionOf({ conditions: { steps: 5 } });
    expect(story.event('2024-03-01T11:00:00Z', { value: 1 })).toMatchObject({ extended: true, streak: { length: 1 } });
  });

  it('of conditions that makes them met extends with the next metric event, whatever its metric', () => {
    const story = new StreakStory(definitionOf({ conditions: { steps: 10 } }));
    story.event('2024-03-01T10:00:00Z', { value: 4 });
    story.definition = definitionOf({ conditions: { steps: 4 } });
    expect(story.identified('2024-03-01T11:00:00Z').extended).toBe(false);
    expect(story.event('2024-03-01T11:00:00Z', { metric: 'other' }).extended).toBe(true);
  });
});

describe('an answer', () => {
  it('shows the streak as of the instant that counts, a read as of now', () => {
    const story = daily(['2024-03-01', '2024-03-02']);
    expect(story.event('2024-03-01T10:00:00Z').streak).toMatchObject({ length: 2, periodStart: '2024-03-02' });
    expect(story.read('2024-03-09T10:00:00Z')).toMatchObject({ length: 0, periodStart: '2024-03-09' });
  });

  it('to a replay shows the streak as of now, with nothing extended or changed', () => {
    const story = daily(['2024-03-01']);
    const request = { account: 'default', userId: 'ada', metric: 'steps', originalDate: '2024-03-01' };
    const view = (at: string) =>
      streaksArea.view(story.state, { ...request, at: instantOf(at) }, configurationOf(story.definition));
    expect(view('2024-03-02T12:00:00Z')).toMatchObject({ extended: false, changes: [], streak: { length: 1 } });
    expect(view('2024-03-03T00:00:00Z')).toMatchObject({ extended: false, changes: [], streak: { length: 0 } });
  });

  it('is refused for a record that the users area has not seen', () => {
    const fact = { type: 'UserSwept', userId: 'ada' } as const;
    const record = {
      eventId: 'e',
      account: 'default',
      configurationVersion: 1,
      occurredAt: 0,
      recordedAt: 0,
      position: 7,
      fact,
    };
    expect(() => streaksArea.project(streaksArea.initial(), { record }, configurationOf(definitionOf()))).toThrow(
      'record 7',
    );
  });
});
