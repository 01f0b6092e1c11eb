import type { Instant } from '@laurel/calendar';
import { compileHistory } from '@laurel/configuration';
import {
  effectsOfType,
  type Configuration,
  type Effect,
  type ExplanationListener,
  type PointsTrigger,
  type Subject,
  type TriggerFired,
  type TriggerPassedOver,
} from '@laurel/kernel';
import { assertCovering } from '@laurel/testing/laws';
import { AccountStory, publications, republications, type StoryEvent } from '@laurel/testing/stories';
import fc from 'fast-check';

/** What a trigger has counted of its metric, in millionths. */
interface Counted {
  readonly sum: bigint;
  readonly high: bigint;
}

/** How often each trigger fires with the events of a user, counted without the rules of points. */
class CountedUser {
  readonly #counted = new Map<string, Counted>();

  /** @returns by the trigger's id, whether or not the trigger is active; triggers of other kinds are left out */
  happens({ command }: StoryEvent, effects: readonly Effect[], { pointsSystems }: Configuration) {
    const reached = [
      ...effectsOfType(effects, 'StreakStarted').map(() => 1),
      ...effectsOfType(effects, 'StreakExtended').map(({ length }) => length),
    ];
    const completed = effectsOfType(effects, 'AchievementCompleted').map(({ achievement }) => achievement);
    const timesOf = (trigger: PointsTrigger): bigint | null => {
      switch (trigger.type) {
        case 'user_creation':
          return effectsOfType(effects, 'UserCreated').length > 0 ? 1n : 0n;
        case 'metric': {
          if (command.type !== 'RecordMetricEvent' || command.metric !== trigger.metric.key) return 0n;
          const { sum, high } = this.#counted.get(trigger.id) ?? { sum: 0n, high: 0n };
          const grown = sum + command.value;
          const highest = grown > high ? grown : high;
          this.#counted.set(trigger.id, { sum: grown, high: highest });
          return highest / trigger.threshold - high / trigger.threshold;
        }
        case 'streak':
          return reached.some((length) => length % trigger.length === 0) ? 1n : 0n;
        case 'achievement':
          return completed.includes(trigger.achievement.key) ? 1n : 0n;
        default:
          return null;
      }
    };
    const triggers = pointsSystems.flatMap((system) => system.triggers);
    return new Map(
      triggers.flatMap((trigger) => {
        const times = timesOf(trigger);
        return times === null ? [] : [[trigger.id, times] as const];
      }),
    );
  }
}

class Heard implements ExplanationListener {
  fired: TriggerFired[] = [];
  passedOver: TriggerPassedOver[] = [];
  triggerFired(fired: TriggerFired): void {
    this.fired.push(fired);
  }
  triggerMissed(): void {}
  triggerPassedOver(passedOver: TriggerPassedOver): void {
    this.passedOver.push(passedOver);
  }
  achievementMissed(): void {}
  conditionChecked(): void {}
}

const lies = (at: Instant, from: Instant | null, until: Instant | null): 'before' | 'inside' | 'after' =>
  from !== null && at < from ? 'before' : until !== null && at >= until ? 'after' : 'inside';

describe('activeFrom and activeUntil', () => {
  it('keep triggers from firing outside, while their sums go on, over a publication', async () => {
    const seen = new Map<string, number>();
    const note = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1);
    const kinds = ['metric', 'streak', 'achievement', 'time'];
    await assertCovering(
      fc.asyncProperty(republications, publications, async ([before, after], { life, at: published }) => {
        const history = compileHistory('default', [
          { version: 1, document: before, publishedAt: 0 },
          { version: 2, document: after, publishedAt: published },
        ]);
        const heard = new Heard();
        const account = new AccountStory({ history, reasons: heard });
        const users = new Map<Subject, CountedUser>();
        for (const happening of life.happenings) {
          if (happening.at >= published && account.configuration.version === 1) account.publish();
          const { configuration } = account;
          const user = happening.command.subject;
          const counted = users.get(user) ?? new CountedUser();
          users.set(user, counted);
          const known = account.effectsOf(user).length;
          heard.fired = [];
          heard.passedOver = [];
          await account.happens(happening);
          const effects = account.effectsOf(user).slice(known);
          const times = counted.happens(happening, effects, configuration);
          const triggers = configuration.pointsSystems.flatMap((system) => system.triggers);
          const at = 'occurredAt' in happening.command ? (happening.command.occurredAt ?? happening.at) : happening.at;
          for (const { id, type, activeFrom, activeUntil } of triggers) {
            const expected = times.get(id);
            if (expected === undefined) continue;
            const where = lies(at, activeFrom, activeUntil);
            const fired = heard.fired.filter(({ triggerId }) => triggerId === id).map((one) => BigInt(one.times));
            expect({ id, at, fired }).toEqual({ id, at, fired: expected > 0n && where === 'inside' ? [expected] : [] });
            if (expected === 0n) continue;
            note(`${type} ${where}`);
            if (where === 'inside') continue;
            const why = heard.passedOver.filter(({ triggerId }) => triggerId === id).map((one) => one.why);
            expect(why).toEqual(['not_active']);
          }
          for (const award of effectsOfType(effects, 'PointsAwarded').filter(({ due }) => due)) {
            // An award is due under the version in force at its instant.
            const { pointsSystems } = history.at(award.at >= published ? 2 : 1);
            const trigger = pointsSystems.flatMap((system) => system.triggers).find(({ id }) => id === award.triggerId);
            if (trigger === undefined) throw new Error('an award of no trigger');
            expect(lies(award.at, trigger.activeFrom, trigger.activeUntil)).toBe('inside');
            note('time inside');
          }
          for (const { why, triggerId } of heard.passedOver)
            if (why === 'not_active' && triggers.some(({ id, type }) => id === triggerId && type === 'time'))
              note('time before');
        }
      }),
      { numRuns: 120 },
      () =>
        Object.fromEntries(
          [
            ...kinds.map((kind) => `${kind} inside`),
            'metric before',
            'metric after',
            'streak before',
            'time before',
          ].map((what) => [what, (seen.get(what) ?? 0) > 30]),
        ),
    );
  });
});
