import { parseDate } from '@laurel/calendar';
import { z } from 'zod';
import { requiredReason } from './attribution.ts';
import { eventAnswer } from './event-answer.ts';
import { must } from './text.ts';
import { namedBody } from './named-object.ts';

const WHAT_AMOUNT = 'a whole number from -1000000000 to 1000000000, not 0';
const MOST = 1_000_000_000;

/** `POST /admin/v1/users/{id}/grants/points` (specification, section 10). */
export const pointsGrantRequest = namedBody('PointsGrantRequest', 'Points given to or taken from a user by hand.', {
  pointsSystem: z.string(must('the key of a points system')).meta({
    description: 'Key of the points system.',
    examples: ['xp'],
  }),
  amount: z
    .number(must(WHAT_AMOUNT))
    .refine((amount) => Number.isInteger(amount) && amount !== 0 && Math.abs(amount) <= MOST, `must be ${WHAT_AMOUNT}`)
    .meta({
      description: 'Points to give; negative: points to take. The total stays between 0 and the system’s cap.',
      type: 'integer',
      minimum: -MOST,
      maximum: MOST,
      examples: [50],
    }),
  boards: z.boolean(must('true or false')).nullish().meta({
    description: 'Whether they count on leaderboards ranked by the system; absent: true.',
  }),
  reason: requiredReason,
});
export type PointsGrantRequest = z.infer<typeof pointsGrantRequest>;

const MOST_FREEZES = 100;
const WHAT_FREEZES = `a whole number from 1 to ${MOST_FREEZES}`;

/** `POST /admin/v1/users/{id}/grants/freezes` (specification, section 10). */
export const freezesGrantRequest = namedBody('FreezesGrantRequest', 'Streak freezes given to a user by hand.', {
  amount: z
    .number(must(WHAT_FREEZES))
    .refine((amount) => Number.isInteger(amount) && amount >= 1 && amount <= MOST_FREEZES, `must be ${WHAT_FREEZES}`)
    .meta({
      description: 'Freezes to give. They never raise what the user holds above the configured maximum.',
      type: 'integer',
      minimum: 1,
      maximum: MOST_FREEZES,
      examples: [1],
    }),
  reason: requiredReason,
});
/** `POST /admin/v1/users/{id}/grants/streak` (specification, section 10). */
export const streakGrantRequest = namedBody('StreakGrantRequest', 'Why a streak is restored.', {
  reason: requiredReason,
});

/** The most dates that one grant excuses. */
export const MOST_EXCUSED_DAYS = 366;

const WHAT_DATE = 'a date, YYYY-MM-DD, within the years 0001 to 9999';
const excusedDate = (description: string, example: string) =>
  z
    .string(must(WHAT_DATE))
    .refine((text) => parseDate(text) !== null, `must be ${WHAT_DATE}`)
    .meta({ description, format: 'date', examples: [example] });

export const excusedDates = {
  from: excusedDate('The first date, on the user’s clock. It may lie in the past.', '2026-03-02'),
  to: excusedDate(`The last date: at most ${MOST_EXCUSED_DAYS} with \`from\`.`, '2026-03-03'),
};

/** `POST /admin/v1/users/{id}/grants/excused` (specification, section 10). */
export const excusedGrantRequest = namedBody(
  'ExcusedGrantRequest',
  'Dates on which a user need not do anything to keep the streak.',
  {
    ...excusedDates,
    reason: requiredReason,
  },
);
export type ExcusedGrantRequest = z.infer<typeof excusedGrantRequest>;

/** `POST /admin/v1/users/{id}/grants/achievement` and `…/revocation` (specification, section 10). */
export const achievementGrantRequest = namedBody(
  'AchievementGrantRequest',
  'An achievement completed or revoked by hand.',
  {
    achievement: z.string(must('the key of an achievement')).meta({
      description: 'Key of the achievement, whatever its trigger.',
      examples: ['profile'],
    }),
    reason: requiredReason,
  },
);
export type AchievementGrantRequest = z.infer<typeof achievementGrantRequest>;

/** The effects of a grant: the answer to an event, without a metric. */
export const grantAnswer = eventAnswer
  .omit({ metricId: true, total: true })
  .meta({ id: 'GrantAnswer', description: 'What a grant caused.' });
export type GrantAnswer = z.infer<typeof grantAnswer>;
