import { compileHistory } from '@laurel/configuration';
import type { Effect, Reasons, TriggerFired } from '@laurel/contracts';
import { assertCovering } from '@laurel/testing/laws';
import {
  AccountStory,
  configurations,
  endingIn,
  lives,
  neverSwept,
  readInBetween,
  settledInPieces,
  sweptAsSoonAsDue,
  sweptNowAndThen,
} from '@laurel/testing/stories';
import fc from 'fast-check';

const OTHER_WAYS = { sweptNowAndThen, sweptAsSoonAsDue, settledInPieces, readInBetween };

/** Counts what happens in lives that nobody sweeps. */
class Counted implements Reasons {
  readonly #times = new Map<string, number>();

  add(what: string, times = 1): void {
    this.#times.set(what, (this.#times.get(what) ?? 0) + times);
  }

  /** Whether each of these came at least so often, by name. */
  atLeast(times: number, ...names: readonly string[]): Record<string, boolean> {
    return Object.fromEntries(names.map((name) => [name, (this.#times.get(name) ?? 0) >= times]));
  }

  addAll(effects: readonly Effect[]): void {
    for (const effect of effects) this.add('due' in effect && effect.due ? `due ${effect.type}` : effect.type);
  }

  triggerFired({ type, cutBy }: TriggerFired): void {
    this.add(`a trigger on ${type}`);
    if (cutBy !== null) this.add(type === 'time' ? `due, cut by ${cutBy}` : `cut by ${cutBy}`);
  }
  triggerMissed(): void {}
  triggerPassedOver(): void {}
  achievementMissed(): void {}
  conditionChecked(): void {}
}

const OFTEN = [
  ...['due, cut by cap', 'due, cut by zero', 'cut by cap', 'cut by zero', 'due LevelChanged', 'AchievementCompleted'],
  ...['StreakEnded', 'StreakExtended', 'FreezeEarned', 'FreezeUsed', 'ZoneChanged'],
  ...['a trigger on metric', 'a trigger on user_creation', 'a trigger on streak', 'a trigger on achievement'],
];
const SOMETIMES = ['a trigger on grant', 'StreakRevived', 'PeriodExcused', 'FreezesGranted'];
const RARELY = ['PeriodSkipped', 'AchievementRevoked', 'StreakAtRisk', 'RecapDue', 'ReactivationDue'];

/** Each life comes to the same, whoever looks when. */
const lawOf = (counted: Counted) =>
  fc.asyncProperty(configurations, lives, async (document, life) => {
    const history = compileHistory('default', [{ version: 1, document, publishedAt: 0 }]);
    const unswept = new AccountStory({ history, reasons: counted });
    const ending = await endingIn(neverSwept, unswept, life);
    for (const user of unswept.users) counted.addAll(unswept.effectsOf(user));
    counted.add('rankings', ending.rankings.size);
    for (const [way, told] of Object.entries(OTHER_WAYS)) {
      const other = await endingIn(told, new AccountStory({ history }), life);
      expect({ way, ...other }).toEqual({ way, ...ending });
    }
  });

describe('whether and when anybody looks', () => {
  it('changes no award, total, level, completion, period, freeze or end of a streak, and no value or ranking of a board', async () => {
    const counted = new Counted();
    await assertCovering(lawOf(counted), { numRuns: 120 }, () => ({
      ...counted.atLeast(1_000, 'due PointsAwarded', 'due RankChanged', 'rankings'),
      ...counted.atLeast(100, ...OFTEN),
      ...counted.atLeast(10, ...SOMETIMES),
      ...counted.atLeast(3, ...RARELY),
    }));
  });
});
