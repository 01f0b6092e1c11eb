import { z } from 'zod';
import { pointsSystemFields } from './points-system-key.ts';
import { MOST_CORRECTED_USERS } from '@laurel/ports';
import { MOST_CORRECTED_EVENTS } from '@laurel/kernel';
import { actor, requiredReason } from './attribution.ts';
import { idempotency } from './event-answer.ts';
import { date, instant, jsonNumber, jsonWhole, nullableText, userIdUnlessErased, uuid, whole } from './fields.ts';
import { eventInstant, eventValue, eventZone } from './requests.ts';
import { must } from './text.ts';
import { earned } from './points.ts';
import { named, namedBody } from './named-object.ts';

/** The most corrected events of a correction that one answer shows. */
export const SHOWN_CORRECTED_EVENTS = 20;

const zone = z.string().meta({ examples: ['Europe/Berlin'] });

/** A corrected event in a recorded correction. */
const correctedEvent = named('CorrectedEvent', 'How an event was corrected.', {
  eventId: uuid.meta({ description: 'The event that was corrected.' }),
  retract: z
    .literal(true)
    .optional()
    .meta({ description: 'The event no longer counts. If it is a correction, what it corrected is as before.' }),
  value: jsonNumber.optional().meta({ description: 'The value that now counts.', examples: [3] }),
  occurredAt: instant.optional().meta({ description: 'The instant that now counts.' }),
  tz: zone.optional().meta({ description: 'The zone that now counts.' }),
});
export type CorrectedEventAnswer = z.infer<typeof correctedEvent>;

const howAchievements = z.enum(['recompute', 'keep']).meta({
  description:
    '`recompute`: completed achievements are those that the corrected events complete. `keep`: what was completed stays so, but gives nothing.',
});
const howFinalRuns = z
  .enum(['keep', 'change'])
  .meta({ description: '`keep`: runs that are final stay as they are. `change`: they are corrected too.' });

/** A recorded correction without its author. */
export const recordedCorrection = named('RecordedCorrection', 'A correction of one user’s events.', {
  count: whole.min(1).meta({ description: 'Number of the user’s events that it corrects.', examples: [1] }),
  events: z
    .array(correctedEvent)
    .meta({ description: `The first ${SHOWN_CORRECTED_EVENTS} of them, in the order of the request.` }),
  achievements: howAchievements,
  finalRuns: howFinalRuns,
});
export type RecordedCorrection = z.infer<typeof recordedCorrection>;

const originalAndPresent = <Schema extends z.ZodType>(schema: Schema) => ({
  original: schema.meta({ description: 'As it was recorded.' }),
  present: schema.meta({ description: 'As the corrections have it.' }),
});

/** The corrections of an event, combined. */
const correctionsOfEvent = named('CorrectionsOfEvent', 'What corrections have made of an event.', {
  retracted: z.boolean().meta({ description: 'Whether the event no longer counts.' }),
  value: z
    .object(originalAndPresent(jsonNumber))
    .optional()
    .meta({ id: 'CorrectedValue', description: 'Its value, if it was amended.' }),
  occurredAt: z
    .object(originalAndPresent(instant))
    .optional()
    .meta({ id: 'CorrectedInstant', description: 'Its instant, if it was amended.' }),
  tz: z
    .object({
      original: zone.nullable().meta({ description: 'As it was recorded; null: the event named none.' }),
      present: zone.meta({ description: 'As the corrections have it.' }),
    })
    .optional()
    .meta({ id: 'CorrectedZone', description: 'Its zone, if it was amended.' }),
  corrections: z
    .array(
      named('CorrectionOfEvent', 'A correction of an event: who made it, when and why.', {
        eventId: uuid.meta({ description: 'The event that corrects; retract it to undo the correction.' }),
        at: instant.meta({ description: 'When it was made.' }),
        by: actor,
        reason: nullableText.meta({ description: 'Why; null: the user was erased.', examples: ['sent twice'] }),
      }),
    )
    .meta({
      description:
        'The corrections that say so, oldest first: the latest retraction, and the latest of each amended field.',
    }),
});
export type CorrectionsOfEventAnswer = z.infer<typeof correctionsOfEvent>;

/** The corrections of an event in an answer. */
export const corrected = correctionsOfEvent
  .nullable()
  .meta({ description: 'What corrections have made of the event; null: it counts as it was recorded.' });

const WHAT_EVENTS = `a list of 1–${MOST_CORRECTED_EVENTS} corrections`;
const WHAT_ID = 'the id of an event, a UUID';

const requestedCorrection = namedBody('RequestedCorrection', 'How to correct one event.', {
  eventId: z
    .string(must(WHAT_ID))
    .regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, `must be ${WHAT_ID}`)
    .meta({ format: 'uuid', description: 'The event, as its answer named it; to undo a correction, its event.' }),
  retract: z.literal(true, must('true')).nullish().meta({
    description:
      'Retracts the event, as if it had never been recorded. Cannot be combined with `value`, `occurredAt` or `tz`.',
  }),
  value: eventValue.nullish().meta({ description: 'The value that a metric event should have instead.' }),
  occurredAt: eventInstant.nullish().meta({
    description:
      'The instant that a metric event should have instead. It cannot be later than the recording of the event.',
  }),
  tz: eventZone.nullish().meta({
    description: 'The user’s clock from this metric event on, as if the event had named it.',
  }),
});

const asked = {
  corrections: z
    .array(requestedCorrection, must(WHAT_EVENTS))
    .min(1, `must be ${WHAT_EVENTS}`)
    .max(MOST_CORRECTED_EVENTS, `must be ${WHAT_EVENTS}`)
    .meta({ description: `Each event once; of at most ${MOST_CORRECTED_USERS} users.` }),
  achievements: z.enum(['recompute', 'keep'], must('recompute or keep')).nullish().meta({
    description:
      '`keep`: what was completed stays completed. Points are those of the events all the same, so what it gave is taken back. Absent: `recompute`.',
  }),
  finalRuns: z
    .enum(['keep', 'change'], must('keep or change'))
    .nullish()
    .meta({ description: '`change`: runs that are final are corrected too. Absent: `keep`.' }),
};

/** `POST /admin/v1/corrections/previews` (specification, section 10.10). */
export const previewCorrectionRequest = namedBody(
  'PreviewCorrectionRequest',
  'Events that should count differently, or not at all.',
  asked,
);
export type PreviewCorrectionRequest = z.infer<typeof previewCorrectionRequest>;

/** `POST /admin/v1/corrections`. */
export const correctEventsRequest = namedBody('CorrectEventsRequest', 'A previewed correction, and why it is made.', {
  ...asked,
  preview: z
    .string(must('the id of a preview'))
    .meta({ description: 'The id of a preview of the same request, made after its users were last corrected.' }),
  reason: requiredReason,
});
const key = (what: string, example: string) =>
  z.string().meta({ description: `Key of the ${what}.`, examples: [example] });
const points = z.object({
  total: jsonWhole.meta({ description: 'Whole points.', examples: [340] }),
  earned,
  level: nullableText.meta({ description: 'Key of the level; null: below all of them.' }),
});
const streak = z.object({
  length: whole.meta({ description: 'Periods; 0: no streak is alive.', examples: [4] }),
  freezes: whole.meta({ description: 'Freezes held.', examples: [1] }),
});
const changed = <Then extends z.ZodType>(then: Then) => ({
  before: then.meta({ description: 'The value without the correction.' }),
  after: then.meta({ description: 'The value with the correction.' }),
});

const previewedUser = named('PreviewedUser', 'A user before and after a correction.', {
  userId: userIdUnlessErased,
  events: whole.meta({ description: 'Number of the user’s events that are corrected.', examples: [1] }),
  metrics: z
    .array(z.object({ metric: key('metric', 'lessons'), ...changed(jsonNumber) }))
    .meta({ description: 'Metrics whose total changes.' }),
  points: z
    .array(z.object({ ...pointsSystemFields, ...changed(points) }))
    .meta({ description: 'Points systems whose total or level changes.' }),
  achievements: z
    .array(
      z.object({
        achievement: key('achievement', 'first-lesson'),
        change: z.enum(['completed', 'revoked']).meta({ description: 'How it changes.' }),
      }),
    )
    .meta({ description: 'Achievements that become completed or are revoked.' }),
  streak: z.object(changed(streak)).meta({ description: 'The streak, also if it does not change.' }),
  runs: z
    .array(
      z.object({
        board: key('leaderboard', 'weekly'),
        start: date.meta({ description: 'First date of the run.' }),
        end: date.nullable().meta({ description: 'Last date of the run; null: it has none.' }),
        final: z.boolean().meta({ description: 'Whether it is final: then it changes only with `finalRuns: change`.' }),
        stays: z.boolean().meta({
          description:
            'Whether it stays as it is, because it is final: `after` is what `finalRuns: change` would make of it.',
        }),
        ...changed(jsonNumber.nullable()),
        reachedAt: named(
          'ReachedAt',
          'When the value was reached, which ranks equal values; null: no value.',
          changed(instant.nullable()),
        ),
      }),
    )
    .meta({ description: 'Runs in which the user’s value, or when it was reached, differs; null: no value.' }),
});

export const correctionPreviewAnswer = named(
  'CorrectionPreview',
  'What a correction would do now. Nothing is recorded.',
  {
    id: z.string().meta({
      description: 'Send it as `preview` to make the correction.',
      examples: ['6f1e2d3c4b5a69788796a5b4c3d2e1f0'],
    }),
    users: z.array(previewedUser).meta({ description: 'In the order in which the request names them first.' }),
  },
);
export type CorrectionPreviewAnswer = z.infer<typeof correctionPreviewAnswer>;

export const correctionAnswer = named('CorrectionAnswer', 'The events that were recorded.', {
  corrections: z
    .array(
      z.object({
        userId: userIdUnlessErased,
        eventId: uuid.meta({ description: 'The event that corrects; retract it to undo the correction.' }),
      }),
    )
    .meta({ description: 'The corrections, one for each user.' }),
  ...idempotency,
});
export type CorrectionAnswer = z.infer<typeof correctionAnswer>;
