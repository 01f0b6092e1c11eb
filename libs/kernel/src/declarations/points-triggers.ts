import {
  fieldsHolding,
  type AnsweredFields,
  type AnswerField,
  type CompiledFields,
  type Field,
  type Fields,
  type WrittenFields,
} from './field.ts';
import { conditionsInWords } from '../conditions.ts';
import { plural } from '../plural.ts';
import { activeFrom, activeFromChanged, activeUntil, activeUntilChanged, NOT_ACTIVE } from './activity-fields.ts';
import { EVENT_DIFFERS, USER_DIFFERS, whereChanged, whereEventOrUser, whereUser } from './conditions-field.ts';
import { cap, capChanged } from './points-cap-field.ts';
import { kind, type MissWords } from './points-trigger-kind.ts';

const points = {
  holds: 'points',
  prose: 'Points that the trigger gives each time, or takes if negative; not 0.',
} as const;

/** What bounds an award, by kinds that an event fires. */
const BOUNDS = { cap, activeFrom, activeUntil, where: whereUser };
const BOUNDS_CHANGED = {
  cap: capChanged,
  activeFrom: activeFromChanged,
  activeUntil: activeUntilChanged,
  where: whereChanged,
};

/** Why a trigger that was met did not fire. */
const REFUSED = { not_active: NOT_ACTIVE, user_differs: USER_DIFFERS };

const KEPT = 'What it has given stays.';
const STILL_DUE = 'What fell due before publication is still given.';
const RHYTHM = `From publication, it falls due at the new interval, counted from each user's creation. ${STILL_DUE}`;

const intervalInWords = ({ unit, interval }: { readonly unit: string; readonly interval: number }): string =>
  interval === 1 ? unit : `${interval} ${unit}s`;

/** The kinds of points triggers (specification, section 6). */
export const POINTS_TRIGGERS = {
  metric: kind({
    fires:
      "Fires each time the metric's running sum, counted from the publication of the trigger, reaches another multiple of the threshold.",
    fields: {
      metric: { holds: 'metric', prose: 'Key of a metric.' },
      threshold: {
        holds: 'amount',
        prose: 'The trigger fires at every multiple of this number that the sum reaches; at most 6 decimals.',
      },
      points,
      ...BOUNDS,
      where: whereEventOrUser,
    },
    name: (trigger) =>
      `${trigger.points} for every ${trigger.threshold} ${trigger.metric}${conditionsInWords(trigger.where)}`,
    whenAdded: ({ metric }) =>
      `It counts values of ${metric} recorded after publication; values recorded before give nothing.`,
    whenReturned: ({ metric }, version) =>
      `It was in version ${version}, and continues from what it had counted of ${metric} then. What was recorded since gives nothing.`,
    whenChanged: {
      metric: (was, is) =>
        `It keeps what it has counted of ${was} and, from publication, adds values of ${is} to it. ${KEPT}`,
      threshold: (_, is) =>
        `It keeps what it has counted and fires at the next multiple of ${is} above that. ${KEPT} It gives nothing for multiples passed before publication.`,
      ...BOUNDS_CHANGED,
    },
    source: ({ metric }) => `for ${metric.name}`,
    answer: {
      metricId: { holds: 'id', description: 'Type metric only: id of the metric.', of: ({ metric }) => metric.id },
      metricName: {
        holds: 'name',
        description: 'Type metric only: name of the metric.',
        examples: ['Lessons'],
        of: ({ metric }) => metric.name,
      },
      metricThreshold: {
        holds: 'amount',
        description: 'Type metric only: fires for each whole multiple of this that the sum of values reaches.',
        examples: [3],
        of: ({ threshold }) => threshold,
      },
    },
    misses: {
      below_threshold: {
        means: 'the sum has not reached the next multiple of the threshold',
        line: (missing) => `${missing} missing to the next multiple of the threshold`,
      },
      other_event: { means: 'it is no event of this metric' },
      event_differs: EVENT_DIFFERS,
      ...REFUSED,
    },
  }),
  streak: kind({
    fires: 'Fires when the user extends the streak to a multiple of a length.',
    fields: {
      length: { holds: 'length', prose: 'The trigger fires at every multiple of this length, in periods.' },
      points,
      ...BOUNDS,
    },
    name: (trigger) =>
      `${trigger.points} for every ${trigger.length} periods of a streak${conditionsInWords(trigger.where)}`,
    whenAdded: ({ length }) => `It fires when a user next extends their streak to a multiple of ${length}.`,
    whenChanged: {
      length: (_, is) => `It fires when a user next extends their streak to a multiple of ${is}. ${KEPT}`,
      ...BOUNDS_CHANGED,
    },
    source: ({ length }) => `for ${plural(length, 'period')} of the streak`,
    answer: {
      streakLengthThreshold: {
        holds: 'whole',
        description: 'Type streak only: fires when the streak is extended to a multiple of this.',
        examples: [7],
        of: ({ length }) => length,
      },
    },
    misses: {
      streak_not_extended: { means: 'it did not extend the streak' },
      streak_length: {
        means: 'it extended the streak, but not to a multiple of the length',
        line: (missing) => `it extended the streak, but ${missing} periods are missing to a multiple of the length`,
      },
      ...REFUSED,
    },
  }),
  achievement: kind({
    fires: 'Fires when the user completes an achievement.',
    fields: {
      achievement: { holds: 'achievement', prose: 'Key of an achievement.' },
      points,
      ...BOUNDS,
    },
    name: (trigger) =>
      `${trigger.points} for the achievement ${trigger.achievement}${conditionsInWords(trigger.where)}`,
    whenAdded: ({ achievement }) =>
      `It fires for users who complete ${achievement} after publication, not for those who already have.`,
    whenChanged: {
      achievement: (_, is) =>
        `It fires for users who complete ${is} after publication, not for those who already have. ${KEPT}`,
      ...BOUNDS_CHANGED,
    },
    source: ({ achievement }) => `for ${achievement.name}`,
    answer: {
      achievementId: {
        holds: 'id',
        description: 'Type achievement only: id of the achievement.',
        of: ({ achievement }) => achievement.id,
      },
      achievementName: {
        holds: 'name',
        description: 'Type achievement only: name of the achievement.',
        examples: ['First lesson'],
        of: ({ achievement }) => achievement.name,
      },
    },
    misses: {
      achievement_not_completed: {
        means: 'it did not complete the achievement, which may be complete since before',
        line: () => 'it did not complete the achievement',
      },
      ...REFUSED,
    },
  }),
  user_creation: kind({
    fires: 'Fires when a user is created, by their first event or by an API call.',
    fields: { points, activeFrom, activeUntil, where: whereUser },
    name: (trigger) => `${trigger.points} at creation${conditionsInWords(trigger.where)}`,
    whenAdded: () => 'It fires for users created after publication; existing users get nothing.',
    whenChanged: { activeFrom: activeFromChanged, activeUntil: activeUntilChanged, where: whereChanged },
    source: () => 'for a new user',
    answer: {},
    misses: {
      user_not_new: { means: 'it did not create the user' },
      ...REFUSED,
    },
  }),
  time: kind({
    fires: 'Fires at regular intervals, without an event.',
    fields: {
      unit: { holds: 'choice', of: ['hour', 'day'], prose: 'A day is 24 hours.' },
      interval: {
        holds: 'whole',
        least: 1,
        most: 8760,
        prose: "Number of units between awards, counted from the user's creation.",
      },
      points,
      activeFrom: {
        holds: 'optional instant',
        prose:
          'The trigger gives nothing for the time before this instant (UTC). null: it gives nothing for the time before its publication.',
      },
      activeUntil,
    },
    name: (trigger) =>
      `${trigger.points} every ${intervalInWords(trigger)}${trigger.activeFrom === null ? '' : ` from ${trigger.activeFrom}`}`,
    whenAdded: (trigger) =>
      `It falls due every ${intervalInWords(trigger)}, counted from each user's creation. It gives nothing for the time before ${trigger.activeFrom === null ? 'publication' : `publication or before ${trigger.activeFrom}`}.`,
    whenRemoved: STILL_DUE,
    whenChanged: {
      unit: () => RHYTHM,
      interval: () => RHYTHM,
      points: () => 'What fell due before publication is still given, at the former points.',
      activeFrom: (_, is) =>
        is === null
          ? 'From publication, it gives everything that falls due. For the time before, it gives only what fell due under the former activeFrom.'
          : `From publication, it gives only what falls due from ${is} on. ${STILL_DUE}`,
      activeUntil: (_, is) =>
        is === null
          ? 'From publication, it has no end. It gives nothing for the time between the former end and publication.'
          : `It gives only what falls due before ${is}. ${STILL_DUE}`,
    },
    source: ({ unit, interval }) => `for ${plural(interval, unit)}`,
    answer: {
      timeUnit: {
        holds: { of: ['hour', 'day'] },
        description: 'Type time only: unit of `timeInterval`.',
        of: ({ unit }) => unit,
      },
      timeInterval: {
        holds: 'whole',
        description: 'Type time only: fires every so many hours, or days of 24 hours, from the user’s creation.',
        of: ({ interval }) => interval,
      },
    },
    misses: {
      not_due: { means: 'nothing fell due since the event before' },
      no_room: { means: 'when it fell due, the total was at the cap, or at zero' },
      not_active: NOT_ACTIVE,
    },
  }),
};

type Kinds = typeof POINTS_TRIGGERS;
export type PointsTriggerType = keyof Kinds;

/** The fields of a kind, as a document writes them and as a compiled version has them. */
export type WrittenTrigger<Type extends PointsTriggerType> = WrittenFields<Kinds[Type]['fields']>;
export type CompiledTrigger<Type extends PointsTriggerType> = CompiledFields<Kinds[Type]['fields']>;

/** Why a trigger did not fire with an event. */
export type TriggerMiss = { [Type in PointsTriggerType]: keyof Kinds[Type]['misses'] }[PointsTriggerType];

export type AnsweredPointsTrigger = AnsweredFields<Kinds[PointsTriggerType]['answer']>;

/** A kind for callers that treat all kinds alike: its functions take the fields of that kind. */
export interface AnyPointsTriggerKind {
  readonly fires: string;
  readonly fields: Fields;
  readonly name: (written: object) => string;
  readonly whenAdded: (written: object) => string;
  readonly whenReturned?: (written: object, version: number) => string;
  readonly whenRemoved?: string;
  readonly whenChanged: Readonly<Record<string, (was: unknown, is: unknown) => string>>;
  readonly source: (compiled: object) => string;
  readonly answer: Readonly<Record<string, AnswerField<object>>>;
  readonly misses: Readonly<Record<string, MissWords>>;
}

export const pointsTriggerKind = (type: PointsTriggerType): AnyPointsTriggerKind =>
  POINTS_TRIGGERS[type] as unknown as AnyPointsTriggerKind;

/** Applies {@link fieldsHolding} to points triggers. */
export const pointsTriggerFields = (type: string | undefined, holds: Field['holds']): readonly string[] =>
  fieldsHolding(POINTS_TRIGGERS, type, holds);

export const POINTS_TRIGGER_TYPES = Object.keys(POINTS_TRIGGERS) as readonly PointsTriggerType[];

/** The misses of all kinds. */
export const TRIGGER_MISSES = Object.fromEntries(
  Object.values(POINTS_TRIGGERS).flatMap(({ misses }) => Object.entries(misses)),
) as Readonly<Record<TriggerMiss, MissWords>>;
