import { UNITS, type Amount } from '@laurel/amounts';
import { requiresEvent, requiresUser, type WrittenConditions } from '../conditions.ts';
import type { AchievementDefinition } from '../configuration.ts';
import {
  fieldsHolding,
  type AnsweredFields,
  type AnswerField,
  type AnswersOver,
  type CompiledFields,
  type Field,
  type Fields,
  type WrittenFields,
} from './field.ts';

/** The next event that can complete an achievement, for explanations of why it is not completed. */
export const NEXT_COMPLETIONS = {
  metric_event: { means: 'an event of `metric`', line: (metric: string) => `the next event of ${metric}` },
  streak_extension: { means: 'an extension of the streak', line: () => 'the next extension of the streak' },
  call: { means: 'the call', line: () => 'the call of its route' },
  any_event: { means: 'a metric event or call', line: () => 'the next metric event' },
  any_record: {
    means: 'any event of a user with the required attributes',
    line: () => 'the next event, if the user has the required attributes then',
  },
};
export type NextCompletion = keyof typeof NEXT_COMPLETIONS;

/** What a user has of everything that achievements count. */
export interface AchievementStanding {
  /** By metric key; a metric without an event is absent. */
  readonly totals: ReadonlyMap<string, Amount>;
  /** The length of the streak as it reads now; 0 without one. */
  readonly streakLength: number;
  /** Sums of matching events, by the key of an achievement with a condition on events; one without such an event is absent. */
  readonly sums: ReadonlyMap<string, Amount>;
  /** The keys of the completed achievements. */
  readonly completed: { has(key: string): boolean };
}

/** How much of what an achievement counts the user has, and how much completes it. */
export interface AchievementProgress {
  readonly have: Amount;
  readonly need: Amount;
}

const whole = (count: number): Amount => BigInt(count) * UNITS;

/**
 * Declares a kind of achievement trigger. The document's schema, plans, answers and explanations are made of it; its behaviour is in the
 * rules of the achievements area.
 */
interface AchievementTriggerKind<All extends Fields, Answers extends AnswersOver<All>> {
  /** When it completes, for authors of configurations. */
  readonly completes: string;
  /** In the order of the document. */
  readonly fields: All;
  /** What completes it, in one or two words. */
  readonly by: string;
  /** Whose attributes its `where` can require. */
  readonly where: readonly (keyof WrittenConditions)[];
  /** The plan's sentence about an achievement with this trigger, as of publication (specification, section 5). */
  readonly whenPublished: (written: WrittenFields<All>) => string;
  /** The fields of answers. */
  readonly answer: Answers;
  readonly completesWith: NextCompletion;
  /**
   * The progress of a user who has not completed it; null for a kind that counts nothing.
   * @param sum the sum of matching events; null without a condition on events
   */
  readonly progress:
    ((compiled: CompiledFields<All>, standing: AchievementStanding, sum: Amount | null) => AchievementProgress) | null;
}

const kind = <const All extends Fields, const Answers extends AnswersOver<All>>(
  declared: AchievementTriggerKind<All, Answers>,
) => declared;

/** The kinds of achievement triggers (specification, section 5). */
export const ACHIEVEMENT_TRIGGERS = {
  metric: kind({
    completes: "Completes when the user's total of a metric reaches a value.",
    fields: {
      metric: { holds: 'metric', prose: 'Key of a metric.' },
      value: { holds: 'amount', prose: 'Total of the metric that completes the achievement; at most 6 decimals.' },
    },
    by: 'a total',
    where: ['event', 'user'],
    whenPublished: ({ metric, value }) =>
      `A user completes it with their next ${metric} event that leaves their total at ${value} or more; earlier events count towards the total.`,
    answer: {
      metricId: {
        holds: 'id',
        nullable: true,
        description: 'The metric; null unless the trigger is `metric`.',
        of: ({ metric }) => metric.id,
      },
      metricName: {
        holds: 'name',
        nullable: true,
        description: 'Name of the metric; null unless the trigger is `metric`.',
        examples: ['Lessons'],
        of: ({ metric }) => metric.name,
      },
      metricValue: {
        holds: 'amount',
        nullable: true,
        description: 'The total that completes it; null unless the trigger is `metric`.',
        examples: [10],
        of: ({ value }) => value,
      },
    },
    completesWith: 'metric_event',
    progress: ({ metric, value }, { totals }, sum) => ({ have: sum ?? totals.get(metric.key) ?? 0n, need: value }),
  }),
  streak: kind({
    completes: 'Completes when the user extends the streak to a length.',
    fields: {
      length: { holds: 'length', prose: 'Length of the streak, in periods, that completes the achievement.' },
    },
    by: 'an extension of the streak',
    where: ['user'],
    whenPublished: ({ length }) =>
      `A user completes it when they next extend their streak to a length of ${length} or more.`,
    answer: {
      streakLength: {
        holds: 'whole',
        description: 'Only with trigger `streak`: the length that completes it.',
        of: ({ length }) => length,
      },
    },
    completesWith: 'streak_extension',
    progress: ({ length }, { streakLength }) => ({ have: whole(streakLength), need: whole(length) }),
  }),
  api: kind({
    completes: 'Completes when a call reports it: POST /v1/achievements/KEY/complete.',
    fields: {},
    by: 'a call',
    where: [],
    whenPublished: () => 'An API call completes it.',
    answer: {},
    completesWith: 'call',
    progress: null,
  }),
  achievement: kind({
    completes: 'Completes when the user has completed all of these achievements.',
    fields: {
      achievements: {
        holds: 'achievements',
        prose: 'Keys of achievements. Each may appear only once, and cycles are not allowed.',
      },
    },
    by: 'other achievements',
    where: ['user'],
    whenPublished: () =>
      'A user completes it as soon as they have completed every achievement that it names. Users who have already completed them all get it with their next event.',
    answer: {
      achievementIds: {
        holds: 'ids',
        description: 'Only with trigger `achievement`: the achievements that together complete it.',
        of: ({ achievements }) => achievements.map(({ id }) => id),
      },
    },
    completesWith: 'any_event',
    progress: ({ achievements }, { completed }) => ({
      have: whole(achievements.filter(({ key }) => completed.has(key)).length),
      need: whole(achievements.length),
    }),
  }),
};

type Kinds = typeof ACHIEVEMENT_TRIGGERS;
export type AchievementTriggerType = keyof Kinds;

/** The fields of a kind, as a document writes them and as a compiled version has them. */
export type WrittenAchievementTrigger<Type extends AchievementTriggerType> = WrittenFields<Kinds[Type]['fields']>;
export type CompiledAchievementTrigger<Type extends AchievementTriggerType> = CompiledFields<Kinds[Type]['fields']>;

export type AnsweredAchievementTrigger = AnsweredFields<Kinds[AchievementTriggerType]['answer']>;

/** A kind for callers that treat all kinds alike: its functions take the fields of that kind. */
export interface AnyAchievementTriggerKind {
  readonly completes: string;
  readonly fields: Fields;
  readonly by: string;
  readonly where: readonly (keyof WrittenConditions)[];
  readonly whenPublished: (written: object) => string;
  readonly answer: Readonly<Record<string, AnswerField<object>>>;
  readonly completesWith: NextCompletion;
  readonly progress:
    ((compiled: object, standing: AchievementStanding, sum: Amount | null) => AchievementProgress) | null;
}

export const achievementTriggerKind = (type: AchievementTriggerType): AnyAchievementTriggerKind =>
  ACHIEVEMENT_TRIGGERS[type] as unknown as AnyAchievementTriggerKind;

/**
 * A user's progress; null if the achievement counts nothing. Whoever has completed it has what it needs, whatever has become of the
 * count since.
 */
export function achievementProgress(
  { key, trigger, where }: Pick<AchievementDefinition, 'key' | 'trigger' | 'where'>,
  standing: AchievementStanding,
): AchievementProgress | null {
  const sum = requiresEvent(where) ? (standing.sums.get(key) ?? 0n) : null;
  const counted = achievementTriggerKind(trigger.type).progress?.(trigger, standing, sum) ?? null;
  return counted !== null && standing.completed.has(key) ? { have: counted.need, need: counted.need } : counted;
}

/** Anything may bring the attributes of a user. */
export const nextCompletion = ({ trigger, where }: Pick<AchievementDefinition, 'trigger' | 'where'>): NextCompletion =>
  requiresUser(where) ? 'any_record' : achievementTriggerKind(trigger.type).completesWith;

export const ACHIEVEMENT_TRIGGER_TYPES = Object.keys(ACHIEVEMENT_TRIGGERS) as readonly AchievementTriggerType[];

/** Applies {@link fieldsHolding} to achievement triggers. */
export const achievementTriggerFields = (type: string | undefined, holds: Field['holds']): readonly string[] =>
  fieldsHolding(ACHIEVEMENT_TRIGGERS, type, holds);
