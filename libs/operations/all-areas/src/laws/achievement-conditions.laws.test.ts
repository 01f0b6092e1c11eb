import { compileHistory } from '@laurel/configuration';
import {
  effectsOfType,
  isActiveAt,
  type AchievementDefinition,
  type Configuration,
  type Effect,
  type Subject,
  type WrittenAttributes,
  type WrittenConditions,
} from '@laurel/kernel';
import type { ConfigurationDocument } from '@laurel/schemas';
import { assertCovering } from '@laurel/testing/laws';
import {
  AccountStory,
  publications,
  published,
  republications,
  saidAttributes,
  someConditions,
  withAttributes,
  withConditions,
  type StoryEvent,
} from '@laurel/testing/stories';
import fc from 'fast-check';

/** Compares the attributes themselves, in the clear. */
const has = (attributes: ReadonlyMap<string, string>, required: WrittenAttributes = {}): boolean =>
  Object.entries(required).every(([key, values]) => {
    const value = attributes.get(key);
    return value !== undefined && [values].flat().includes(value);
  });

/** An achievement, with its conditions as the document has them. */
interface Conditioned {
  readonly definition: AchievementDefinition;
  readonly where: WrittenConditions | null;
}

/** What a user's events complete, counted without the rules of achievements and without hashes. */
class CountedUser {
  readonly completed = new Set<string>();
  readonly #known = new Map<string, string>();
  readonly #totals = new Map<string, bigint>();
  readonly #sums = new Map<string, bigint>();
  #length = 0;
  /** Of the record that is counted. */
  #at = 0;
  #reached: readonly number[] = [];
  #completedNow = new Set<string>();

  happens({ at, command }: StoryEvent, effects: readonly Effect[], achievements: readonly Conditioned[]): void {
    this.#at = 'occurredAt' in command ? (command.occurredAt ?? at) : at;
    this.#completedNow = new Set();
    this.#reached = effects.flatMap((effect) => this.#follow(effect));
    if ('user' in command) this.#know(command.user.attributes ?? new Map());
    if (command.type === 'RecordMetricEvent') this.#count(command, achievements);
    const granted = command.type === 'GiveGrant' ? command.grant : null;
    const revoked = granted?.kind === 'revocation' ? granted.achievement : null;
    if (revoked !== null) this.completed.delete(revoked);
    if (granted?.kind === 'achievement') this.#complete(granted.achievement);
    const isGranted = (key: string) => granted?.kind === 'achievement' && granted.achievement === key;
    const concernsAll =
      ['RecordMetricEvent', 'CompleteAchievement'].includes(command.type) ||
      achievements.some(({ definition }) => isGranted(definition.key));
    for (const one of achievements) {
      const { key, trigger } = one.definition;
      if (trigger.type === 'achievement' || key === revoked || !this.#isTouched(one, command)) continue;
      if (this.#isReached(one) && this.#mayComplete(one)) this.#complete(key);
    }
    for (let size = -1; size < this.completed.size;) {
      size = this.completed.size;
      const parts = new Set(this.completed);
      const now = new Set(this.#completedNow);
      for (const one of achievements) {
        const { key, trigger } = one.definition;
        if (trigger.type !== 'achievement' || key === revoked) continue;
        const needs = trigger.achievements.map((need) => need.key);
        const isLookedAt = concernsAll || one.where?.user !== undefined || needs.some((need) => now.has(need));
        if (isLookedAt && needs.every((need) => parts.has(need)) && this.#mayComplete(one)) this.#complete(key);
      }
    }
  }

  /** Whether the record can complete it; with a condition on users, any can. */
  #isTouched({ definition: { key, trigger }, where }: Conditioned, command: StoryEvent['command']): boolean {
    if (where?.user !== undefined) return true;
    if (trigger.type === 'api') return command.type === 'CompleteAchievement' && command.achievement === key;
    if (command.type !== 'RecordMetricEvent') return false;
    return trigger.type === 'streak' || (trigger.type === 'metric' && trigger.metric.key === command.metric);
  }

  #isReached({ definition: { key, trigger }, where }: Conditioned): boolean {
    switch (trigger.type) {
      case 'metric': {
        const { key: metric } = trigger.metric;
        const sum = where?.event === undefined ? this.#totals.get(metric) : this.#sums.get(`${key}:${metric}`);
        return (sum ?? 0n) >= trigger.value;
      }
      case 'streak': {
        const lengths = where?.user === undefined ? this.#reached : [this.#length];
        return lengths.some((length) => length >= trigger.length);
      }
      default:
        return true;
    }
  }

  #mayComplete({ definition, where }: Conditioned): boolean {
    return isActiveAt(definition, this.#at) && has(this.#known, where?.user);
  }

  #complete(key: string): void {
    if (this.completed.has(key)) return;
    this.completed.add(key);
    this.#completedNow.add(key);
  }

  #count(
    { metric, value, attributes }: Extract<StoryEvent['command'], { type: 'RecordMetricEvent' }>,
    achievements: readonly Conditioned[],
  ): void {
    this.#totals.set(metric, (this.#totals.get(metric) ?? 0n) + value);
    for (const { definition, where } of achievements) {
      const { key, trigger } = definition;
      if (trigger.type !== 'metric' || trigger.metric.key !== metric || where?.event === undefined) continue;
      const name = `${key}:${metric}`;
      if (has(attributes, where.event)) this.#sums.set(name, (this.#sums.get(name) ?? 0n) + value);
    }
  }

  #know(said: ReadonlyMap<string, string | null>): void {
    for (const [key, value] of said) {
      if (value === null) this.#known.delete(key);
      else this.#known.set(key, value);
    }
  }

  /** @returns the length that an extension reached */
  #follow(effect: Effect): readonly number[] {
    switch (effect.type) {
      case 'StreakStarted':
      case 'StreakExtended':
        this.#length = effect.length;
        return [effect.length];
      case 'StreakRevived':
      case 'StreakRejoined':
        this.#length = effect.length;
        return [];
      case 'StreakEnded':
        this.#length = 0;
        return [];
      default:
        return [];
    }
  }
}

const conditioned = ({ achievements }: Configuration, document: ConfigurationDocument): readonly Conditioned[] =>
  achievements.map((definition, place) => ({ definition, where: document.achievements[place]?.where ?? null }));

describe('conditions of achievements on attributes', () => {
  it('complete what an independent count says, at its record, over a publication', async () => {
    const seen = new Map<string, number>();
    const note = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1);
    const both = fc.tuple(someConditions, someConditions);
    await assertCovering(
      fc.asyncProperty(republications, both, publications, saidAttributes, async (terms, wheres, told, said) => {
        const [before, after] = [withConditions(terms[0], wheres[0]), withConditions(terms[1], wheres[1])];
        const history = compileHistory('default', [await published(before, 1, 0), await published(after, 2, told.at)]);
        const account = new AccountStory({ history });
        const users = new Map<Subject, CountedUser>();
        for (const happening of withAttributes(told.life, said).happenings) {
          if (happening.at >= told.at && account.configuration.version === 1) account.publish();
          const user = happening.command.subject;
          const counted = users.get(user) ?? new CountedUser();
          users.set(user, counted);
          const past = new Set(counted.completed);
          const known = account.effectsOf(user).length;
          await account.happens(happening);
          const effects = account.effectsOf(user).slice(known);
          const { configuration } = account;
          const achievements = conditioned(configuration, configuration.version === 1 ? before : after);
          counted.happens(happening, effects, achievements);
          const completed = effectsOfType(effects, 'AchievementCompleted');
          const expected = [...counted.completed].filter((key) => !past.has(key)).sort();
          expect(completed.map(({ achievement }) => achievement).sort()).toEqual(expected);
          for (const { achievement } of completed) {
            const { definition, where } = achievements.find((one) => one.definition.key === achievement) ?? {};
            for (const whose of ['event', 'user'] as const)
              if (where?.[whose] !== undefined) note(`${definition?.trigger.type} by ${whose}`);
          }
          if (happening.command.type === 'IdentifyUser' && completed.length > 0) note('by an identification');
        }
      }),
      { numRuns: 300 },
      () =>
        Object.fromEntries(
          ['metric by event', 'metric by user', 'streak by user', 'achievement by user', 'by an identification'].map(
            (what) => [what, (seen.get(what) ?? 0) > 20],
          ),
        ),
    );
  });
});
