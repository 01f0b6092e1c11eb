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
  it('do not appear in a streak without them', () => {
    const story = new StreakStory();
    expect(story.event('2024-03-01T12:00:00Z').streak).not.toHaveProperty('freezes');
  });

  it('are given when the user is created', () => {
    expect(storyWith({ initial: 2 }).event('2024-03-01T12:00:00Z').streak.freezes).toBe(2);
  });

  it('are earned every earnEvery × 24 hours from the creation, never above the maximum', () => {
    const story = storyWith({ initial: 1, max: 4, earnEvery: 2, earn: 2 });
    story.identified('2024-03-01T12:00:00Z');
    const held = (at: string) => story.read(at).freezes;
    expect(held('2024-03-03T11:59:59.999Z')).toBe(1);
    expect(held('2024-03-03T12:00:00Z')).toBe(3);
    expect(held('2024-03-05T12:00:00Z')).toBe(4);
    expect(held('2034-03-05T12:00:00Z')).toBe(4);
  });

  it('are used when the streak expires: they bridge the period and keep the length', () => {
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

  it('are used one after the other until none is left and the streak ends', () => {
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

  it('count if they are earned at the very instant of expiry', () => {
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

  it('do not count if they are earned after the expiry', () => {
    const story = storyWith({ earnEvery: 2, earn: 1 });
    story.event('2024-03-01T12:00:00Z');
    expect(story.read('2024-03-03T12:00:00Z')).toMatchObject({ length: 0, freezes: 1 });
    expect(story.event('2024-03-03T13:00:00Z').streak).toMatchObject({ length: 1, started: '2024-03-03', freezes: 1 });
  });

  it('are used at the same instants whether or not sweeps and reads come in between', () => {
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

  it("do not exist before the user's creation, so they cannot save an earlier streak that is imported", () => {
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

  it('stay used even if a later change of zone would have made them unnecessary', () => {
    const story = storyWith({ initial: 1 });
    story.event('2024-03-01T12:00:00Z');
    story.swept('2024-03-03T00:00:00Z');
    const answerPart = story.identified('2024-03-03T01:00:00Z', 'Pacific/Honolulu');
    expect(answerPart).toMatchObject({ streak: { length: 1, freezes: 0, expires: '2024-03-03' }, changes: [] });
    expect(story.frozen()).toEqual(['2024-03-02']);
  });

  it('are used in the zone in force at the expiry, even if the next event changes the zone', () => {
    const story = storyWith({ initial: 1 });
    story.event('2024-03-01T12:00:00Z');
    story.identified('2024-03-03T01:00:00Z', 'Pacific/Honolulu');
    expect(story.frozen()).toEqual(['2024-03-02']);
  });

  it('do not revive an ended streak if a change of zone delays its expiry, but not beyond the present', () => {
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

  it('are used at the new expiry of a streak that a change of zone revived', () => {
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

  it('bridge the next date that the zone showed, while a date that it skipped needs no freeze', () => {
    const story = storyWith({ initial: 1 }, 'Pacific/Apia');
    story.event('2011-12-29T20:00:00Z');
    story.event('2011-12-31T20:00:00Z');
    expect(story.history()).toEqual({ '2011-12-29': 1, '2011-12-30': 1, '2011-12-31': 1, '2012-01-01': 2 });
    expect(story.frozen()).toEqual(['2011-12-31']);
  });

  it('do not let a late import extend the streak by a period that they bridged', () => {
    const story = storyWith({ initial: 1 });
    story.event('2024-03-01T12:00:00Z');
    story.swept('2024-03-03T00:00:00Z');
    expect(story.event('2024-03-02T12:00:00Z')).toMatchObject({ extended: false, streak: { length: 1 } });
  });

  it('survive a change of frequency that restarts the streak', () => {
    const story = storyWith({ initial: 3 });
    story.event('2024-03-01T12:00:00Z');
    story.swept('2024-03-03T00:00:00Z');
    const { freezes } = story.definition!;
    story.definition = definitionOf({ generation: 2, frequency: 'weekly', freezes });
    expect(story.event('2024-03-03T12:00:00Z').streak).toMatchObject({ length: 1, freezes: 2 });
  });
});

describe('freezes that a later version adds or changes', () => {
  const since = instantOf('2024-03-10T00:00:00Z');
  const withFreezes = (freezes: Partial<FreezeDefinition>) =>
    definitionOf({ freezes: { initial: 2, max: 5, earnEvery: 1, earn: 1, since, ...freezes } });

  it('count from their publication: existing users start with none, and no ended streak is revived', () => {
    const story = new StreakStory();
    story.event('2024-03-05T12:00:00Z');
    story.definition = withFreezes({});
    expect(story.read('2024-03-10T11:59:59.999Z')).toMatchObject({ length: 0, freezes: 0 });
    expect(story.read('2024-03-10T12:00:00Z')).toMatchObject({ length: 0, freezes: 1 });
    expect(story.event('2024-03-12T13:00:00Z').streak).toMatchObject({ length: 1, freezes: 3 });
    expect(story.frozen()).toEqual([]);
  });

  it('save a streak that expires after the publication', () => {
    const story = new StreakStory();
    story.event('2024-03-09T00:00:00Z');
    story.definition = withFreezes({});
    expect(story.read('2024-03-11T00:00:00Z')).toMatchObject({ length: 1, freezes: 1 });
  });

  it('are given initially to users created after the publication', () => {
    const story = new StreakStory(withFreezes({}));
    expect(story.event(since).streak.freezes).toBe(2);
  });

  it('follow the former terms before the publication', () => {
    const story = storyWith({ initial: 0, max: 3, earnEvery: 1, earn: 1 });
    story.identified('2024-03-08T00:00:00Z');
    story.definition = withFreezes({ max: 10, earn: 4 });
    expect(story.read(since - 1).freezes).toBe(1);
    expect(story.read(since).freezes).toBe(5);
    expect(story.read(since + 30 * DAY_MS).freezes).toBe(10);
  });

  it('do not save a streak that expired before the publication and before they were earned', () => {
    const story = storyWith({ earnEvery: 2, earn: 1 });
    story.event('2024-03-01T12:00:00Z');
    story.definition = withFreezes({});
    expect(story.read('2024-03-10T12:00:00Z')).toMatchObject({ length: 0, freezes: 5 });
    story.swept('2024-03-10T12:00:00Z');
    expect(story.changes.at(-1)).toEqual({ at: instantOf('2024-03-03T00:00:00Z'), length: 0 });
    expect(story.frozen()).toEqual([]);
  });

  it('are not removed when the maximum is lowered', () => {
    const story = storyWith({ initial: 4, max: 4 });
    story.identified('2024-03-08T00:00:00Z');
    story.definition = withFreezes({ max: 1 });
    expect(story.read(since + 9 * DAY_MS).freezes).toBe(4);
  });

  it('are discarded when a version has none', () => {
    const story = storyWith({ initial: 4 });
    story.event('2024-03-08T00:00:00Z');
    story.definition = definitionOf();
    expect(story.event('2024-03-08T01:00:00Z').streak).not.toHaveProperty('freezes');
    expect(story.read('2024-03-10T00:00:00Z').length).toBe(0);
  });
});
