import type { Effect, PointsTrigger } from '@laurel/kernel';
import {
  configuration,
  every,
  HOUR,
  level,
  onAchievement,
  onCreation,
  onMetric,
  onStreak,
  pointsSystem,
} from '../points.fixture.ts';
import { created, DAY, extended, last, life, one, reported, START, UNITS } from '../occasions.fixture.ts';

const awarded = (trigger: PointsTrigger, given: number, total: number, system = 'xp') => ({
  type: 'PointsAwarded',
  system,
  triggerId: trigger.id,
  awarded: given,
  total,
  at: START,
  day: DAY,
  due: false,
});
const due = (trigger: PointsTrigger, given: number, total: number, hours: number, system = 'xp') => ({
  ...awarded(trigger, given, total, system),
  at: START + hours * HOUR,
  due: true,
});
const changed = (from: string | null, to: string | null, byTime: boolean, system = 'xp') => ({
  type: 'LevelChanged',
  system,
  from,
  to,
  due: byTime,
});

describe('the effects of an event on points', () => {
  const hourly = every(1, 'hour', 5);
  const commits = onMetric('commits', 1, 10);
  const levels = [level('low', 5), level('middle', 8), level('high', 15)];

  it('are due awards, the level that these change, own awards, the level that those change', () => {
    const step = { at: START + HOUR, cause: reported(UNITS) };
    expect(last(one([hourly, commits], { levels }), 0n, step).effects).toEqual([
      due(hourly, 5, 5, 1),
      changed(null, 'low', true),
      { ...awarded(commits, 10, 15), at: START + HOUR },
      changed('low', 'high', false),
    ]);
  });

  it('name a level that due awards reach and the event takes away again', () => {
    const undo = onMetric('commits', 1, -3);
    const step = { at: START + HOUR, cause: reported(UNITS) };
    expect(last(one([hourly, undo], { levels }), 0n, step).effects).toEqual([
      due(hourly, 5, 5, 1),
      changed(null, 'low', true),
      { ...awarded(undo, -3, 2), at: START + HOUR },
      changed('low', null, false),
    ]);
  });

  it('are the awards of all systems by instant, then their levels in configuration order', () => {
    const often = every(1, 'hour', 1);
    const rarely = every(2, 'hour', 9);
    const [first, second] = [onCreation(7, 'first'), onCreation(2, 'second')];
    const under = configuration([
      pointsSystem('b', [rarely, first], { levels }),
      pointsSystem('a', [often, second], { levels: [level('two', 2), level('four', 4)] }),
    ]);
    const own = (trigger: PointsTrigger, given: number, total: number, system: string) => ({
      ...awarded(trigger, given, total, system),
      at: START + 2 * HOUR,
    });
    expect(last(under, 0n, { at: START + 2 * HOUR, earlier: [created] }).effects).toEqual([
      due(often, 1, 1, 1, 'a'),
      due(rarely, 9, 9, 2, 'b'),
      due(often, 1, 2, 2, 'a'),
      changed(null, 'middle', true, 'b'),
      changed(null, 'two', true, 'a'),
      own(first, 7, 16, 'b'),
      own(second, 2, 4, 'a'),
      changed('middle', 'high', false, 'b'),
      changed('two', 'four', false, 'a'),
    ]);
  });

  it('are one change of level for all awards of an event, and none if they leave it where it was', () => {
    const far = onMetric('commits', 1, 9, 'far');
    const back = onMetric('commits', 1, -9, 'back');
    const levelsOf = (triggers: readonly PointsTrigger[]) =>
      last(one(triggers, { levels }), 0n, { cause: reported(UNITS) }).effects.filter(
        ({ type }) => type === 'LevelChanged',
      );
    expect(levelsOf([far, onMetric('commits', 1, 6, 'on')])).toEqual([changed(null, 'high', false)]);
    expect(levelsOf([far, back])).toEqual([]);
  });

  it('are dated by the clock before the event if due, by its own day if not', () => {
    const user = { previousZone: 'Asia/Tokyo', zone: 'UTC', day: DAY };
    const step = { at: START + 3 * HOUR, cause: reported(UNITS), user };
    const { effects } = last(one([every(3, 'hour', 5), commits]), 0n, step);
    expect(effects.map((effect) => effect.type === 'PointsAwarded' && effect.day)).toEqual([DAY + 1, DAY]);
  });

  it('are exact beyond what a double holds', () => {
    const { effects } = last(one([onMetric('commits', 1, 1)]), 2n ** 53n, { cause: reported(UNITS) });
    expect(effects).toEqual([{ ...awarded(onMetric('commits', 1, 1), 1, 0), total: 2n ** 53n + 1n }]);
  });

  it('are none where nothing fires, nor where the award is cut to nothing', () => {
    expect(last(one([hourly, commits], { levels }), 0n, {}).effects).toEqual([]);
    expect(last(one([onMetric('commits', 1, -3)], { levels }), 0n, { cause: reported(UNITS) }).effects).toEqual([]);
  });

  it('of a streak that was revived or ended are none', () => {
    const under = one([onStreak(1, 5)]);
    const of = (effect: Effect) => last(under, 0n, { earlier: [effect] }).effects;
    expect(of({ type: 'StreakStarted', at: START, length: 1, period: DAY })).toEqual([awarded(onStreak(1, 5), 5, 5)]);
    expect(of(extended(2))).toEqual([awarded(onStreak(1, 5), 5, 5)]);
    expect(of({ type: 'StreakRevived', at: START, length: 2 })).toEqual([]);
    expect(of({ type: 'StreakEnded', at: START, length: 2, generation: 1 })).toEqual([]);
  });

  it('of what fell due in an earlier area come between the time awards, so that a cap cuts them in the order of their instants', () => {
    const [gives, takes] = [every(2, 'hour', 5), onAchievement('a', -6)];
    const completion: Effect = { type: 'AchievementCompleted', achievement: 'a', at: START + 3 * HOUR };
    const { effects } = last(one([gives, takes]), 0n, { at: START + 4 * HOUR, earlier: [completion] });
    expect(effects).toEqual([due(gives, 5, 5, 2), due(takes, -5, 0, 3), due(gives, 5, 5, 4)]);
  });

  it('are the same if somebody asks why', () => {
    const under = one([hourly, commits, onMetric('commits', 5, 1), onCreation(3)], { levels, maxPoints: 16 });
    const steps = [0, 1, 2].map((hours) => ({ at: START + hours * HOUR, cause: reported(UNITS), earlier: [created] }));
    const effects = (reasons: boolean) => life(under, 0n, steps, reasons).map((step) => step.effects);
    expect(effects(true)).toEqual(effects(false));
    expect(effects(true).flat()).not.toHaveLength(0);
  });
});
