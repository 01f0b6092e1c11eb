import type { Effect, PointsTrigger } from '@laurel/kernel';
import {
  configuration,
  every,
  level,
  onAchievement,
  onCreation,
  onMetric,
  onStreak,
  pointsSystem,
} from '../points.fixture.ts';
import {
  caused,
  completed,
  created,
  DAY,
  extended,
  hoursLater,
  identified,
  PointsStory,
  reported,
  START,
  storyOf,
  UNITS,
} from '../occasions.fixture.ts';

/** An award of the event itself. */
const awarded = (trigger: PointsTrigger, given: number, total: number, at = START, system = 'xp') => ({
  type: 'PointsAwarded',
  system,
  triggerId: trigger.id,
  awarded: given,
  total,
  at,
  day: DAY,
  due: false,
});
const due = (trigger: PointsTrigger, given: number, total: number, hours: number, system = 'xp') => ({
  ...awarded(trigger, given, total, hoursLater(hours), system),
  due: true,
});
const levelChanged = (from: string | null, to: string | null, system = 'xp') => ({
  type: 'LevelChanged',
  system,
  from,
  to,
  due: false,
});
const levelDue = (from: string | null, to: string | null, system = 'xp') => ({
  ...levelChanged(from, to, system),
  due: true,
});

const hourly = every(1, 'hour', 5);
const commits = onMetric('commits', 1, 10);
const levels = [level('low', 5), level('middle', 8), level('high', 15)];

describe('an event', () => {
  it('applies due awards and their level changes first, then its own awards and theirs', () => {
    const story = storyOf([hourly, commits], { levels });
    expect(story.when(reported(UNITS, hoursLater(1)))).toEqual([
      due(hourly, 5, 5, 1),
      levelDue(null, 'low'),
      awarded(commits, 10, 15, hoursLater(1)),
      levelChanged('low', 'high'),
    ]);
  });

  it('emits a level reached by due awards even if it takes the level away again', () => {
    const undo = onMetric('commits', 1, -3);
    const story = storyOf([hourly, undo], { levels });
    expect(story.when(reported(UNITS, hoursLater(1)))).toEqual([
      due(hourly, 5, 5, 1),
      levelDue(null, 'low'),
      awarded(undo, -3, 2, hoursLater(1)),
      levelChanged('low', null),
    ]);
  });

  it('applies due awards of all systems by instant, then level changes in configuration order', () => {
    const often = every(1, 'hour', 1);
    const rarely = every(2, 'hour', 9);
    const [first, second] = [onCreation(7, 'first'), onCreation(2, 'second')];
    const story = new PointsStory(
      configuration([
        pointsSystem('b', [rarely, first], { levels }),
        pointsSystem('a', [often, second], { levels: [level('two', 2), level('four', 4)] }),
      ]),
    );
    expect(story.when(caused([created], identified(hoursLater(2))))).toEqual([
      due(often, 1, 1, 1, 'a'),
      due(rarely, 9, 9, 2, 'b'),
      due(often, 1, 2, 2, 'a'),
      levelDue(null, 'middle', 'b'),
      levelDue(null, 'two', 'a'),
      awarded(first, 7, 16, hoursLater(2), 'b'),
      awarded(second, 2, 4, hoursLater(2), 'a'),
      levelChanged('middle', 'high', 'b'),
      levelChanged('two', 'four', 'a'),
    ]);
  });

  it('emits one level change for all its awards, and none if the level stays the same', () => {
    const far = onMetric('commits', 1, 9, 'far');
    const further = onMetric('commits', 1, 6, 'on');
    const back = onMetric('commits', 1, -9, 'back');
    const levelsOf = (...triggers: readonly PointsTrigger[]) =>
      storyOf(triggers, { levels })
        .when(reported(UNITS))
        .filter(({ type }) => type === 'LevelChanged');
    expect(levelsOf(far, further)).toEqual([levelChanged(null, 'high')]);
    expect(levelsOf(far, back)).toEqual([]);
  });

  it('dates due awards in the zone before it, and its own awards on its own day', () => {
    const story = storyOf([every(3, 'hour', 5), commits]);
    const user = { previousZone: 'Asia/Tokyo', zone: 'UTC', day: DAY };
    const effects = story.when({ ...reported(UNITS, hoursLater(3)), user });
    expect(effects.map((effect) => effect.type === 'PointsAwarded' && effect.day)).toEqual([DAY + 1, DAY]);
  });

  it('adds exactly, beyond the precision of a double', () => {
    const single = onMetric('commits', 1, 1);
    const story = storyOf([single], {}, 2n ** 53n);
    expect(story.when(reported(UNITS))).toEqual([{ ...awarded(single, 1, 0), total: 2n ** 53n + 1n }]);
  });

  it('has no effect if no trigger fires or its awards come to nothing', () => {
    expect(storyOf([hourly, commits], { levels }).when(identified())).toEqual([]);
    expect(storyOf([onMetric('commits', 1, -3)], { levels }).when(reported(UNITS))).toEqual([]);
  });

  it('has the same effects whether or not an explanation is requested', () => {
    const triggers = [hourly, commits, onMetric('commits', 5, 1), onCreation(3)];
    const [heard, unheard] = [1, 2].map(() => storyOf(triggers, { levels, maxPoints: 16 }));
    const events = [0, 1, 2].map((hours) => caused([created], reported(UNITS, hoursLater(hours))));
    const effects = events.map((event) => heard!.why(event).effects);
    expect(effects).toEqual(events.map((event) => unheard!.when(event)));
    expect(effects.flat()).not.toHaveLength(0);
  });
});

describe('a streak trigger', () => {
  const daily = onStreak(1, 5);

  it.each<[string, Effect]>([
    ['started', { type: 'StreakStarted', at: START, length: 1, period: DAY }],
    ['extended', extended(2)],
  ])('fires when a streak is %s', (_, effect) => {
    expect(storyOf([daily]).when(caused([effect]))).toEqual([awarded(daily, 5, 5)]);
  });

  it.each<[string, Effect]>([
    ['revived', { type: 'StreakRevived', at: START, length: 2 }],
    ['ended', { type: 'StreakEnded', at: START, length: 2, generation: 1 }],
  ])('does not fire when a streak is %s', (_, effect) => {
    expect(storyOf([daily]).when(caused([effect]))).toEqual([]);
  });
});

describe('an achievement trigger whose achievement fell due', () => {
  it('awards points between the time awards, in order of their instants', () => {
    const [gives, takes] = [every(2, 'hour', 5), onAchievement('a', -6)];
    const story = storyOf([gives, takes]);
    expect(story.when({ at: hoursLater(4), earlier: [completed('a', hoursLater(3))] })).toEqual([
      due(gives, 5, 5, 2),
      due(takes, -5, 0, 3),
      due(gives, 5, 5, 4),
    ]);
  });
});
