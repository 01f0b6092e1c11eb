import { StreakStory, daily, definitionOf, instantOf } from './testing/streak-story.ts';

const HONOLULU = 'Pacific/Honolulu';
const KIRITIMATI = 'Pacific/Kiritimati';

describe('the current period of a streak', () => {
  it('is the day if the frequency is daily', () => {
    const story = daily(['2024-03-01', '2024-03-01', '2024-03-02']);
    expect(story.read('2024-03-02T13:00:00Z')).toMatchObject({
      length: 2,
      periodStart: '2024-03-02',
      periodEnd: '2024-03-02',
    });
  });

  it('is the week from Monday if the frequency is weekly', () => {
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

  it('is the week from Sunday if the configuration starts weeks on Sunday', () => {
    const sundays = definitionOf({ frequency: 'weekly', weekStart: 'sunday' });
    const story = daily(['2024-03-03', '2024-03-04', '2024-03-10'], new StreakStory(sundays));
    expect(story.history()).toEqual({ '2024-03-03': 1, '2024-03-10': 2 });
    expect(story.read('2024-03-10T13:00:00Z').expires).toBe('2024-03-23');
  });

  it('is the calendar month if the frequency is monthly', () => {
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

describe('the zone of a user', () => {
  it('determines the dates of periods', () => {
    const story = new StreakStory(definitionOf(), 'America/New_York');
    story.event('2024-03-01T04:59:00Z');
    story.event('2024-03-01T05:00:00Z');
    expect(story.history()).toEqual({ '2024-02-29': 1, '2024-03-01': 2 });
  });

  it('is set by the tz of an event before the event counts', () => {
    const story = daily(['2024-03-01']);
    const answerPart = story.event('2024-03-01T13:00:00Z', { tz: KIRITIMATI });
    expect(answerPart).toMatchObject({ extended: true, streak: { length: 2, periodStart: '2024-03-02' } });
  });

  it('keeps dates across changes of daylight saving time', () => {
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

describe('the latest metric event of a user', () => {
  it('determines the current period, so a late import revives nothing', () => {
    const story = daily(['2024-03-01', '2024-03-04']);
    const answerPart = story.event('2024-03-02T12:00:00Z');
    expect(answerPart).toMatchObject({ extended: false, streak: { length: 1, started: '2024-03-04' } });
    expect(story.history()).toEqual({ '2024-03-01': 1, '2024-03-04': 1 });
  });

  it("does not date the changes that a late import makes: they have the import's own instant", () => {
    const story = new StreakStory(definitionOf({ conditions: { steps: 2 } }));
    story.event('2024-03-04T12:00:00Z');
    const answerPart = story.event('2024-03-02T12:00:00Z');
    expect(answerPart.streak).toMatchObject({ started: '2024-03-04', extendedAt: instantOf('2024-03-04T12:00:00Z') });
    expect(answerPart.changes).toEqual([{ at: instantOf('2024-03-02T12:00:00Z'), length: 1 }]);
  });

  it('is not moved by identifications, completions by call or sweeps', () => {
    const story = daily(['2024-03-01']);
    story.identified('2024-03-09T12:00:00Z');
    story.completed('2024-03-09T12:00:00Z');
    story.swept('2024-03-09T12:00:00Z');
    expect(story.event('2024-03-02T12:00:00Z')).toMatchObject({ extended: true, streak: { length: 2 } });
  });
});

describe('the current period', () => {
  it('never moves back: after travelling west a user stays in the period already reached', () => {
    const story = new StreakStory(definitionOf({ conditions: { steps: 2 } }), KIRITIMATI);
    story.event('2024-03-01T12:00:00Z');
    const answerPart = story.event('2024-03-01T13:00:00Z', { tz: HONOLULU });
    expect(answerPart).toMatchObject({
      extended: true,
      streak: { length: 1, periodStart: '2024-03-02', started: '2024-03-02' },
    });
    expect(story.read('2024-03-01T14:00:00Z')).toMatchObject({ periodStart: '2024-03-02', periodEnd: '2024-03-02' });
  });

  it('is reached by any metric event, even on a metric without a condition', () => {
    const story = new StreakStory(definitionOf(), KIRITIMATI);
    story.event('2024-03-01T12:00:00Z', { metric: 'other' });
    expect(story.event('2024-03-01T13:00:00Z', { tz: HONOLULU }).streak.periodStart).toBe('2024-03-02');
  });

  it('is not fixed by reads, identifications, completions by call or sweeps', () => {
    const story = new StreakStory(definitionOf(), KIRITIMATI);
    story.identified('2024-03-01T12:00:00Z');
    story.completed('2024-03-01T12:00:00Z');
    story.swept('2024-03-01T12:00:00Z');
    expect(story.read('2024-03-01T12:00:00Z').periodStart).toBe('2024-03-02');
    expect(story.identified('2024-03-01T13:00:00Z', HONOLULU).streak.periodStart).toBe('2024-03-01');
  });
});

describe('progress towards a period', () => {
  it('sums values within the period and starts at 0 in each new one', () => {
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

  it('is kept only for metrics that have a condition at the time', () => {
    const story = new StreakStory(definitionOf({ conditions: { steps: 9 } }));
    story.event('2024-03-01T10:00:00Z', { metric: 'pages', value: 5 });
    story.definition = definitionOf({ conditions: { pages: 5 } });
    expect(story.event('2024-03-01T11:00:00Z', { metric: 'pages', value: 1 }).extended).toBe(false);
    expect(story.event('2024-03-01T12:00:00Z', { metric: 'pages', value: 4 }).extended).toBe(true);
  });

  it('must meet every condition in mode `all`', () => {
    const story = new StreakStory(definitionOf({ mode: 'all', conditions: { steps: 2, pages: 1 } }));
    expect(story.event('2024-03-01T10:00:00Z', { value: 5 }).extended).toBe(false);
    expect(story.event('2024-03-02T10:00:00Z', { metric: 'pages' }).extended).toBe(false);
    expect(story.event('2024-03-02T11:00:00Z', { value: 2 }).extended).toBe(true);
  });

  it('must meet one condition in mode `any`', () => {
    const story = new StreakStory(definitionOf({ mode: 'any', conditions: { steps: 2, pages: 1 } }));
    expect(story.event('2024-03-01T10:00:00Z', { value: 1 }).extended).toBe(false);
    expect(story.event('2024-03-01T11:00:00Z', { metric: 'pages' }).extended).toBe(true);
    expect(story.event('2024-03-01T12:00:00Z', { value: 1 }).extended).toBe(false);
  });

  it('counts metrics whose keys are JavaScript property names', () => {
    const conditions = Object.fromEntries([
      ['__proto__', 1],
      ['constructor', 1],
    ]);
    const story = new StreakStory(definitionOf({ conditions }));
    expect(story.event('2024-03-01T10:00:00Z', { metric: '__proto__' }).extended).toBe(false);
    expect(story.event('2024-03-01T11:00:00Z', { metric: 'constructor' }).extended).toBe(true);
  });
});
