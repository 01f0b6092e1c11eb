import { z } from 'zod';
import { exportedAward, exportedRanking } from './export.ts';
import { date, instant, jsonNumber, jsonWhole, uuid, whole } from './fields.ts';
import { preferences } from './preferences.ts';
import { user } from './user.ts';
import { webhookDelivery } from './webhooks.ts';
import { named } from './named-object.ts';

const recorded = named('RecordedEvent', 'An event of the log that names the user.', {
  id: z.uuid().meta({ description: 'Of the event.' }),
  type: z.string().meta({ description: 'Of the recorded event.', examples: ['MetricEventRecorded'] }),
  timestamp: instant.meta({ description: 'The instant of the event.' }),
  recordedAt: instant.meta({ description: 'When it was recorded.' }),
  details: z.record(z.string(), z.unknown()).meta({
    description: 'Everything else that the log holds of the event. `personal` holds what names or describes the user.',
  }),
});

const told = z
  .looseObject({
    id: uuid.meta({ description: 'Of the outcome.' }),
    type: z.string().meta({ description: 'What happened.', examples: ['achievement.completed'] }),
    timestamp: instant.meta({ description: 'When it happened.' }),
    sequence: whole.meta({ description: 'Its place among all outcomes of the account.' }),
  })
  .meta({
    id: 'OutcomeOfUser',
    description:
      'What was told of the user. Which other fields it has depends on its `type`; see `Outcome`. No other user is in it: of rankings it has the user’s own, and nobody whom the user overtook, or who overtook them.',
  });

const delivery = webhookDelivery
  .extend({
    webhook: uuid.meta({ description: 'Id of the webhook.' }),
    origin: z.string().meta({
      description: 'Where it is: scheme, host and port; the rest of its URL may be a secret.',
      examples: ['https://example.com'],
    }),
    body: told
      .nullable()
      .meta({ description: 'If it stands for several outcomes or was given up; null: it is that of `outcome`.' }),
  })
  .meta({ id: 'DeliveryOfUser', description: 'A request to a webhook that concerns the user.' });

const { leaderboard, run, value, reachedAt } = exportedRanking.shape;

/** `GET /admin/v1/users/{id}/export` (specification, section 9.15). */
export const userExport = named('UserExport', 'Everything that Laurel holds about a user.', {
  user: user
    .omit({ control: true })
    .extend({
      deviceTokens: z.array(z.string()).meta({ description: 'Tokens of the user’s devices.' }),
      notifications: preferences.shape.notifications,
    })
    .meta({ id: 'ExportedProfile', description: 'The profile, whole.' }),
  totals: z.record(z.string(), jsonNumber).meta({ description: 'Total by metric.' }),
  achievements: z.record(z.string(), instant).meta({ description: 'When each achievement was completed, by its key.' }),
  points: z.record(z.string(), jsonWhole).meta({ description: 'Total by points system.' }),
  earned: z
    .record(z.string(), jsonWhole)
    .optional()
    .meta({ description: 'Points earned by points system, for systems whose levels follow them; absent without one.' }),
  streak: named('ExportedStreak', 'The streak, with its whole history.', {
    length: whole.meta({ description: 'Length in periods; 0 if no streak is alive.' }),
    started: date.nullable().meta({ description: 'Null if none is alive.' }),
    expires: date.nullable().meta({ description: 'The last date on which it can be extended.' }),
    freezes: whole.nullable().meta({ description: 'Freezes that the user holds; null: freezes are not configured.' }),
    periods: z
      .array(
        named('KeptPeriod', 'A period met or bridged.', {
          periodStart: date.meta({ description: 'First date of the period.' }),
          length: whole.meta({ description: 'Length of the streak in this period.' }),
        }),
      )
      .meta({ description: 'Periods met or bridged, oldest first.' }),
  }),
  events: z.array(recorded).meta({ description: 'In the order of recording.' }),
  awards: z
    .array(exportedAward.omit({ userId: true }).meta({ id: 'AwardOfUser', description: 'A recorded award.' }))
    .meta({ description: 'In the order in which they were recorded.' }),
  standings: z
    .array(named('StandingOfUser', 'The user’s place in a run.', { leaderboard, run, value, reachedAt }))
    .meta({ description: 'The user’s places in every run of every leaderboard, including removed ones.' }),
  rankChanges: z
    .array(
      named('RankChangeOfUser', 'A change of the user’s value in a run.', {
        leaderboard,
        run,
        at: instant.meta({ description: 'When the value changed.' }),
        previousRank: whole.nullable().meta({ description: 'Null: not ranked.' }),
        rank: whole.nullable().meta({ description: 'Null: not ranked.' }),
        value,
      }),
    )
    .meta({ description: 'By leaderboard and run, oldest first.' }),
  outcomes: z
    .array(told)
    .meta({ description: 'The outcomes that are kept (`outgoing.keep`), in the order of the log.' }),
  webhookDeliveries: z
    .array(delivery)
    .meta({ description: 'The deliveries that are kept, in the order in which they were made.' }),
});
export type UserExport = z.infer<typeof userExport>;
