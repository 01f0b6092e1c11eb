import { compileHistory } from '@laurel/configuration';
import type { Effect, ExplanationListener, TriggerFired } from '@laurel/kernel';
import type { AnyUserArea } from '@laurel/engine';
import { assertCovering } from '@laurel/testing/laws';
import {
  AccountStory,
  AWARDING_ENDS_TOO_LATE,
  AWARDING_ENDS_WHEN_FOUND,
  configurations,
  endingIn,
  lives,
  neverSwept,
  readInBetween,
  settledInChunks,
  sweptAsSoonAsDue,
  sweptNowAndThen,
} from '@laurel/testing/stories';
import fc from 'fast-check';

const OTHER_WAYS = { sweptNowAndThen, sweptAsSoonAsDue, settledInChunks, readInBetween };

/** Counts what happens in lives that nobody sweeps. */
class Counted implements ExplanationListener {
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
  ...[
    'due, cut by cap',
    'due, cut by zero',
    'cut by cap',
    'cut by zero',
    'cut by trigger_cap',
    'cut by system_cap',
    'due LevelChanged',
    'AchievementCompleted',
  ],
  ...['StreakEnded', 'StreakExtended', 'FreezeEarned', 'FreezeUsed', 'ZoneChanged'],
  ...['a trigger on metric', 'a trigger on user_creation', 'a trigger on streak', 'a trigger on achievement'],
];
const SOMETIMES = ['a trigger on grant', 'StreakRevived', 'PeriodExcused', 'FreezesGranted'];
const RARELY = ['PeriodSkipped', 'AchievementRevoked', 'StreakAtRisk', 'RecapDue', 'ReactivationDue'];

/** Each life comes to the same, whoever looks when. */
const lawOf = (areas?: readonly AnyUserArea[], counted = new Counted()) =>
  fc.asyncProperty(configurations, lives, async (document, life) => {
    const history = compileHistory('default', [{ version: 1, document, publishedAt: 0 }]);
    const unswept = new AccountStory({ history, areas, reasons: counted });
    const ending = await endingIn(neverSwept, unswept, life);
    for (const user of unswept.users) counted.addAll(unswept.effectsOf(user));
    counted.add('rankings', ending.rankings.size);
    for (const [way, told] of Object.entries(OTHER_WAYS)) {
      const other = await endingIn(told, new AccountStory({ history, areas }), life);
      expect({ way, ...other }).toEqual({ way, ...ending });
    }
  });

describe('sweeps and reads', () => {
  it('change no awards, totals, levels, completions, streaks, freezes or rankings, for any sequence of events', async () => {
    const counted = new Counted();
    await assertCovering(lawOf(undefined, counted), { numRuns: 120 }, () => ({
      ...counted.atLeast(1_000, 'due PointsAwarded', 'due RankChanged', 'rankings'),
      ...counted.atLeast(100, ...OFTEN),
      ...counted.atLeast(10, ...SOMETIMES),
      ...counted.atLeast(3, ...RARELY),
    }));
  });

  it.each([
    ['were dated by the sweep that finds the end', AWARDING_ENDS_WHEN_FOUND],
    ['came after awards that fell due later', AWARDING_ENDS_TOO_LATE],
  ])('would change awards if the award for the end of a streak %s', async (_, areas) => {
    const { failed, errorInstance } = await fc.check(lawOf(areas), { numRuns: 100, endOnFailure: true });
    expect(failed).toBe(true);
    expect(String(errorInstance)).not.toContain('AreaError');
  });
});
