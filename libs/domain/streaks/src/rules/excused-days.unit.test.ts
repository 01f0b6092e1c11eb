import { day, event, granted, identified, RulesStory, swept } from '../testing/rules-story.ts';
import { definitionOf, instantOf, type DefinitionGiven } from '../testing/streak-story.ts';
import { viewStreak } from './streak-view.ts';

const NOON = 'T12:00:00Z';
const excused = (on: string, from: string, to = from) => granted(`${on}T18:00:00Z`, { kind: 'excused', from, to });
const revived = (on: string, length: number) =>
  ({ type: 'StreakRevived', at: instantOf(`${on}T18:00:00Z`), length }) as const;
const passed = (date: string, length: number) => ({ type: 'PeriodExcused', period: day(date), length }) as const;
const played = (story: RulesStory, ...dates: readonly string[]) =>
  story.given(...dates.map((date) => event(`${date}${NOON}`)));
const frozen = (freezes: Partial<NonNullable<DefinitionGiven['freezes']>>) =>
  definitionOf({ freezes: { initial: 0, max: 2, earnEvery: null, earn: null, ...freezes } });
const lengthOn = ({ state, plan }: RulesStory, date: string) => viewStreak(state, instantOf(`${date}T20:00:00Z`), plan);

describe('excused days', () => {
  it('revive a streak that ended on them, as if it had not ended', () => {
    const story = played(new RulesStory(), '2024-03-01', '2024-03-02').given(swept('2024-03-04T01:00:00Z'));
    expect(story.when(excused('2024-03-04', '2024-03-03'))).toEqual([
      revived('2024-03-04', 2),
      passed('2024-03-03', 2),
    ]);
    expect(story.when(event('2024-03-04T19:00:00Z'))).toMatchObject([{ type: 'StreakExtended', length: 3 }]);
  });

  it('do not revive a streak until every day that ended it is excused', () => {
    const story = played(new RulesStory(), '2024-03-01').given(swept('2024-03-05T01:00:00Z'));
    expect(story.when(excused('2024-03-05', '2024-03-02', '2024-03-03'))).toEqual([]);
    expect(story.when(excused('2024-03-05', '2024-03-04'))[0]).toEqual(revived('2024-03-05', 1));
  });

  it('join the present streak to the earlier one that they had separated from it', () => {
    const story = played(new RulesStory(), '2024-03-01', '2024-03-02', '2024-03-04', '2024-03-05', '2024-03-06');
    expect(story.when(excused('2024-03-06', '2024-03-03'))).toEqual([
      passed('2024-03-03', 2),
      { type: 'StreakRejoined', at: instantOf('2024-03-06T18:00:00Z'), length: 5, joined: 2 },
    ]);
    expect(lengthOn(story, '2024-03-06')).toMatchObject({ length: 5, started: '2024-03-01' });
  });

  it('return a freeze that was used on them, up to the maximum', () => {
    const story = played(new RulesStory(frozen({ initial: 1 })), '2024-03-01', '2024-03-03');
    expect(story.state.held).toBe(0);
    expect(story.when(excused('2024-03-03', '2024-03-02'))).toEqual([
      passed('2024-03-02', 1),
      { type: 'FreezesGranted', granted: 1, held: 1 },
    ]);
    expect(story.when(excused('2024-03-03', '2024-03-02'))).toEqual([]);
    const full = played(
      new RulesStory(frozen({ initial: 1, max: 1, earnEvery: 2, earn: 1 })),
      '2024-03-01',
      '2024-03-03',
    );
    full.given(identified('2024-03-03T13:00:00Z'));
    expect(full.state.held).toBe(1);
    expect(full.when(excused('2024-03-03', '2024-03-02'))).toEqual([passed('2024-03-02', 1)]);
    expect(lengthOn(full, '2024-03-03').freezes).toBe(1);
  });

  it('return a freeze that can then bridge the day that ended the streak', () => {
    const story = played(new RulesStory(frozen({ initial: 1 })), '2024-03-01').given(swept('2024-03-04T01:00:00Z'));
    expect(lengthOn(story, '2024-03-04').length).toBe(0);
    expect(story.when(excused('2024-03-04', '2024-03-02')).map(({ type }) => type)).toEqual([
      'PeriodExcused',
      'FreezesGranted',
      'StreakRevived',
      'FreezeUsed',
    ]);
    expect(lengthOn(story, '2024-03-04')).toMatchObject({ length: 1, freezes: 0 });
  });

  it('do not let a freeze granted later bridge a day before the grant', () => {
    const story = played(new RulesStory(frozen({})), '2024-03-01').given(swept('2024-03-04T01:00:00Z'));
    story.given(granted('2024-03-04T10:00:00Z', { kind: 'freezes', amount: 1 }));
    // The streak would have ended on the day after, too.
    expect(story.when(excused('2024-03-04', '2024-03-02'))).toEqual([]);
    expect(lengthOn(story, '2024-03-04')).toMatchObject({ length: 0, freezes: 1 });
    expect(story.when(excused('2024-03-04', '2024-03-03')).map(({ type }) => type)).toEqual([
      'StreakRevived',
      'PeriodExcused',
      'PeriodExcused',
    ]);
    expect(lengthOn(story, '2024-03-04')).toMatchObject({ length: 1, freezes: 1 });
  });

  it('return a freeze that bridges the missed day, and keep granted freezes', () => {
    const story = played(new RulesStory(frozen({ initial: 1 })), '2024-03-01').given(swept('2024-03-04T01:00:00Z'));
    story.given(granted('2024-03-04T10:00:00Z', { kind: 'freezes', amount: 1 }));
    expect(story.when(excused('2024-03-04', '2024-03-02')).map(({ type }) => type)).toEqual([
      'PeriodExcused',
      'FreezesGranted',
      'StreakRevived',
      'FreezeUsed',
    ]);
    expect(lengthOn(story, '2024-03-04')).toMatchObject({ length: 1, freezes: 1 });
    expect(story.state.held).toBe(1);
  });

  it('do not let a freeze bridge a day before it was earned, even if the terms have changed since', () => {
    const freezes = { initial: 0, max: 5, earnEvery: 4, earn: 1 };
    const changed = { ...freezes, max: 4, since: instantOf('2024-03-06T00:00:00Z') };
    const terms = [
      { since: -Infinity, freezes },
      { since: changed.since, freezes: changed },
    ];
    const story = played(new RulesStory(frozen(freezes)), '2024-03-01').given(swept('2024-03-04T00:00:01Z'));
    story.published({ ...frozen(changed), freezeTerms: terms });
    story.given(excused('2024-03-07', '2024-03-04', '2024-03-07'));
    expect(story.when(excused('2024-03-07', '2024-03-02'))).toEqual([]);
    expect(lengthOn(story, '2024-03-07')).toMatchObject({ length: 0, freezes: 1 });
  });

  it('in the future use no freeze and extend nothing', () => {
    const story = played(new RulesStory(frozen({ initial: 1 })), '2024-03-01');
    expect(story.when(excused('2024-03-01', '2024-03-02', '2024-03-04'))).toEqual([]);
    expect(story.when(event(`2024-03-05${NOON}`))).toMatchObject([
      passed('2024-03-02', 1),
      passed('2024-03-03', 1),
      passed('2024-03-04', 1),
      { type: 'StreakExtended', length: 2 },
    ]);
    expect(story.state.held).toBe(1);
  });

  it('still extend the streak if the user plays on them', () => {
    const story = played(new RulesStory(), '2024-03-01').given(excused('2024-03-01', '2024-03-02'));
    expect(story.when(event(`2024-03-02${NOON}`))).toMatchObject([{ type: 'StreakExtended', length: 2 }]);
  });

  it('bridge a week only if all its dates are excused', () => {
    const weekly = () => played(new RulesStory(definitionOf({ frequency: 'weekly' })), '2024-03-05');
    const most = weekly().given(swept('2024-03-18T01:00:00Z'));
    expect(most.when(excused('2024-03-18', '2024-03-11', '2024-03-16'))).toEqual([]);
    expect(most.when(excused('2024-03-18', '2024-03-17'))).toEqual([revived('2024-03-18', 1), passed('2024-03-11', 1)]);
  });

  it('bridge a week or month if they omit only a date that the zone never showed', () => {
    // Apia had no 30 December 2011.
    const APIA = 'Pacific/Apia';
    const lived = (frequency: 'weekly' | 'monthly', [from, to]: readonly [string, string], zone: string) => {
      const story = new RulesStory(definitionOf({ frequency }), zone).given(
        event('2011-11-30T12:00:00Z', { tz: zone }),
      );
      if (frequency === 'weekly') story.given(event('2011-12-21T12:00:00Z'));
      story.given(excused('2011-12-21', from, '2011-12-29'), excused('2011-12-21', '2011-12-31', to));
      return lengthOn(story, '2012-01-03').length;
    };
    expect(lived('weekly', ['2011-12-26', '2012-01-01'], APIA)).toBe(1);
    expect(lived('weekly', ['2011-12-26', '2012-01-01'], 'UTC')).toBe(0);
    expect(lived('weekly', ['2011-12-27', '2012-01-01'], APIA)).toBe(0);
    expect(lived('monthly', ['2011-12-01', '2011-12-31'], APIA)).toBe(1);
    expect(lived('monthly', ['2011-12-01', '2011-12-31'], 'UTC')).toBe(0);
  });

  it('do not affect a streak of an older generation, or an account without streaks', () => {
    const story = played(new RulesStory(), '2024-03-01', '2024-03-02');
    story.published(definitionOf({ generation: 2 })).given(event(`2024-03-04${NOON}`));
    expect(story.when(excused('2024-03-04', '2024-03-03'))).toEqual([]);
    expect(lengthOn(story, '2024-03-04').length).toBe(1);
    expect(new RulesStory(null).when(excused('2024-03-04', '2024-03-03'))).toEqual([]);
  });

  it('are remembered even without a streak', () => {
    const story = new RulesStory().given(excused('2024-03-04', '2024-01-01', '2024-01-31'));
    expect(story.state.excused).toEqual([{ from: day('2024-01-01'), to: day('2024-01-31') }]);
  });
});
