import { z } from 'zod';
import { OUTCOMES, type FieldsOf, type OutcomeField, type OutcomeType } from '@laurel/kernel';
import { instant, uuid, whole } from './fields.ts';
import { outcomeFieldSchema, type FieldSchema } from './outcome-fields.ts';
import { named } from './named-object.ts';

/** The names of the bodies in `/openapi.json`. Generated clients use these names. */
const BODY_NAMES: { readonly [Type in OutcomeType]: string } = {
  'achievement.completed': 'AchievementCompletedOutcome',
  'emails.achievement_due': 'AchievementDueOutcome',
  'streak.started': 'StreakStartedOutcome',
  'streak.extended': 'StreakExtendedOutcome',
  'streak.at_risk': 'StreakAtRiskOutcome',
  'emails.streak_reminder_due': 'StreakReminderDueOutcome',
  'emails.recap_due': 'RecapDueOutcome',
  'emails.reactivation_due': 'ReactivationDueOutcome',
  'streak.lost': 'StreakLostOutcome',
  'streak.freeze_consumed': 'FreezeConsumedOutcome',
  'streak.freeze_earned': 'FreezeEarnedOutcome',
  'points.changed': 'PointsChangedOutcome',
  'points.level_changed': 'LevelChangedOutcome',
  'points.spent': 'PointsSpentOutcome',
  'points.boost_started': 'BoostStartedOutcome',
  'points.boost_finished': 'BoostFinishedOutcome',
  'leaderboard.started': 'LeaderboardStartedOutcome',
  'leaderboard.finished': 'LeaderboardFinishedOutcome',
  'leaderboard.rank_changed': 'RankChangedOutcome',
  'leaderboard.rank_lost': 'RankLostOutcome',
  'leaderboard.changed': 'LeaderboardChangedOutcome',
  'user.created': 'UserCreatedOutcome',
  'user.corrected': 'UserCorrectedOutcome',
  'user.erased': 'UserErasedOutcome',
  'configuration.published': 'ConfigurationPublishedOutcome',
  'import.finished': 'ImportFinishedOutcome',
  'endpoint.disabled': 'EndpointDisabledOutcome',
};

const id = uuid.meta({
  description: 'Derived from the outcome itself: an outcome that is sent again has the same id.',
});
const timestamp = instant.meta({ description: 'When it happened.' });
const sequence = whole.min(1).meta({
  description: 'Its place among all outcomes of the account, which are in the order of the log.',
  examples: [1],
});

type Head<Type extends OutcomeType> = {
  readonly id: typeof id;
  readonly type: z.ZodLiteral<Type>;
  readonly timestamp: typeof timestamp;
  readonly sequence: typeof sequence;
};
type Declared<Fields> = {
  readonly [Name in keyof Fields]: Fields[Name] extends OutcomeField ? FieldSchema<Fields[Name]> : never;
};
type BodySchemas = { readonly [Type in OutcomeType]: z.ZodObject<Head<Type> & Declared<FieldsOf<Type>>> };

/** The body of each type, made of its declaration. */
export const OUTCOME_BODIES = Object.fromEntries(
  Object.keys(OUTCOMES).map((type) => [type, bodySchema(type as OutcomeType)]),
) as unknown as BodySchemas;

function bodySchema(type: OutcomeType): z.ZodObject {
  const { means, fields } = OUTCOMES[type];
  const head = { id, type: z.literal(type).meta({ description: 'What happened.' }), timestamp, sequence };
  const declared = Object.entries<OutcomeField>(fields).map(([name, field]) => [name, outcomeFieldSchema(field)]);
  return named(BODY_NAMES[type], means, { ...head, ...Object.fromEntries(declared) });
}

export type OutcomeBody<Type extends OutcomeType = OutcomeType> = z.infer<(typeof OUTCOME_BODIES)[Type]>;

/** The body of any type. */
export const outcome = z
  .discriminatedUnion('type', Object.values(OUTCOME_BODIES) as unknown as [z.ZodObject, ...z.ZodObject[]])
  .meta({ id: 'Outcome', description: 'Something that happened.' });

/** `GET /admin/v1/outcomes` as CloudEvents 1.0, in JSON batch format. */
export const cloudEvents = z.array(
  named('OutcomeCloudEvent', 'An outcome as a CloudEvent.', {
    specversion: z.literal('1.0').meta({ description: 'The version of CloudEvents.' }),
    id: uuid.meta({ description: 'That of the outcome.' }),
    source: z.string().meta({ description: 'The account.', examples: ['/accounts/default'] }),
    type: z.string().meta({ description: 'The type of the outcome.', examples: ['laurel.streak.lost.v1'] }),
    subject: z.string().optional().meta({ description: 'The id of the user; absent: it concerns none.' }),
    time: instant.meta({ description: 'When it happened.' }),
    sequence: z.string().meta({ description: 'That of the outcome, as text.', examples: ['1'] }),
    datacontenttype: z.literal('application/json').meta({ description: 'The format of `data`.' }),
    data: outcome.meta({ description: 'The outcome.' }),
  }),
);
