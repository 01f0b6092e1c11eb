import { formatMillionths, subtract } from '@laurel/amounts';
import type { Effect, FreezeDefinition } from '@laurel/kernel';
import { streaksRules } from './streaks.ts';
import { lengthRows } from '../tables.ts';
import { RulesStory, completed, day, erased, event, granted, identified, swept } from '../testing/rules-story.ts';
import { definitionOf, instantOf } from '../testing/streak-story.ts';

const HONOLULU = 'Pacific/Honolulu';
const KIRITIMATI = 'Pacific/Kiritimati';

const started = (at: string, period: string) =>
  ({ type: 'StreakStarted', at: instantOf(at), length: 1, period: day(period) }) as const;
const extended = (at: string, length: number, period: string) =>
  ({ type: 'StreakExtended', at: instantOf(at), length, period: day(period) }) as const;
const ended = (at: string, length: number, generation = 1) =>
  ({ type: 'StreakEnded', at: instantOf(at), length, generation }) as const;
const revived = (at: string, length: number) => ({ type: 'StreakRevived', at: instantOf(at), length }) as const;
const used = (at: string, period: string, length: number) =>
  ({ type: 'FreezeUsed', at: instantOf(at), period: day(period), length }) as const;
const skipped = (period: string, length: number) => ({ type: 'PeriodSkipped', period: day(period), length }) as const;
const earned = (count: number, held: number) => ({ type: 'FreezeEarned', earned: count, held }) as const;

/** By length: how often it was reached, less what was taken back, and how often a streak ended with it. */
function lengthCounts(effects: readonly Effect[]): Record<string, unknown> {
  const counts: Record<string, [reached: number, ended: number]> = {};
  for (const row of lengthRows({ account: 'default', subject: 1, generation: 1 }, effects)) {
    const [reached, over] = counts[String(row['length'])] ?? [0, 0];
    counts[String(row['length'])] = [reached + Number(row['reached']), over + Number(row['ended'])];
  }
  return counts;
}

const withFreezes = (freezes: Partial<FreezeDefinition>) =>
  definitionOf({ freezes: { initial: 0, max: 100, earnEvery: null, earn: null, ...freezes } });

describe('a metric event', () => {
  it('starts a streak if it meets the first period', () => {
    const story = new RulesStory();
    expect(story.when(event('2024-03-01T12:00:00Z'))).toEqual([started('2024-03-01T12:00:00Z', '2024-03-01')]);
  });

  it('extends the streak if it meets a later period in time', () => {
    const story = new RulesStory().given(event('2024-03-01T12:00:00Z'));
    expect(story.when(event('2024-03-02T12:00:00Z'))).toEqual([extended('2024-03-02T12:00:00Z', 2, '2024-03-02')]);
  });

  it('names the period by its first day', () => {
    const story = new RulesStory(definitionOf({ frequency: 'monthly' }));
    expect(story.when(event('2024-02-29T12:00:00Z'))).toEqual([started('2024-02-29T12:00:00Z', '2024-02-01')]);
  });

  it('has no effect if it meets no period or one that is already met', () => {
    const story = new RulesStory(definitionOf({ conditions: { steps: 2 } }));
    expect(story.when(event('2024-03-01T10:00:00Z'))).toEqual([]);
    story.given(event('2024-03-01T11:00:00Z'));
    expect(story.when(event('2024-03-01T12:00:00Z', { value: 2 }))).toEqual([]);
  });

  it('ends an expired streak, at its expiry, before it starts another', () => {
    const story = new RulesStory().given(event('2024-03-01T12:00:00Z'), event('2024-03-02T12:00:00Z'));
    expect(story.when(event('2024-03-09T12:00:00Z'))).toEqual([
      ended('2024-03-04T00:00:00Z', 2),
      started('2024-03-09T12:00:00Z', '2024-03-09'),
    ]);
  });

  it('starts a streak at its own instant, in the latest period, if it is imported late', () => {
    const story = new RulesStory(definitionOf({ conditions: { steps: 2 } })).given(event('2024-03-04T12:00:00Z'));
    expect(story.when(event('2024-03-02T12:00:00Z'))).toEqual([started('2024-03-02T12:00:00Z', '2024-03-04')]);
  });

  it('revokes an end that a sweep found later than the event, if it is imported late', () => {
    const [found, unswept] = [true, false].map((isSwept) => {
      const story = new RulesStory();
      const before = [...story.when(event('2024-03-01T12:00:00Z'))];
      if (isSwept) before.push(...story.when(swept('2024-03-03T00:00:30Z')));
      return [...before, ...story.when(event('2024-03-02T12:00:00Z')), ...story.when(swept('2024-04-01T00:00:00Z'))];
    });
    const begun = started('2024-03-01T12:00:00Z', '2024-03-01');
    const after = [extended('2024-03-02T12:00:00Z', 2, '2024-03-02'), ended('2024-03-04T00:00:00Z', 2)];
    expect(unswept).toEqual([begun, ...after]);
    const takenBack = [ended('2024-03-03T00:00:00Z', 1), revived('2024-03-02T12:00:00Z', 1)];
    expect(found).toEqual([begun, ...takenBack, ...after]);
    const counted = [found, unswept].map((effects = []) => lengthCounts(effects));
    expect(counted[0]).toEqual(counted[1]);
  });

  it('skips the dates that the zone skipped after travelling east', () => {
    const story = new RulesStory().given(event('2024-03-01T12:00:00Z'));
    expect(story.when(event('2024-03-02T23:00:00Z', { tz: KIRITIMATI }))).toEqual([
      skipped('2024-03-02', 1),
      extended('2024-03-02T23:00:00Z', 2, '2024-03-03'),
    ]);
  });
});

describe('the end of a streak', () => {
  it.each([
    ['identification', identified],
    ['completion by API call', completed],
    ['sweep', swept],
  ])('is emitted once, with the last length, by any %s after the expiry', (_, happens) => {
    const story = new RulesStory().given(event('2024-03-01T12:00:00Z'), event('2024-03-02T12:00:00Z'));
    expect(story.when(happens('2024-03-03T23:59:59.999Z'))).toEqual([]);
    expect(story.when(happens('2024-03-04T00:00:00Z'))).toEqual([ended('2024-03-04T00:00:00Z', 2)]);
    expect(story.when(happens('2024-03-05T00:00:00Z'))).toEqual([]);
  });

  it('is revoked by a change of zone that delays the expiry beyond the present', () => {
    const story = new RulesStory().given(
      event('2024-03-01T12:00:00Z'),
      event('2024-03-02T12:00:00Z'),
      swept('2024-03-04T00:00:00Z'),
    );
    expect(story.when(event('2024-03-04T02:00:00Z', { tz: HONOLULU }))).toEqual([
      revived('2024-03-04T02:00:00Z', 2),
      extended('2024-03-04T02:00:00Z', 3, '2024-03-03'),
    ]);
  });

  it('is not revoked if the change of zone comes too late', () => {
    const story = new RulesStory().given(event('2024-03-01T12:00:00Z'), swept('2024-03-03T00:00:00Z'));
    expect(story.when(identified('2024-03-03T10:00:00Z', HONOLULU))).toEqual([]);
  });

  it('is emitted with a change of zone that moves the expiry into the past', () => {
    const story = new RulesStory().given(event('2024-03-01T12:00:00Z'), identified('2024-03-01T13:00:00Z', HONOLULU));
    expect(story.when(event('2024-03-03T05:00:00Z', { tz: 'UTC' }))).toEqual([
      ended('2024-03-03T00:00:00Z', 1),
      started('2024-03-03T05:00:00Z', '2024-03-03'),
    ]);
  });

  it('is emitted at the next event if a version starts another generation', () => {
    const story = new RulesStory()
      .given(event('2024-03-01T12:00:00Z'), event('2024-03-02T12:00:00Z'))
      .published(definitionOf({ generation: 2, frequency: 'weekly' }));
    expect(story.when(event('2024-03-02T14:00:00Z'))).toEqual([
      ended('2024-03-02T14:00:00Z', 2),
      started('2024-03-02T14:00:00Z', '2024-02-26'),
    ]);
  });

  it('is emitted once, at the next event, if a version has no streak', () => {
    const story = new RulesStory().given(event('2024-03-01T12:00:00Z')).published(null);
    expect(story.when(event('2024-03-01T14:00:00Z'))).toEqual([ended('2024-03-01T14:00:00Z', 1)]);
    expect(story.when(event('2024-03-02T14:00:00Z'))).toEqual([]);
  });
});

describe('the erasure of a user', () => {
  const lived = () => new RulesStory().given(event('2024-03-01T12:00:00Z'));

  it('ends the streak and emits its end', () => {
    const story = lived();
    const byErasure = { ...ended('2024-03-02T12:00:00Z', 1), byErasure: true };
    expect(story.when(erased('2024-03-02T12:00:00Z'))).toEqual([byErasure]);
    expect(story.when(swept('2024-03-09T12:00:00Z'))).toEqual([]);
  });

  it('first settles an end that fell due, even at the same instant', () => {
    expect(lived().when(erased('2024-03-03T00:00:00Z'))).toEqual([ended('2024-03-03T00:00:00Z', 1)]);
    for (const published of [definitionOf({ generation: 2, frequency: 'weekly' }), null])
      expect(lived().published(published).when(erased('2024-03-02T12:00:00Z'))).toEqual([
        ended('2024-03-02T12:00:00Z', 1),
      ]);
  });
});

describe('freezes', () => {
  it('count as held but not as earned if they are given at the creation', () => {
    const story = new RulesStory(withFreezes({ initial: 2 }));
    expect(story.when(identified('2024-03-01T12:00:00Z'))).toEqual([]);
    expect(story.state.held).toBe(2);
  });

  it("are earned as of any event, after the event's own effects", () => {
    const story = new RulesStory(withFreezes({ initial: 1, earnEvery: 1, earn: 2 }));
    story.given(event('2024-03-01T12:00:00Z'));
    expect(story.when(event('2024-03-02T12:00:00Z'))).toEqual([
      extended('2024-03-02T12:00:00Z', 2, '2024-03-02'),
      earned(2, 3),
    ]);
    expect(story.when(swept('2024-03-03T12:00:00Z'))).toEqual([earned(2, 5)]);
    expect(story.state.held).toBe(5);
  });

  it('are earned up to the maximum', () => {
    const story = new RulesStory(withFreezes({ initial: 1, max: 4, earnEvery: 1, earn: 2 }));
    story.given(identified('2024-03-01T12:00:00Z'));
    expect(story.when(identified('2024-03-09T12:00:00Z'))).toEqual([earned(3, 4)]);
    expect(story.when(identified('2024-03-19T12:00:00Z'))).toEqual([]);
  });

  it('are used when the streak expires, which leaves one fewer', () => {
    const story = new RulesStory(withFreezes({ initial: 2 })).given(event('2024-03-01T12:00:00Z'));
    expect(story.when(event('2024-03-03T12:00:00Z'))).toEqual([
      used('2024-03-03T00:00:00Z', '2024-03-02', 1),
      extended('2024-03-03T12:00:00Z', 2, '2024-03-03'),
    ]);
    expect(story.state.held).toBe(1);
  });

  it('are used one after the other until the streak ends', () => {
    const story = new RulesStory(withFreezes({ initial: 2 })).given(event('2024-03-01T12:00:00Z'));
    expect(story.when(event('2024-03-09T12:00:00Z'))).toEqual([
      used('2024-03-03T00:00:00Z', '2024-03-02', 1),
      used('2024-03-04T00:00:00Z', '2024-03-03', 1),
      ended('2024-03-05T00:00:00Z', 1),
      started('2024-03-09T12:00:00Z', '2024-03-09'),
    ]);
    expect(story.state.held).toBe(0);
  });

  it('are earned before the expiry that uses them, and later ones after the event', () => {
    const story = new RulesStory(withFreezes({ max: 3, earnEvery: 1, earn: 1 })).given(event('2024-03-01T12:00:00Z'));
    expect(story.when(swept('2024-03-04T12:00:00Z'))).toEqual([
      earned(1, 1),
      used('2024-03-03T00:00:00Z', '2024-03-02', 1),
      earned(1, 1),
      used('2024-03-04T00:00:00Z', '2024-03-03', 1),
      earned(1, 1),
    ]);
  });

  it('leave room below the maximum when one is used', () => {
    const story = new RulesStory(withFreezes({ initial: 1, max: 1, earnEvery: 1, earn: 1 }));
    story.given(event('2024-03-01T12:00:00Z'));
    expect(story.when(swept('2024-03-03T12:00:00Z'))).toEqual([
      used('2024-03-03T00:00:00Z', '2024-03-02', 1),
      earned(1, 1),
    ]);
  });

  it('bridge the next date that the zone showed, after skipping the one that it did not', () => {
    const story = new RulesStory(withFreezes({ initial: 1 }), 'Pacific/Apia').given(event('2011-12-29T20:00:00Z'));
    expect(story.when(event('2011-12-31T20:00:00Z'))).toEqual([
      skipped('2011-12-30', 1),
      used('2011-12-31T10:00:00Z', '2011-12-31', 1),
      extended('2011-12-31T20:00:00Z', 2, '2012-01-01'),
    ]);
  });
});

describe('changed terms of freezes', () => {
  const since = instantOf('2024-03-10T00:00:00Z');

  it('apply from their publication, and freezes earned under the former terms stay', () => {
    const story = new RulesStory(withFreezes({ max: 3, earnEvery: 1, earn: 1 }))
      .given(identified('2024-03-08T00:00:00Z'))
      .published(withFreezes({ max: 10, earnEvery: 1, earn: 4, since }));
    expect(story.when(identified('2024-03-10T00:00:00Z'))).toEqual([earned(5, 5)]);
  });

  it.each([
    ['earn none', { max: 3 }, []],
    [
      'earn more',
      { max: 10, earnEvery: 1, earn: 4 },
      [{ ...earned(4, 5), earnedAt: instantOf('2024-03-10T00:00:00Z') }],
    ],
  ])('do not change the effects of freezes earned before them, if they %s', (_, terms, after) => {
    const story = new RulesStory(withFreezes({ max: 3, earnEvery: 1, earn: 1 }))
      .given(identified('2024-03-08T00:00:00Z'))
      .published(withFreezes({ ...terms, since }));
    const { rules } = story.plan;
    if (rules !== null) story.plan = { ...story.plan, rules: { ...rules, notifiesOfEarning: true } };
    const before = { ...earned(1, 1), earnedAt: instantOf('2024-03-09T00:00:00Z') };
    expect(story.when(identified('2024-03-10T12:00:00Z'))).toEqual([before, ...after]);
  });

  it('remove no freezes if they lower the maximum, and earn none above it', () => {
    const story = new RulesStory(withFreezes({ initial: 4, max: 4 }))
      .given(identified('2024-03-08T00:00:00Z'))
      .published(withFreezes({ max: 1, earnEvery: 1, earn: 1, since }));
    expect(story.when(identified('2024-03-20T00:00:00Z'))).toEqual([]);
    expect(story.state.held).toBe(4);
  });

  it('give existing users no initial freezes, and a version without freezes removes all', () => {
    const story = new RulesStory().given(identified('2024-03-08T00:00:00Z'));
    story.published(withFreezes({ initial: 2, earnEvery: 5, earn: 3, since }));
    expect(story.when(identified('2024-03-12T00:00:00Z'))).toEqual([]);
    expect(story.state.held).toBe(0);
    expect(story.when(identified('2024-03-13T00:00:00Z'))).toEqual([earned(3, 3)]);
    story.published(definitionOf());
    expect(story.when(identified('2024-03-13T01:00:00Z'))).toEqual([]);
    expect(story.state.held).toBe(0);
  });

  it('do not change how an expiry before their publication was handled', () => {
    const story = new RulesStory(withFreezes({ initial: 1 }))
      .given(event('2024-03-01T12:00:00Z'))
      .published(withFreezes({ max: 5, earnEvery: 1, earn: 1, since }));
    expect(story.when(swept('2024-03-10T12:00:00Z'))).toEqual([
      used('2024-03-03T00:00:00Z', '2024-03-02', 1),
      ended('2024-03-04T00:00:00Z', 1),
      earned(1, 1),
    ]);
  });
});

describe('held freezes', () => {
  it('are stored in the state, and computed for a state stored without them', () => {
    const { state, plan } = new RulesStory(withFreezes({ initial: 1, earnEvery: 1, earn: 1 })).given(
      event('2024-03-01T12:00:00Z'),
      event('2024-03-02T12:00:00Z'),
    );
    const stored = streaksRules.encode(state, plan) as { readonly held?: number };
    expect(stored.held).toBe(2);
    const { held: _, ...former } = stored;
    expect(streaksRules.decode(former, plan)).toEqual(state);
  });

  it('are not stored if the configuration has no freezes', () => {
    const { state, plan } = new RulesStory().given(event('2024-03-01T12:00:00Z'));
    expect(streaksRules.encode(state, plan)).not.toHaveProperty('held');
  });
});

describe('the explanation of a metric event', () => {
  const conditions = { steps: 2.5, pages: 1 };
  const missed = (story: RulesStory, ...happens: Parameters<typeof event>) =>
    story
      .why(event(...happens))
      .map(({ metric, progress, threshold, periodMet }) => [
        metric,
        formatMillionths(subtract(threshold, progress)),
        periodMet,
      ]);

  it('names each condition that is not met, and by how much', () => {
    const story = new RulesStory(definitionOf({ conditions }));
    expect(story.why(event('2024-03-01T12:00:00Z'))).toEqual([
      { period: day('2024-03-01'), metric: 'steps', progress: 1_000_000, threshold: 2_500_000, periodMet: false },
      { period: day('2024-03-01'), metric: 'pages', progress: 0, threshold: 1_000_000, periodMet: false },
    ]);
    expect(missed(story, '2024-03-01T13:00:00Z')).toEqual([
      ['steps', '0.5', false],
      ['pages', '1', false],
    ]);
  });

  it('says that the event met the period', () => {
    const story = new RulesStory(definitionOf({ conditions })).given(event('2024-03-01T11:00:00Z', { value: 3 }));
    expect(missed(story, '2024-03-01T12:00:00Z', { metric: 'pages' })).toEqual([
      ['steps', '-0.5', true],
      ['pages', '0', true],
    ]);
  });

  it('lists all conditions even if one of them suffices', () => {
    const story = new RulesStory(definitionOf({ conditions, mode: 'any' }));
    expect(missed(story, '2024-03-01T12:00:00Z', { metric: 'pages' })).toEqual([
      ['steps', '2.5', true],
      ['pages', '0', true],
    ]);
  });

  it('says that the period was met before, even if values have been taken back since', () => {
    const story = new RulesStory().given(event('2024-03-01T11:00:00Z'));
    expect(missed(story, '2024-03-01T12:00:00Z', { value: -1 })).toEqual([['steps', '1', true]]);
  });

  it('says that a bridged period counts as met', () => {
    const story = new RulesStory(withFreezes({ initial: 1 })).given(
      event('2024-03-01T12:00:00Z'),
      swept('2024-03-03T00:00:00Z'),
    );
    expect(missed(story, '2024-03-02T12:00:00Z', { value: 0.5 })).toEqual([['steps', '0.5', true]]);
  });

  it('starts from 0 in a new period', () => {
    const story = new RulesStory(definitionOf({ conditions: { steps: 2 } })).given(event('2024-03-01T12:00:00Z'));
    expect(story.why(event('2024-03-02T12:00:00Z'))).toEqual([
      { period: day('2024-03-02'), metric: 'steps', progress: 1_000_000, threshold: 2_000_000, periodMet: false },
    ]);
  });

  it('lists conditions for an event on a metric without a condition', () => {
    expect(missed(new RulesStory(), '2024-03-01T12:00:00Z', { metric: 'other' })).toEqual([['steps', '1', false]]);
  });

  it('is empty for other events and for accounts without a streak', () => {
    const story = new RulesStory();
    for (const happens of [identified, completed, swept])
      expect(story.why(happens('2024-03-01T12:00:00Z'))).toEqual([]);
    expect(new RulesStory(null).why(event('2024-03-01T12:00:00Z'))).toEqual([]);
  });
});

describe('a restored streak', () => {
  const restored = (at: string) => granted(at, { kind: 'streak' });
  const ofTwo = () => new RulesStory().given(event('2024-03-01T12:00:00Z'), event('2024-03-02T12:00:00Z'));

  it('has the length from before its end, and the present period extends it', () => {
    const story = ofTwo();
    expect(story.when(restored('2024-03-20T09:00:00Z'))).toEqual([
      ended('2024-03-04T00:00:00Z', 2),
      revived('2024-03-20T09:00:00Z', 2),
    ]);
    expect(story.when(event('2024-03-20T10:00:00Z'))).toEqual([extended('2024-03-20T10:00:00Z', 3, '2024-03-20')]);
  });

  it('ends with the present period unless it is extended, and can be restored again', () => {
    const story = ofTwo().given(restored('2024-03-20T09:00:00Z'));
    expect(story.when(restored('2024-03-21T09:00:00Z'))).toEqual([
      ended('2024-03-21T00:00:00Z', 2),
      revived('2024-03-21T09:00:00Z', 2),
    ]);
  });

  it('must have ended: a restoration changes nothing while a streak is alive or if there was none', () => {
    expect(ofTwo().when(restored('2024-03-03T09:00:00Z'))).toEqual([]);
    expect(new RulesStory().given(identified('2024-03-01T12:00:00Z')).when(restored('2024-03-03T09:00:00Z'))).toEqual(
      [],
    );
    const anew = ofTwo().given(event('2024-03-20T09:00:00Z'));
    expect(anew.when(restored('2024-03-20T10:00:00Z'))).toEqual([]);
  });

  it('continues from the previous week if the frequency is weekly', () => {
    const story = new RulesStory(definitionOf({ frequency: 'weekly' })).given(event('2024-03-05T12:00:00Z'));
    story.given(restored('2024-04-10T12:00:00Z'));
    expect(story.when(event('2024-04-14T12:00:00Z'))).toEqual([extended('2024-04-14T12:00:00Z', 2, '2024-04-08')]);
  });
});

describe('granted freezes', () => {
  const given = (amount: number) => (at: string) => granted(at, { kind: 'freezes', amount });
  const got = (count: number, held: number) => ({ type: 'FreezesGranted', granted: count, held }) as const;

  it('are held up to the maximum', () => {
    const story = new RulesStory(withFreezes({ initial: 1, max: 3 })).given(identified('2024-03-01T12:00:00Z'));
    expect(story.when(given(1)('2024-03-01T13:00:00Z'))).toEqual([got(1, 2)]);
    expect(story.when(given(9)('2024-03-01T14:00:00Z'))).toEqual([got(1, 3)]);
    expect(story.when(given(1)('2024-03-01T15:00:00Z'))).toEqual([]);
  });

  it('bridge a later period, not one that has passed', () => {
    const story = new RulesStory(withFreezes({ max: 2 })).given(event('2024-03-01T12:00:00Z'));
    expect(story.when(given(1)('2024-03-02T13:00:00Z'))).toEqual([got(1, 1)]);
    expect(story.when(event('2024-03-03T12:00:00Z'))).toEqual([
      used('2024-03-03T00:00:00Z', '2024-03-02', 1),
      extended('2024-03-03T12:00:00Z', 2, '2024-03-03'),
    ]);
    expect(story.when(given(1)('2024-03-09T13:00:00Z'))).toEqual([ended('2024-03-05T00:00:00Z', 2), got(1, 1)]);
  });

  it('do not delay freezes that are earned later', () => {
    const story = new RulesStory(withFreezes({ max: 5, earnEvery: 2, earn: 1 }));
    story.given(identified('2024-03-01T12:00:00Z'));
    expect(story.when(given(2)('2024-03-03T12:00:00Z'))).toEqual([earned(1, 1), got(2, 3)]);
    expect(story.when(identified('2024-03-05T12:00:00Z'))).toEqual([earned(1, 4)]);
  });

  it('add nothing if the version has no freezes or lowered the maximum, and remove none', () => {
    const without = new RulesStory().given(identified('2024-03-01T12:00:00Z'));
    expect(without.when(given(1)('2024-03-02T12:00:00Z'))).toEqual([]);
    const lowered = new RulesStory(withFreezes({ initial: 4, max: 4 })).given(identified('2024-03-01T12:00:00Z'));
    lowered.published(withFreezes({ initial: 1, max: 2, since: instantOf('2024-03-02T00:00:00Z') }));
    expect(lowered.when(given(1)('2024-03-03T12:00:00Z'))).toEqual([]);
    expect(lowered.state.held).toBe(4);
  });
});
