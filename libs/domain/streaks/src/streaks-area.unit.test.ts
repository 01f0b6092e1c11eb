import { newMessage } from '@laurel/kernel';
import { applyMessage } from '@laurel/kernel/fixtures';
import { subjectOf } from '@laurel/testing/subjects';
import { streaksArea } from './streaks-area.ts';
import { StreakStory, configurationOf, daily, definitionOf, instantOf } from './testing/streak-story.ts';

const KIRITIMATI = 'Pacific/Kiritimati';

describe('an account without a configured streak', () => {
  it('shows length 0, frequency daily and null for all dates', () => {
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

  it('resets a length reported before, once, and still follows changes of zone', () => {
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
  it("of frequency or weekStart restarts everyone's streak", () => {
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

  it('of frequency does not move the latest event that determines the period', () => {
    const story = daily(['2024-03-20']);
    story.definition = definitionOf({ generation: 2, frequency: 'weekly' });
    expect(story.event('2024-03-01T12:00:00Z').streak).toMatchObject({
      started: '2024-03-20',
      periodStart: '2024-03-18',
    });
  });

  it('of conditions applies from then on and keeps the progress', () => {
    const story = new StreakStory(definitionOf({ conditions: { steps: 10 } }));
    story.event('2024-03-01T10:00:00Z', { value: 4 });
    story.definition = definitionOf({ conditions: { steps: 5 } });
    expect(story.event('2024-03-01T11:00:00Z', { value: 1 })).toMatchObject({ extended: true, streak: { length: 1 } });
  });

  it('of conditions that are already met extends the streak with the next metric event, on any metric', () => {
    const story = new StreakStory(definitionOf({ conditions: { steps: 10 } }));
    story.event('2024-03-01T10:00:00Z', { value: 4 });
    story.definition = definitionOf({ conditions: { steps: 4 } });
    expect(story.identified('2024-03-01T11:00:00Z').extended).toBe(false);
    expect(story.event('2024-03-01T11:00:00Z', { metric: 'other' }).extended).toBe(true);
  });
});

describe('the answer of the streaks area', () => {
  it('shows the streak as of the latest event, while a read shows it as of now', () => {
    const story = daily(['2024-03-01', '2024-03-02']);
    expect(story.event('2024-03-01T10:00:00Z').streak).toMatchObject({ length: 2, periodStart: '2024-03-02' });
    expect(story.read('2024-03-09T10:00:00Z')).toMatchObject({ length: 0, periodStart: '2024-03-09' });
  });

  it('to a replayed request shows the streak as of now, with no extension or change', () => {
    const story = daily(['2024-03-01']);
    const request = { account: 'default', subject: subjectOf('ada'), metric: 'steps', originalDate: '2024-03-01' };
    const view = (at: string) =>
      streaksArea.view(story.state, { ...request, at: instantOf(at) }, configurationOf(story.definition));
    expect(view('2024-03-02T12:00:00Z')).toMatchObject({ extended: false, changes: [], streak: { length: 1 } });
    expect(view('2024-03-03T00:00:00Z')).toMatchObject({ extended: false, changes: [], streak: { length: 0 } });
  });

  it('is refused for an event that the users area has not applied', () => {
    const fact = { type: 'UserSwept', subject: subjectOf('ada'), place: 0 } as const;
    const record = {
      eventId: 'e',
      account: 'default',
      configurationVersion: 1,
      occurredAt: 0,
      recordedAt: 0,
      position: 7,
      fact,
    };
    const applied = () =>
      applyMessage(streaksArea, streaksArea.initial(), newMessage(record), configurationOf(definitionOf()));
    expect(applied).toThrow('streaks needs users, which has not applied the record at position 7');
  });
});
