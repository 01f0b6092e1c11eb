import { exactOf } from '@laurel/amounts';
import type { PointsTrigger, TriggerFired } from '@laurel/kernel';
import {
  completed,
  created,
  extended,
  last,
  life,
  one,
  reported,
  START,
  type Step,
  UNITS,
} from '../occasions.fixture.ts';
import { every, HOUR, onAchievement, onCreation, onMetric, onStreak } from '../points.fixture.ts';

interface Story {
  trigger(points: number): PointsTrigger;
  /** Fires it once. */
  readonly step: Step;
}

/** One for each kind: the compiler asks for that of a new one. */
const STORIES: { readonly [Type in PointsTrigger['type']]: Story } = {
  time: { trigger: (points) => every(1, 'hour', points), step: { at: START + HOUR } },
  user_creation: { trigger: onCreation, step: { earlier: [created] } },
  metric: { trigger: (points) => onMetric('commits', 3, points), step: { cause: reported(3 * UNITS) } },
  streak: { trigger: (points) => onStreak(7, points), step: { earlier: [extended(14)] } },
  achievement: { trigger: (points) => onAchievement('first', points), step: { earlier: [completed('first')] } },
};
const KINDS = Object.entries(STORIES);

describe.each(KINDS)('why points were given by a trigger of the kind %s', (type, { trigger, step }) => {
  const reason = (points: number, given: number, cutBy: TriggerFired['cutBy']) => ({
    system: 'xp',
    triggerId: trigger(points).id,
    type,
    times: 1,
    nominal: points,
    awarded: given,
    cutBy,
  });
  const why = (points: number, total: bigint, maxPoints?: number) =>
    last(one([trigger(points)], { maxPoints }), total, step).fired;

  it('is how often it fired, and for how much', () => {
    expect(why(5, 0n)).toEqual([reason(5, 5, null)]);
    expect(why(5, 4n, 9)).toEqual([reason(5, 5, null)]);
    expect(why(-5, 5n)).toEqual([reason(-5, -5, null)]);
  });

  it('names the cap if it cut the award', () => {
    expect(why(5, 4n, 6)).toEqual([reason(5, 2, 'cap')]);
  });

  it('names zero if it stopped the award there', () => {
    expect(why(-5, 3n)).toEqual([reason(-5, -3, 'zero')]);
  });

  it('is empty if the event does not fire it', () => {
    expect(last(one([trigger(5)]), 0n, {}).fired).toEqual([]);
  });
});

describe.each(KINDS.filter(([type]) => type !== 'time'))(
  'an award cut to nothing, of a trigger of the kind %s',
  (type, { trigger, step }) => {
    it.each([
      ['cap', 5, 6n],
      ['zero', -5, 0n],
    ] as const)('has a reason, cut by %s, and no effect', (cutBy, points, total) => {
      const { fired, effects } = last(one([trigger(points)], { maxPoints: 6 }), total, step);
      const told = { system: 'xp', triggerId: trigger(points).id, type, times: 1, nominal: points, awarded: 0, cutBy };
      expect(fired).toEqual([told]);
      expect(effects).toEqual([]);
    });
  },
);

describe('why points were given', () => {
  it('leaves out time awards that are cut to nothing: they are never visited, so that years at the cap cost nothing', () => {
    const step = { at: START + 100_000 * HOUR };
    expect(last(one([every(1, 'hour', 5)], { maxPoints: 6 }), 6n, step).fired).toEqual([]);
    expect(last(one([every(1, 'hour', -5)]), 0n, step).fired).toEqual([]);
  });

  it('is one reason for each time award, the last one cut', () => {
    const { fired } = last(one([every(1, 'hour', 5)], { maxPoints: 12 }), 0n, { at: START + 9 * HOUR });
    expect(fired.map(({ times, nominal, awarded: given, cutBy }) => [times, nominal, given, cutBy])).toEqual([
      [1, 5, 5, null],
      [1, 5, 5, null],
      [1, 5, 2, 'cap'],
    ]);
  });

  it('is one reason for a metric trigger, however many of its multiples the event reaches', () => {
    const trigger = onMetric('commits', 3, 10);
    const common = { system: 'xp', triggerId: trigger.id, type: 'metric', times: 3, nominal: 30 };
    const step = { cause: reported(11 * UNITS) };
    expect(last(one([trigger]), 0n, step).fired).toEqual([{ ...common, awarded: 30, cutBy: null }]);
    expect(last(one([trigger], { maxPoints: 25 }), 0n, step).fired).toEqual([{ ...common, awarded: 25, cutBy: 'cap' }]);
  });

  it('has the triggers in the order in which they give', () => {
    const triggers = Object.values(STORIES).map(({ trigger }) => trigger(1));
    const effects = [created, extended(7), completed('first')];
    const step = { at: START + HOUR, cause: reported(3 * UNITS), earlier: effects };
    const { fired } = last(one(triggers.toReversed()), 0n, step);
    expect(fired.map(({ type }) => type)).toEqual(['time', 'user_creation', 'metric', 'streak', 'achievement']);
  });
});

describe('why a trigger gives nothing', () => {
  const why = (trigger: PointsTrigger, step: Step, total = 0n, maxPoints?: number) =>
    last(one([trigger], { maxPoints }), total, step).passedOver.map((each) => {
      expect(each).toMatchObject({ system: 'xp', triggerId: trigger.id });
      return each.missing === null ? each.why : [each.why, each.missing];
    });

  it.each([
    ['user_creation', onCreation(5), {}, ['user_not_new']],
    ['metric', onMetric('commits', 3, 5), {}, ['other_event']],
    ['metric', onMetric('commits', 3, 5), { cause: reported(UNITS, 1) }, ['other_event']],
    ['metric', onMetric('commits', 3, 5), { cause: reported(UNITS) }, []],
    ['streak', onStreak(7, 5), {}, ['streak_not_extended']],
    ['streak', onStreak(7, 5), { earlier: [extended(16)] }, [['streak_length', 5]]],
    ['achievement', onAchievement('first', 5), {}, ['achievement_not_completed']],
    ['achievement', onAchievement('first', 5), { earlier: [completed('other')] }, ['achievement_not_completed']],
    ['time', every(1, 'hour', 5), { at: START + HOUR - 1 }, ['not_due']],
    ['time', every(1, 'hour', 5), { at: START - HOUR }, ['not_due']],
  ] satisfies [string, PointsTrigger, Step, unknown[]][])('is told of one of the kind %s', (_, trigger, step, told) => {
    expect(why(trigger, step)).toEqual(told);
  });

  it('is the cap, or zero, if there is no room for what falls due', () => {
    expect(why(every(1, 'hour', 5), { at: START + HOUR }, 6n, 6)).toEqual(['no_room']);
    expect(why(every(1, 'hour', -5), { at: START + HOUR })).toEqual(['no_room']);
  });

  it('is not the cap where nothing fell due', () => {
    expect(why(every(1, 'hour', 5), { at: START + HOUR - 1 }, 6n, 6)).toEqual(['not_due']);
  });

  it('is the cap as it was when it fell due, even if another trigger has made room since', () => {
    const triggers = [every(1, 'hour', 5), every(1, 'hour', -5)];
    const { passedOver } = last(one(triggers, { maxPoints: 6 }), 6n, { at: START + HOUR });
    expect(passedOver.map(({ triggerId, why: told }) => [triggerId, told])).toEqual([[triggers[0]?.id, 'no_room']]);
  });

  it.each(KINDS)('is not told of one that fires, of the kind %s', (_, { trigger, step }) => {
    expect(why(trigger(5), step)).toEqual([]);
  });

  it('is told of every trigger of an event that fires none', () => {
    const triggers = Object.values(STORIES).map(({ trigger }) => trigger(1));
    expect(last(one(triggers), 0n, {}).passedOver).toHaveLength(triggers.length);
  });
});

describe('what a metric trigger that did not fire is missing', () => {
  const three = onMetric('commits', 3, 10);
  const missing = (trigger: PointsTrigger, ...values: readonly number[]) =>
    life(
      one([trigger]),
      0n,
      values.map((value) => ({ cause: reported(value) })),
    ).map(({ missed }) => missed.map((each) => each.missing));

  it('names the trigger and its system', () => {
    const { missed, fired } = last(one([three]), 0n, { cause: reported(UNITS) });
    expect(missed).toEqual([{ system: 'xp', triggerId: three.id, missing: 2 * UNITS }]);
    expect(fired).toEqual([]);
  });

  it('is what the sum lacks to the next multiple, and nothing if it fired', () => {
    expect(missing(three, 2 * UNITS, 2 * UNITS, UNITS, UNITS, 0)).toEqual([[UNITS], [], [UNITS], [], [3 * UNITS]]);
  });

  it('includes what was taken back', () => {
    expect(missing(three, 4 * UNITS, -2 * UNITS, 3 * UNITS)).toEqual([[], [4 * UNITS], [UNITS]]);
    expect(missing(three, -UNITS, UNITS)).toEqual([[4 * UNITS], [3 * UNITS]]);
  });

  it('is exact, in millionths, also beyond what a double holds', () => {
    expect(missing(onMetric('commits', 0.3, 1), 100_000, 100_000)).toEqual([[200_000], [100_000]]);
    const huge = { ...three, threshold: 2n ** 53n + 1n };
    expect(missing(huge, UNITS)).toEqual([[exactOf(2n ** 53n + 1n - BigInt(UNITS))]]);
  });

  it('leaves out triggers on other metrics', () => {
    const merges = onMetric('merges', 3, 10);
    const { missed } = last(one([three, merges]), 0n, { cause: reported(UNITS, 1) });
    expect(missed).toEqual([{ system: 'xp', triggerId: merges.id, missing: 2 * UNITS }]);
    expect(last(one([three, merges]), 0n, { cause: reported(UNITS, -1) }).missed).toEqual([]);
  });
});
