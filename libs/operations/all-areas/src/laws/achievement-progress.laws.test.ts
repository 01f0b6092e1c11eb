import { parseAmount, type Amount } from '@laurel/amounts';
import { compileHistory } from '@laurel/configuration';
import {
  achievementProgress,
  type AchievementDefinition,
  type AchievementProgress,
  type Effect,
  type StreaksAnswer,
  type Subject,
  isActiveAt,
} from '@laurel/kernel';
import { assertCovering } from '@laurel/testing/laws';
import { AccountStory, configurations, lives, type StoryEvent } from '@laurel/testing/stories';
import fc from 'fast-check';

const ONE: bigint = 1_000_000n;

/** Counts a user's life again, from what the user did and from the changes of the streak, without the rules of achievements. */
class Recount {
  readonly totals = new Map<string, bigint>();
  readonly completed = new Set<string>();
  /** Achievements that somebody gave or took by hand. */
  readonly touched = new Set<string>();
  streakLength = 0;
  /** Whether a streak came back with a length that no extension gave it. */
  revived = false;
  #at = 0;

  constructor(readonly achievements: readonly AchievementDefinition[]) {}

  happens({ at, command }: StoryEvent, effects: readonly Effect[]): void {
    this.#at = 'occurredAt' in command ? (command.occurredAt ?? at) : at;
    const reached = effects.flatMap((effect) => this.#follow(effect));
    switch (command.type) {
      case 'RecordMetricEvent':
        this.totals.set(command.metric, (this.totals.get(command.metric) ?? 0n) + command.value);
        this.#completeIf(
          ({ trigger }) =>
            trigger.type === 'metric' &&
            trigger.metric.key === command.metric &&
            this.#total(command.metric) >= trigger.value,
        );
        this.#completeIf(
          ({ trigger }) => trigger.type === 'streak' && reached.some((length) => length >= trigger.length),
        );
        return this.#completeComposites();
      case 'CompleteAchievement':
        this.#completeIf(({ key, trigger }) => trigger.type === 'api' && key === command.achievement);
        return this.#completeComposites();
      case 'GiveGrant':
        if (command.grant.kind !== 'achievement' && command.grant.kind !== 'revocation') return undefined;
        this.touched.add(command.grant.achievement);
        if (command.grant.kind === 'revocation') this.completed.delete(command.grant.achievement);
        else {
          this.completed.add(command.grant.achievement);
          this.#completeComposites();
        }
        return undefined;
      default:
        return undefined;
    }
  }

  /** How much the user has, whether or not the achievement is complete; null if it counts nothing. */
  counted({ trigger }: AchievementDefinition): AchievementProgress | null {
    switch (trigger.type) {
      case 'metric':
        return { have: this.#total(trigger.metric.key), need: trigger.value };
      case 'streak':
        return { have: BigInt(this.streakLength) * ONE, need: BigInt(trigger.length) * ONE };
      case 'achievement': {
        const parts = trigger.achievements.map(({ key }) => (this.completed.has(key) ? ONE : 0n));
        return { have: parts.reduce((sum, part) => sum + part, 0n), need: BigInt(parts.length) * ONE };
      }
      default:
        return null;
    }
  }

  #total(metric: string): bigint {
    return this.totals.get(metric) ?? 0n;
  }

  /** @returns the length that an extension reached */
  #follow(effect: Effect): readonly number[] {
    switch (effect.type) {
      case 'StreakStarted':
      case 'StreakExtended':
        this.streakLength = effect.length;
        return [effect.length];
      case 'StreakRevived':
      case 'StreakRejoined':
        this.streakLength = effect.length;
        this.revived = true;
        return [];
      case 'StreakEnded':
        this.streakLength = 0;
        return [];
      default:
        return [];
    }
  }

  #completeIf(isMet: (achievement: AchievementDefinition) => boolean): void {
    for (const achievement of this.achievements)
      if (isMet(achievement) && isActiveAt(achievement, this.#at)) this.completed.add(achievement.key);
  }

  #completeComposites(): void {
    const before = this.completed.size;
    this.#completeIf(
      ({ trigger }) =>
        trigger.type === 'achievement' && trigger.achievements.every(({ key }) => this.completed.has(key)),
    );
    if (this.completed.size > before) this.#completeComposites();
  }
}

/** What the read models hold of the user. */
async function standingOf(account: AccountStory, user: Subject, at: number) {
  const { totals } = account.stored(user, 'users') as { readonly totals: readonly (readonly [string, string])[] };
  const { streak } = (await account.read(user, at)).get('streaks') as StreaksAnswer;
  return {
    totals: new Map(totals.map(([metric, total]) => [metric, parseAmount(total)])),
    streakLength: streak.length,
    sums: new Map<string, Amount>(),
    completed: new Set(account.stored(user, 'achievements') as readonly string[]),
  };
}

describe('the progress of achievements, at every moment of any life', () => {
  it('is what a recount of the life gives, and reaches what it needs exactly when the achievement completes', async () => {
    const seen = { completed: 0, 'open with some': 0, 'open with none': 0, 'not of its own': 0, 'ended streak': 0 };
    await assertCovering(
      fc.asyncProperty(configurations, lives, async (document, { happenings }) => {
        const history = compileHistory('default', [{ version: 1, document, publishedAt: 0 }]);
        const account = new AccountStory({ history });
        const recounts = new Map<Subject, Recount>();
        for (const happening of happenings) {
          const { command, at } = happening;
          const user = command.subject;
          const recount = recounts.get(user) ?? new Recount(history.current.achievements);
          recounts.set(user, recount);
          const before = account.effectsOf(user).length;
          await account.happens(happening);
          recount.happens(happening, account.effectsOf(user).slice(before));
          const standing = await standingOf(account, user, at);
          expect([...standing.completed].sort()).toEqual([...recount.completed].sort());
          for (const achievement of history.current.achievements) {
            const { key, trigger } = achievement;
            const progress = achievementProgress(achievement, standing);
            const counted = recount.counted(achievement);
            const isCompleted = recount.completed.has(key);
            expect({ key, progress }).toEqual({
              key,
              progress: isCompleted && counted !== null ? { have: counted.need, need: counted.need } : counted,
            });
            if (progress === null) continue;
            // Somebody took it back, or the streak that is long enough has not been extended since it came back.
            const isBounded = achievement.activeFrom !== null || achievement.activeUntil !== null;
            const isPrevented = recount.touched.has(key) || (trigger.type === 'streak' && recount.revived) || isBounded;
            if (isPrevented) seen['not of its own']++;
            else expect({ key, isReached: progress.have >= progress.need }).toEqual({ key, isReached: isCompleted });
            if (isCompleted) seen.completed++;
            else seen[progress.have > 0n ? 'open with some' : 'open with none']++;
            if (trigger.type === 'streak' && isCompleted && recount.streakLength < trigger.length)
              seen['ended streak']++;
          }
        }
      }),
      { numRuns: 100 },
      () => Object.fromEntries(Object.entries(seen).map(([what, times]) => [what, times > 50])),
    );
  });
});
