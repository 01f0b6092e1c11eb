import { exactOf } from '@laurel/amounts';
import type { PointsTrigger, TriggerFired } from '@laurel/kernel';
import {
  caused,
  completed,
  created,
  extended,
  hoursLater,
  identified,
  reported,
  START,
  storyOf,
  UNITS,
  type StoryEvent,
} from '../occasions.fixture.ts';
import { every, onAchievement, onCreation, onMetric, onStreak } from '../points.fixture.ts';

interface Case {
  trigger(points: number): PointsTrigger;
  /** Fires the trigger once. */
  readonly firing: StoryEvent;
}

/** One case for each kind of trigger: the compiler asks for the case of a new kind. */
const CASES: { readonly [Type in PointsTrigger['type']]: Case } = {
  time: { trigger: (points) => every(1, 'hour', points), firing: identified(hoursLater(1)) },
  user_creation: { trigger: onCreation, firing: caused([created]) },
  metric: { trigger: (points) => onMetric('commits', 3, points), firing: reported(3 * UNITS) },
  streak: { trigger: (points) => onStreak(7, points), firing: caused([extended(14)]) },
  achievement: { trigger: (points) => onAchievement('first', points), firing: caused([completed('first')]) },
};
const KINDS = Object.entries(CASES);

describe.each(KINDS)('the explanation of a fired trigger of type %s', (type, { trigger, firing }) => {
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
    storyOf([trigger(points)], { maxPoints }, total).why(firing);

  it('states how often it fired and for how many points', () => {
    expect(why(5, 0n).fired).toEqual([reason(5, 5, null)]);
    expect(why(5, 4n, 9).fired).toEqual([reason(5, 5, null)]);
    expect(why(-5, 5n).fired).toEqual([reason(-5, -5, null)]);
  });

  it('names the cap if it reduced the award', () => {
    expect(why(5, 4n, 6).fired).toEqual([reason(5, 2, 'cap')]);
  });

  it('names zero if the total could not fall further', () => {
    expect(why(-5, 3n).fired).toEqual([reason(-5, -3, 'zero')]);
  });

  it('does not list the trigger as passed over', () => {
    expect(why(5, 0n).passedOver).toEqual([]);
  });

  it('is absent for an event that does not fire the trigger', () => {
    expect(storyOf([trigger(5)]).why(identified()).fired).toEqual([]);
  });
});

describe.each(KINDS.filter(([type]) => type !== 'time'))(
  'the explanation of a trigger of type %s that awards nothing',
  (type, { trigger, firing }) => {
    it.each([
      ['cap', 5, 6n],
      ['zero', -5, 0n],
    ] as const)('names %s as the limit, and there is no effect', (cutBy, points, total) => {
      const { fired, effects } = storyOf([trigger(points)], { maxPoints: 6 }, total).why(firing);
      const triggerId = trigger(points).id;
      expect(fired).toEqual([{ system: 'xp', triggerId, type, times: 1, nominal: points, awarded: 0, cutBy }]);
      expect(effects).toEqual([]);
    });
  },
);

describe('the explanation of a time trigger', () => {
  it('is absent while its awards come to nothing, so that years at the cap cost nothing', () => {
    const muchLater = identified(hoursLater(100_000));
    expect(storyOf([every(1, 'hour', 5)], { maxPoints: 6 }, 6n).why(muchLater).fired).toEqual([]);
    expect(storyOf([every(1, 'hour', -5)]).why(muchLater).fired).toEqual([]);
  });

  it('has one entry per award, the last of them reduced by the cap', () => {
    const { fired } = storyOf([every(1, 'hour', 5)], { maxPoints: 12 }).why(identified(hoursLater(9)));
    expect(fired.map(({ times, nominal, awarded: given, cutBy }) => [times, nominal, given, cutBy])).toEqual([
      [1, 5, 5, null],
      [1, 5, 5, null],
      [1, 5, 2, 'cap'],
    ]);
  });
});

describe('the explanation of a metric trigger', () => {
  const three = onMetric('commits', 3, 10);

  it('has one entry, however many multiples of the threshold the event reaches', () => {
    const common = { system: 'xp', triggerId: three.id, type: 'metric', times: 3, nominal: 30 };
    const why = (maxPoints?: number) => storyOf([three], { maxPoints }).why(reported(11 * UNITS)).fired;
    expect(why()).toEqual([{ ...common, awarded: 30, cutBy: null }]);
    expect(why(25)).toEqual([{ ...common, awarded: 25, cutBy: 'cap' }]);
  });

  describe('that does not fire', () => {
    const missing = (trigger: PointsTrigger, ...values: readonly number[]) => {
      const story = storyOf([trigger]);
      return values.map((value) => story.why(reported(value)).missed.map((each) => each.missing));
    };

    it('names the trigger and its points system', () => {
      const { missed, fired } = storyOf([three]).why(reported(UNITS));
      expect(missed).toEqual([{ system: 'xp', triggerId: three.id, missing: 2 * UNITS }]);
      expect(fired).toEqual([]);
    });

    it('states how much is missing to the next multiple, and is absent if the trigger fires', () => {
      expect(missing(three, 2 * UNITS, 2 * UNITS, UNITS, UNITS, 0)).toEqual([[UNITS], [], [UNITS], [], [3 * UNITS]]);
    });

    it('includes values that must be made up after they were taken back', () => {
      expect(missing(three, 4 * UNITS, -2 * UNITS, 3 * UNITS)).toEqual([[], [4 * UNITS], [UNITS]]);
      expect(missing(three, -UNITS, UNITS)).toEqual([[4 * UNITS], [3 * UNITS]]);
    });

    it('is exact to one millionth, beyond the precision of a double', () => {
      expect(missing(onMetric('commits', 0.3, 1), 100_000, 100_000)).toEqual([[200_000], [100_000]]);
      const huge = { ...three, threshold: 2n ** 53n + 1n };
      expect(missing(huge, UNITS)).toEqual([[exactOf(2n ** 53n + 1n - BigInt(UNITS))]]);
    });

    it('is absent for an event on another metric', () => {
      const merges = onMetric('merges', 3, 10);
      const missed = (metric: number) => storyOf([three, merges]).why(reported(UNITS, START, metric)).missed;
      expect(missed(1)).toEqual([{ system: 'xp', triggerId: merges.id, missing: 2 * UNITS }]);
      expect(missed(-1)).toEqual([]);
    });
  });
});

describe('the explanation of an event', () => {
  it('lists triggers in the order in which they award points', () => {
    const triggers = Object.values(CASES).map(({ trigger }) => trigger(1));
    const effects = [created, extended(7), completed('first')];
    const { fired } = storyOf(triggers.toReversed()).why(caused(effects, reported(3 * UNITS, hoursLater(1))));
    expect(fired.map(({ type }) => type)).toEqual(['time', 'user_creation', 'metric', 'streak', 'achievement']);
  });

  it('lists every trigger as passed over if none fires', () => {
    const triggers = Object.values(CASES).map(({ trigger }) => trigger(1));
    expect(storyOf(triggers).why(identified()).passedOver).toHaveLength(triggers.length);
  });
});

describe('the explanation of a trigger that was passed over', () => {
  const why = (trigger: PointsTrigger, happens: StoryEvent, total = 0n, maxPoints?: number) =>
    storyOf([trigger], { maxPoints }, total)
      .why(happens)
      .passedOver.map((each) => {
        expect(each).toMatchObject({ system: 'xp', triggerId: trigger.id });
        return each.missing === null ? each.why : [each.why, each.missing];
      });

  it.each([
    ['user_creation', onCreation(5), identified(), ['user_not_new']],
    ['metric', onMetric('commits', 3, 5), identified(), ['other_event']],
    ['metric', onMetric('commits', 3, 5), reported(UNITS, START, 1), ['other_event']],
    ['metric', onMetric('commits', 3, 5), reported(UNITS), []],
    ['streak', onStreak(7, 5), identified(), ['streak_not_extended']],
    ['streak', onStreak(7, 5), caused([extended(16)]), [['streak_length', 5]]],
    ['achievement', onAchievement('first', 5), identified(), ['achievement_not_completed']],
    ['achievement', onAchievement('first', 5), caused([completed('other')]), ['achievement_not_completed']],
    ['time', every(1, 'hour', 5), identified(hoursLater(1) - 1), ['not_due']],
    ['time', every(1, 'hour', 5), identified(hoursLater(-1)), ['not_due']],
  ] satisfies [string, PointsTrigger, StoryEvent, unknown[]][])(
    'gives the reason for the trigger type %s',
    (_, trigger, happens, reasons) => {
      expect(why(trigger, happens)).toEqual(reasons);
    },
  );

  it('says that there is no room if a due award would exceed the cap or fall below zero', () => {
    expect(why(every(1, 'hour', 5), identified(hoursLater(1)), 6n, 6)).toEqual(['no_room']);
    expect(why(every(1, 'hour', -5), identified(hoursLater(1)))).toEqual(['no_room']);
  });

  it('says that an award is not due before its instant, even at the cap', () => {
    expect(why(every(1, 'hour', 5), identified(hoursLater(1) - 1), 6n, 6)).toEqual(['not_due']);
  });

  it('says that there was no room at the due instant, even if another trigger has made room since', () => {
    const triggers = [every(1, 'hour', 5), every(1, 'hour', -5)];
    const { passedOver } = storyOf(triggers, { maxPoints: 6 }, 6n).why(identified(hoursLater(1)));
    expect(passedOver.map(({ triggerId, why: reason }) => [triggerId, reason])).toEqual([[triggers[0]?.id, 'no_room']]);
  });
});
