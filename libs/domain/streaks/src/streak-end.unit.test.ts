import { StreakStory, daily, definitionOf, instantOf } from './testing/streak-story.ts';

const HONOLULU = 'Pacific/Honolulu';
const KIRITIMATI = 'Pacific/Kiritimati';

describe('the expiry of a streak', () => {
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

  it('is delayed by travelling west, so nobody loses a day', () => {
    const story = daily(['2024-03-01']);
    story.identified('2024-03-01T13:00:00Z', HONOLULU);
    expect(story.read('2024-03-03T09:59:59.999Z')).toMatchObject({ length: 1, expires: '2024-03-02' });
    expect(story.read('2024-03-03T10:00:00Z').length).toBe(0);
  });

  it('stays at its instant after travelling east, which skips dates but does not end the streak', () => {
    const story = daily(['2024-03-01']);
    story.identified('2024-03-01T13:00:00Z', KIRITIMATI);
    expect(story.read('2024-03-02T23:59:59.999Z')).toMatchObject({ length: 1, expires: '2024-03-03' });
    expect(story.event('2024-03-02T23:00:00Z')).toMatchObject({
      extended: true,
      streak: { length: 2, periodStart: '2024-03-03' },
    });
    expect(story.history()).toEqual({ '2024-03-01': 1, '2024-03-02': 1, '2024-03-03': 2 });
  });

  it('follows the zone in which the last period was met, not the first', () => {
    const story = daily(['2024-03-01']);
    story.event('2024-03-02T12:00:00Z', { tz: HONOLULU });
    story.event('2024-03-03T08:00:00Z');
    story.identified('2024-03-03T09:00:00Z', KIRITIMATI);
    expect(story.document.streak).toMatchObject({ lastPeriod: '2024-03-02', zoneAtMet: HONOLULU });
    expect(story.read('2024-03-04T09:59:59.999Z').length).toBe(2);
    expect(story.read('2024-03-04T10:00:00Z').length).toBe(0);
  });

  it('follows the zone of the last met period even after a freeze bridged another one', () => {
    const freezes = { initial: 1, max: 1, earnEvery: null, earn: null };
    const story = daily(['2024-03-01'], new StreakStory(definitionOf({ freezes }), HONOLULU));
    story.identified('2024-03-01T13:00:00Z', KIRITIMATI);
    expect(story.read('2024-03-03T10:00:00Z')).toMatchObject({ length: 1, freezes: 0 });
    expect(story.read('2024-03-04T09:59:59.999Z').length).toBe(1);
    expect(story.read('2024-03-04T10:00:00Z').length).toBe(0);
  });

  it("skips a date that the user's zone never showed", () => {
    const story = new StreakStory(definitionOf(), 'Pacific/Apia');
    story.event('2011-12-29T20:00:00Z');
    expect(story.read('2011-12-31T09:59:59.999Z')).toMatchObject({ length: 1, expires: '2011-12-31' });
    expect(story.read('2011-12-31T10:00:00Z').length).toBe(0);
    expect(story.event('2011-12-31T09:00:00Z').streak.length).toBe(2);
    expect(story.history()).toEqual({ '2011-12-29': 1, '2011-12-30': 1, '2011-12-31': 2 });
  });

  it('moves forward again when the user travels back, and ends the streak if it has passed', () => {
    const story = daily(['2024-03-01']);
    story.identified('2024-03-01T13:00:00Z', HONOLULU);
    expect(story.identified('2024-03-03T05:00:00Z', 'UTC')).toMatchObject({
      streak: { length: 0 },
      changes: [{ at: instantOf('2024-03-03T00:00:00Z'), length: 0 }],
    });
  });
});

describe('a streak whose conditions are first met in a later period', () => {
  it('grows by one before it expires', () => {
    const story = daily(['2024-03-01', '2024-03-02', '2024-03-03']);
    expect(story.history()).toEqual({ '2024-03-01': 1, '2024-03-02': 2, '2024-03-03': 3 });
    expect(story.read('2024-03-03T13:00:00Z')).toMatchObject({
      length: 3,
      started: '2024-03-01',
      extendedAt: instantOf('2024-03-03T12:00:00Z'),
    });
  });

  it('restarts at 1 once it has expired', () => {
    const story = daily(['2024-03-01', '2024-03-02', '2024-03-04']);
    expect(story.history()).toEqual({ '2024-03-01': 1, '2024-03-02': 2, '2024-03-04': 1 });
    expect(story.read('2024-03-04T13:00:00Z').started).toBe('2024-03-04');
  });

  it('is extended at most once per period', () => {
    const story = new StreakStory();
    expect([10, 11, 12].map((hour) => story.event(`2024-03-01T${hour}:00:00Z`).extended)).toEqual([true, false, false]);
  });

  it('is not reduced by later negative values, nor extended again in the same period', () => {
    const story = new StreakStory();
    story.event('2024-03-01T10:00:00Z');
    expect(story.event('2024-03-01T11:00:00Z', { value: -1 })).toMatchObject({
      extended: false,
      streak: { length: 1 },
    });
    expect(story.event('2024-03-01T12:00:00Z', { value: 1 })).toMatchObject({ extended: false, streak: { length: 1 } });
  });

  it('counts negative values until the conditions are met', () => {
    const story = new StreakStory(definitionOf({ conditions: { steps: 2 } }));
    story.event('2024-03-01T10:00:00Z', { value: -1 });
    expect(story.event('2024-03-01T11:00:00Z', { value: 2 }).extended).toBe(false);
    expect(story.event('2024-03-01T12:00:00Z', { value: 1 }).extended).toBe(true);
  });
});

describe('an ended streak', () => {
  it('is revived if a change of zone delays its expiry beyond the present', () => {
    const story = daily(['2024-03-01', '2024-03-02']);
    expect(story.swept('2024-03-04T00:00:00Z').changes).toEqual([{ at: instantOf('2024-03-04T00:00:00Z'), length: 0 }]);
    expect(story.identified('2024-03-04T01:00:00Z', HONOLULU)).toMatchObject({
      extended: false,
      streak: { length: 2 },
      changes: [{ at: instantOf('2024-03-04T01:00:00Z'), length: 2 }],
    });
    expect(story.event('2024-03-04T02:00:00Z')).toMatchObject({ extended: true, streak: { length: 3 } });
  });

  it('stays ended if the change of zone comes too late', () => {
    const story = daily(['2024-03-01']);
    expect(story.identified('2024-03-03T10:00:00Z', HONOLULU)).toMatchObject({
      streak: { length: 0 },
      changes: [{ at: instantOf('2024-03-03T00:00:00Z'), length: 0 }],
    });
  });
});

describe('changes of the streak length', () => {
  it('are reported once each: an end at its expiry, an extension at the instant of the event', () => {
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
