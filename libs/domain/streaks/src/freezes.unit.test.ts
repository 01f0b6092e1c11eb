import type { FreezeDefinition } from '@laurel/kernel';
import { StreakStory, definitionOf, instantOf } from './testing/streak-story.ts';

const DAY_MS = 86_400_000;

function storyWith(freezes: Partial<FreezeDefinition>, zone = 'UTC'): StreakStory {
  return new StreakStory(
    definitionOf({ freezes: { initial: 0, max: 100, earnEvery: null, earn: null, ...freezes } }),
    zone,
  );
}

describe('freezes', () => {
  it('are absent from a streak without them', () => {
    const story = new StreakStory();
    expect(story.event('2024-03-01T12:00:00Z').streak).not.toHaveProperty('freezes');
  });

  it('are given at the user’s creation', () => {
    expect(storyWith({ initial: 2 }).event('2024-03-01T12:00:00Z').streak.freezes).toBe(2);
  });

  it('are earned every N × 24 h from the creation, never above max', () => {
    const story = storyWith({ initial: 1, max: 4, earnEvery: 2, earn: 2 });
    story.identified('2024-03-01T12:00:00Z');
    const held = (at: string) => story.read(at).freezes;
    expect(held('2024-03-03T11:59:59.999Z')).toBe(1);
    expect(held('2024-03-03T12:00:00Z')).toBe(3);
    expect(held('2024-03-05T12:00:00Z')).toBe(4);
    expect(held('2034-03-05T12:00:00Z')).toBe(4);
  });

  it('are used at E: the period is bridged and the streak continues at its length', () => {
    const story = storyWith({ initial: 1 });
    story.event('2024-03-01T12:00:00Z');
    expect(story.read('2024-03-02T23:59:59.999Z')).toMatchObject({ length: 1, freezes: 1, expires: '2024-03-02' });
    expect(story.read('2024-03-03T00:00:00Z')).toMatchObject({ length: 1, freezes: 0, expires: '2024-03-03' });
    expect(story.event('2024-03-03T12:00:00Z')).toMatchObject({
      extended: true,
      streak: { length: 2, started: '2024-03-01' },
    });
    expect(story.history()).toEqual({ '2024-03-01': 1, '2024-03-02': 1, '2024-03-03': 2 });
    expect(story.frozen()).toEqual(['2024-03-02']);
  });

  it('are used one after the other; without any left, the streak ends at the last E', () => {
    const story = storyWith({ initial: 2 });
    story.event('2024-03-01T12:00:00Z');
    const answerPart = story.event('2024-03-09T12:00:00Z');
    expect(answerPart).toMatchObject({ extended: true, streak: { length: 1, started: '2024-03-09', freezes: 0 } });
    expect(answerPart.changes).toEqual([
      { at: instantOf('2024-03-05T00:00:00Z'), length: 0 },
      { at: instantOf('2024-03-09T12:00:00Z'), length: 1 },
    ]);
    expect(story.frozen()).toEqual(['2024-03-02', '2024-03-03']);
  });

  it('earned exactly at E count there', () => {
    const story = storyWith({ earnEvery: 1, earn: 1 });
    story.identified('2024-03-01T00:00:00Z');
    story.event('2024-03-01T12:00:00Z');
    expect(story.read('2024-03-03T00:00:00Z')).toMatchObject({ length: 1, freezes: 1 });
    const late = storyWith({ earnEvery: 1, earn: 1 });
    late.identified('2024-03-02T00:00:00.001Z');
    late.event('2024-03-02T00:00:00.001Z');
    late.event('2024-03-02T12:00:00Z');
    expect(late.read('2024-03-04T00:00:00Z').length).toBe(1);
  });

  it('earned after E are too late', () => {
    const story = storyWith({ earnEvery: 2, earn: 1 });
    story.event('2024-03-01T12:00:00Z');
    expect(story.read('2024-03-03T12:00:00Z')).toMatchObject({ length: 0, freezes: 1 });
    expect(story.event('2024-03-03T13:00:00Z').streak).toMatchObject({ length: 1, started: '2024-03-03', freezes: 1 });
  });

  it('are used whether or not anybody looks: a sweep or a read in between changes nothing', () => {
    const [looked, alone] = [
      storyWith({ initial: 3, earnEvery: 3, earn: 1 }),
      storyWith({ initial: 3, earnEvery: 3, earn: 1 }),
    ];
    for (const story of [looked, alone]) story.event('2024-03-01T12:00:00Z');
    for (let day = 2; day < 20; day++) looked.swept(`2024-03-${String(day).padStart(2, '0')}T00:00:30Z`);
    for (const story of [looked, alone]) story.event('2024-03-20T12:00:00Z');
    expect(looked.state).toEqual(alone.state);
    expect(looked.rows).toEqual(alone.rows);
    expect(looked.changes).toEqual(alone.changes);
  });

  it('do not exist before the user’s creation, at the E of a streak that an import brings from before it', () => {
    const story = storyWith({ initial: 1 });
    story.identified('2024-03-10T12:00:00Z');
    // The answer to the import shows what was held when the user was created.
    expect(story.event('2024-03-01T12:00:00Z').streak).toMatchObject({ length: 1, freezes: 1 });
    expect(story.read('2024-03-10T12:00:00Z')).toMatchObject({ length: 0, freezes: 1 });
  });

  it('are not used without a streak', () => {
    const story = storyWith({ initial: 1 });
    story.identified('2024-03-01T12:00:00Z');
    expect(story.read('2024-06-01T12:00:00Z').freezes).toBe(1);
  });

  it('once used stay used, though a change of zone would have made it needless', () => {
    const story = storyWith({ initial: 1 });
    story.event('2024-03-01T12:00:00Z');
    story.swept('2024-03-03T00:00:00Z');
    const answerPart = story.identified('2024-03-03T01:00:00Z', 'Pacific/Honolulu');
    expect(answerPart).toMatchObject({ streak: { length: 1, freezes: 0, expires: '2024-03-03' }, changes: [] });
    expect(story.frozen()).toEqual(['2024-03-02']);
  });

  it('are used on the clock in force at E, even if the record that finds it changes the clock', () => {
    const story = storyWith({ initial: 1 });
    story.event('2024-03-01T12:00:00Z');
    story.identified('2024-03-03T01:00:00Z', 'Pacific/Honolulu');
    expect(story.frozen()).toEqual(['2024-03-02']);
  });

  it('do not bring back a streak that ended, when a change of zone moves E but not beyond the instant', () => {
    const ended = storyWith({ earnEvery: 2, earn: 1 });
    ended.event('2024-03-01T02:00:00Z');
    expect(ended.swept('2024-03-03T00:00:00Z').streak.length).toBe(0);
    expect(ended.identified('2024-03-03T12:00:00Z', 'America/New_York').streak).toMatchObject({
      length: 0,
      freezes: 1,
    });
    expect(ended.swept('2024-03-09T12:00:00Z').streak).toMatchObject({ length: 0, freezes: 4 });
    expect(ended.frozen()).toEqual([]);
  });

  it('of a streak that a change of zone revived are used at its new E', () => {
    const story = storyWith({ earnEvery: 2, earn: 1 });
    story.event('2024-03-01T06:00:00Z');
    story.swept('2024-03-03T00:00:00Z');
    expect(story.identified('2024-03-03T01:00:00Z', 'Pacific/Honolulu').streak).toMatchObject({
      length: 1,
      freezes: 0,
    });
    expect(story.read('2024-03-03T10:00:00Z')).toMatchObject({ length: 1, freezes: 0 });
    expect(story.read('2024-03-04T10:00:00Z')).toMatchObject({ length: 0 });
  });

  it('bridge weeks and months', () => {
    const freezes = { initial: 1, max: 1, earnEvery: null, earn: null };
    const weekly = new StreakStory(definitionOf({ frequency: 'weekly', freezes }));
    weekly.event('2024-03-01T12:00:00Z');
    weekly.event('2024-03-14T12:00:00Z');
    expect(weekly.history()).toEqual({ '2024-02-26': 1, '2024-03-04': 1, '2024-03-11': 2 });
    const monthly = new StreakStory(definitionOf({ frequency: 'monthly', freezes }));
    monthly.event('2024-01-31T12:00:00Z');
    monthly.event('2024-03-01T12:00:00Z');
    expect(monthly.history()).toEqual({ '2024-01-01': 1, '2024-02-01': 1, '2024-03-01': 2 });
  });

  it('bridge the next date that existed, and without a freeze the one that did not', () => {
    const story = storyWith({ initial: 1 }, 'Pacific/Apia');
    story.event('2011-12-29T20:00:00Z');
    story.event('2011-12-31T20:00:00Z');
    expect(story.history()).toEqual({ '2011-12-29': 1, '2011-12-30': 1, '2011-12-31': 1, '2012-01-01': 2 });
    expect(story.frozen()).toEqual(['2011-12-31']);
  });

  it('do not let a bridged period extend the streak when a late import meets it', () => {
    const story = storyWith({ initial: 1 });
    story.event('2024-03-01T12:00:00Z');
    story.swept('2024-03-03T00:00:00Z');
    expect(story.event('2024-03-02T12:00:00Z')).toMatchObject({ extended: false, streak: { length: 1 } });
  });

  it('survive a change of frequency, which starts the streak afresh', () => {
    const story = storyWith({ initial: 3 });
    story.event('2024-03-01T12:00:00Z');
    story.swept('2024-03-03T00:00:00Z');
    const { freezes } = story.definition!;
    story.definition = definitionOf({ generation: 2, frequency: 'weekly', freezes });
    expect(story.event('2024-03-03T12:00:00Z').streak).toMatchObject({ length: 1, freezes: 2 });
  });
});

describe('freezes that a later version brings or changes', () => {
  const since = instantOf('2024-03-10T00:00:00Z');
  const withFreezes = (freezes: Partial<FreezeDefinition>) =>
    definitionOf({ freezes: { initial: 2, max: 5, earnEvery: 1, earn: 1, since, ...freezes } });

  it('count from their publication on: existing users get none initially, and no ended streak lives again', () => {
    const story = new StreakStory();
    story.event('2024-03-05T12:00:00Z');
    story.definition = withFreezes({});
    expect(story.read('2024-03-10T11:59:59.999Z')).toMatchObject({ length: 0, freezes: 0 });
    expect(story.read('2024-03-10T12:00:00Z')).toMatchObject({ length: 0, freezes: 1 });
    expect(story.event('2024-03-12T13:00:00Z').streak).toMatchObject({ length: 1, freezes: 3 });
    expect(story.frozen()).toEqual([]);
  });

  it('save a streak whose E comes after the publication', () => {
    const story = new StreakStory();
    story.event('2024-03-09T00:00:00Z');
    story.definition = withFreezes({});
    expect(story.read('2024-03-11T00:00:00Z')).toMatchObject({ length: 1, freezes: 1 });
  });

  it('give their initial to users created from then on', () => {
    const story = new StreakStory(withFreezes({}));
    expect(story.event(since).streak.freezes).toBe(2);
  });

  it('keep to the former terms before the publication', () => {
    const story = storyWith({ initial: 0, max: 3, earnEvery: 1, earn: 1 });
    story.identified('2024-03-08T00:00:00Z');
    story.definition = withFreezes({ max: 10, earn: 4 });
    expect(story.read(since - 1).freezes).toBe(1);
    expect(story.read(since).freezes).toBe(5);
    expect(story.read(since + 30 * DAY_MS).freezes).toBe(10);
  });

  it('that were earned after E do not save a streak whose E came before the publication', () => {
    const story = storyWith({ earnEvery: 2, earn: 1 });
    story.event('2024-03-01T12:00:00Z');
    story.definition = withFreezes({});
    expect(story.read('2024-03-10T12:00:00Z')).toMatchObject({ length: 0, freezes: 5 });
    story.swept('2024-03-10T12:00:00Z');
    expect(story.changes.at(-1)).toEqual({ at: instantOf('2024-03-03T00:00:00Z'), length: 0 });
    expect(story.frozen()).toEqual([]);
  });

  it('take nothing away by a lower max', () => {
    const story = storyWith({ initial: 4, max: 4 });
    story.identified('2024-03-08T00:00:00Z');
    story.definition = withFreezes({ max: 1 });
    expect(story.read(since + 9 * DAY_MS).freezes).toBe(4);
  });

  it('are forgotten when a version has none', () => {
    const story = storyWith({ initial: 4 });
    story.event('2024-03-08T00:00:00Z');
    story.definition = definitionOf();
    expect(story.event('2024-03-08T01:00:00Z').streak).not.toHaveProperty('freezes');
    expect(story.read('2024-03-10T00:00:00Z').length).toBe(0);
  });
});
