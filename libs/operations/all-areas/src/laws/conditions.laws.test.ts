import { compileHistory } from '@laurel/configuration';
import {
  effectsOfType,
  type Boost,
  type Configuration,
  type Effect,
  type ExplanationListener,
  type PointsSystemDefinition,
  type PointsTrigger,
  type Subject,
  type TriggerFired,
  type TriggerPassedOver,
  type WrittenAttributes,
  type WrittenConditions,
} from '@laurel/kernel';
import type { ConfigurationDocument, PointsSystemDocument, PointsTriggerDocument } from '@laurel/schemas';
import { assertCovering } from '@laurel/testing/laws';
import {
  AccountStory,
  canHaveConditions,
  configurations,
  endingIn,
  lives,
  neverSwept,
  publications,
  published,
  readInBetween,
  republications,
  saidAttributes,
  settledInChunks,
  someConditions,
  sweptAsSoonAsDue,
  sweptNowAndThen,
  withAttributes,
  withConditions,
  type StoryEvent,
} from '@laurel/testing/stories';
import fc from 'fast-check';

type Attributes = ReadonlyMap<string, string>;

/** Compares the attributes themselves, in the clear. */
const has = (attributes: Attributes, required: WrittenAttributes = {}): boolean =>
  Object.entries(required).every(([key, values]) => {
    const value = attributes.get(key);
    return value !== undefined && [values].flat().includes(value);
  });

const NOTHING: Attributes = new Map();

/** How often each trigger is met by the events of a user, counted without the rules of points and without hashes. */
class CountedUser {
  #known: Attributes = NOTHING;
  readonly #counted = new Map<string, { readonly sum: bigint; readonly high: bigint }>();

  happens({ at, command }: StoryEvent, effects: readonly Effect[], triggers: readonly Conditioned[]) {
    const before = this.#known;
    if ('user' in command && command.user.attributes !== undefined) this.#know(command.user.attributes);
    const ofEvent = command.type === 'RecordMetricEvent' ? command.attributes : NOTHING;
    return triggers.map(({ trigger, where }): Met => {
      const { id } = trigger;
      const judged = (times: bigint, known: Attributes): Met =>
        has(known, where?.user) ? { id, times, why: null } : { id, times: 0n, why: times > 0n ? 'user_differs' : null };
      switch (trigger.type) {
        case 'user_creation':
          return judged(effectsOfType(effects, 'UserCreated').length > 0 ? 1n : 0n, this.#known);
        case 'metric': {
          if (command.type !== 'RecordMetricEvent' || command.metric !== trigger.metric.key)
            return { id, times: 0n, why: null };
          if (!has(ofEvent, where?.event)) return { id, times: 0n, why: 'event_differs' };
          const { sum, high } = this.#counted.get(id) ?? { sum: 0n, high: 0n };
          const grown = sum + command.value;
          const highest = grown > high ? grown : high;
          this.#counted.set(id, { sum: grown, high: highest });
          return judged(highest / trigger.threshold - high / trigger.threshold, this.#known);
        }
        case 'streak': {
          const lengths = [
            ...effectsOfType(effects, 'StreakStarted').map(() => 1),
            ...effectsOfType(effects, 'StreakExtended').map(({ length }) => length),
          ];
          return judged(lengths.some((length) => length % trigger.length === 0) ? 1n : 0n, this.#known);
        }
        case 'achievement': {
          const completed = effectsOfType(effects, 'AchievementCompleted').find(
            ({ achievement }) => achievement === trigger.achievement.key,
          );
          return judged(
            completed === undefined ? 0n : 1n,
            completed !== undefined && completed.at < at ? before : this.#known,
          );
        }
        default:
          throw new Error(`a trigger of type ${trigger.type} has no conditions`);
      }
    });
  }

  /** The boosts of the system that multiply what the last event gives, by id. */
  boostsAt(at: number, { boosts }: PointsSystemDefinition, written: PointsSystemDocument): readonly string[] {
    const isWithin = ({ start, end }: Boost) => start <= at && at < (end ?? Infinity);
    return boosts
      .filter((boost, place) => isWithin(boost) && has(this.#known, written.boosts[place]?.where?.user))
      .map(({ id }) => id);
  }

  #know(said: ReadonlyMap<string, string | null>): void {
    const known = new Map(this.#known);
    for (const [key, value] of said) {
      if (value === null) known.delete(key);
      else known.set(key, value);
    }
    this.#known = known;
  }
}

interface Met {
  readonly id: string;
  readonly times: bigint;
  /** Why it did not fire although its metric, length or achievement was met. */
  readonly why: 'event_differs' | 'user_differs' | null;
}

interface Conditioned {
  readonly trigger: PointsTrigger;
  readonly where: WrittenConditions | null;
}

/** The triggers that can have conditions, beside the conditions as the document has them. */
const conditioned = ({ pointsSystems }: Configuration, { points }: ConfigurationDocument): readonly Conditioned[] =>
  pointsSystems.flatMap(({ triggers }, system) =>
    triggers.flatMap((trigger, place): Conditioned[] => {
      const written = points[system]?.triggers[place] as { readonly where?: WrittenConditions | null };
      return canHaveConditions(trigger.type) ? [{ trigger, where: written.where ?? null }] : [];
    }),
  );

const instantOf = ({ at, command }: StoryEvent): number => ('occurredAt' in command ? (command.occurredAt ?? at) : at);

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

/** Windows have a law of their own. */
const always = (document: ConfigurationDocument): ConfigurationDocument => ({
  ...document,
  points: document.points.map((system) => ({
    ...system,
    triggers: system.triggers
      .map((trigger) => ({ ...trigger, activeFrom: null, activeUntil: null }))
      .filter((trigger, place, all) => all.findIndex((other) => contentOf(other) === contentOf(trigger)) === place),
  })),
});

const contentOf = (trigger: PointsTriggerDocument): string => JSON.stringify({ ...trigger, cap: null });

describe('conditions on attributes', () => {
  it('fire and pass over triggers as an independent count does, over a publication', async () => {
    const seen = new Map<string, number>();
    const note = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1);
    const both = fc.tuple(someConditions, someConditions);
    await assertCovering(
      fc.asyncProperty(republications, both, publications, saidAttributes, async (terms, wheres, told, said) => {
        const [before, after] = [
          withConditions(always(terms[0]), wheres[0]),
          withConditions(always(terms[1]), wheres[1]),
        ];
        const history = compileHistory('default', [await published(before, 1, 0), await published(after, 2, told.at)]);
        const heard = new Heard();
        const account = new AccountStory({ history, reasons: heard });
        const users = new Map<Subject, CountedUser>();
        for (const happening of withAttributes(told.life, said).happenings) {
          if (happening.at >= told.at && account.configuration.version === 1) account.publish();
          const { configuration } = account;
          const user = happening.command.subject;
          const counted = users.get(user) ?? new CountedUser();
          users.set(user, counted);
          const known = account.effectsOf(user).length;
          heard.fired = [];
          heard.passedOver = [];
          await account.happens(happening);
          const effects = account.effectsOf(user).slice(known);
          const document = configuration.version === 1 ? before : after;
          const triggers = conditioned(configuration, document);
          const all = counted.happens(happening, effects, triggers);
          for (const fired of heard.fired.filter(({ type, nominal }) => type === 'metric' && nominal > 0)) {
            const place = configuration.pointsSystems.findIndex(({ key }) => key === fired.system);
            const [system, written] = [configuration.pointsSystems[place], document.points[place]];
            if (system === undefined || written === undefined) throw new Error(`no system ${fired.system}`);
            const known = new Set(system.boosts.map(({ id }) => id));
            const boosts = fired.boosted?.boosts.map(({ id }) => id).filter((id) => known.has(id)) ?? [];
            expect(boosts).toEqual(counted.boostsAt(instantOf(happening), system, written));
            if (boosts.length > 0) note('boosted');
            if (boosts.length < system.boosts.length) note('not boosted');
          }
          for (const { id, times, why } of all) {
            const fired = heard.fired.filter(({ triggerId }) => triggerId === id).map((one) => BigInt(one.times));
            expect({ id, fired }).toEqual({ id, fired: times > 0n ? [times] : [] });
            const { trigger, where } = triggers.find((one) => one.trigger.id === id) as Conditioned;
            if (times > 0n && where !== null) note(`${trigger.type} met`);
            if (why === null) continue;
            expect(heard.passedOver.filter(({ triggerId }) => triggerId === id).map((one) => one.why)).toEqual([why]);
            note(`${trigger.type} ${why}`);
          }
        }
      }),
      { numRuns: 120 },
      () =>
        Object.fromEntries(
          [
            ...['boosted', 'not boosted'],
            ...['metric met', 'streak met', 'achievement met', 'user_creation met'],
            ...['metric event_differs', 'metric user_differs', 'streak user_differs', 'achievement user_differs'],
          ].map((what) => [what, (seen.get(what) ?? 0) > 30]),
        ),
    );
  });

  it('give the same whoever looks when', async () => {
    const ways = { sweptNowAndThen, sweptAsSoonAsDue, settledInChunks, readInBetween };
    await fc.assert(
      fc.asyncProperty(configurations, someConditions, lives, saidAttributes, async (terms, wheres, told, said) => {
        const history = compileHistory('default', [await published(withConditions(terms, wheres), 1, 0)]);
        const life = withAttributes(told, said);
        const ending = await endingIn(neverSwept, new AccountStory({ history }), life);
        for (const [way, look] of Object.entries(ways)) {
          const other = await endingIn(look, new AccountStory({ history }), life);
          expect({ way, ...other }).toEqual({ way, ...ending });
        }
      }),
      { numRuns: 60 },
    );
  });
});
