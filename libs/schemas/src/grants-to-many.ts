import { z } from 'zod';
import { reason, requiredReason } from './attribution.ts';
import { excusedDates } from './grants.ts';
import { otherNames } from './mistaken-fields.ts';
import { isUserId, must } from './text.ts';

const WHAT_USER = 'the id of a user';
const userIdText = z.string(must(WHAT_USER)).meta({ description: 'The user.', examples: ['ada'] });
const listOf = <Item extends z.ZodType>(item: Item, most: number) => {
  const what = `an array of 1–${most} items`;
  return z.array(item, must(what)).min(1, `must be ${what}`).max(most, `must be ${what}`);
};

/** What one `POST /admin/v1/streaks/freezes` gives at most. */
const MOST_FREEZES_A_CALL = 1_000;

/** `POST /admin/v1/streaks/freezes` (specification, section 10). */
export const streakFreezesRequest = z
  .object(
    {
      freezes: listOf(z.object({ userId: userIdText }, must('an object')), MOST_FREEZES_A_CALL).meta({
        description: 'Each entry gives one freeze: a user who is named twice gets two.',
      }),
      reason,
    },
    must('an object'),
  )
  .meta({ id: 'StreakFreezesRequest', description: 'Streak freezes for many users.' });

/** The users of one `POST /admin/v1/streaks/restore` at most. */
const MOST_RESTORED_A_CALL = 100;

/** `POST /admin/v1/streaks/restore` (specification, section 10). */
export const restoreStreaksRequest = z
  .object(
    {
      users: listOf(z.object({ id: userIdText }, must('an object')), MOST_RESTORED_A_CALL).meta({
        description: 'The users whose last streak is restored.',
      }),
      reason,
    },
    must('an object'),
  )
  .meta({ id: 'RestoreStreaksRequest', description: 'Users whose streaks are restored.' });

/** The users of one `POST /admin/v1/grants` at most. */
export const MOST_USERS_A_CALL = 200;

const WHAT_AFTER = 'the id of a user, or empty';

/** `POST /admin/v1/grants` (specification, section 10). */
export const grantToManyRequest = z
  .object(
    {
      kind: z.literal('excused', must('excused')).meta({ description: 'The kind of grant: excused days.' }),
      ...excusedDates,
      reason: requiredReason,
      users: listOf(userIdText, MOST_USERS_A_CALL)
        .nullish()
        .meta({
          description: `Who gets it, at most ${MOST_USERS_A_CALL}. Absent: everybody, ${MOST_USERS_A_CALL} users a call.`,
        }),
      after: z
        .string(must(WHAT_AFTER))
        .refine((id) => id === '' || isUserId(id), `must be ${WHAT_AFTER}`)
        .nullish()
        .meta({
          description: 'Of everybody, those behind this id: `next` of the call before. Absent: from the first.',
          examples: ['ada'],
        }),
    },
    must('an object'),
  )
  .meta({ id: 'GrantToManyRequest', description: 'A grant for many users, or for everybody, a page at a time.' })
  .register(otherNames, { names: { userIds: 'users', userId: 'users' } });

const grantIssue = z
  .object({
    userId: z.string().meta({ description: 'The user whom the issue concerns.', examples: ['ada'] }),
    level: z.enum(['error', 'warning']).meta({
      description: '`error`: nothing was recorded for the user. `warning`: it was, and changed nothing.',
    }),
    reason: z.string().meta({ description: 'What the issue is.', examples: ['There is no user with this id.'] }),
  })
  .meta({ id: 'GrantIssue', description: 'Why a user did not get the grant, or why it changed nothing.' });
export type GrantIssue = z.infer<typeof grantIssue>;

export const streakFreezesAnswer = z
  .object({ issues: z.array(grantIssue).meta({ description: 'Users who got none, and why.' }) })
  .meta({ id: 'StreakFreezesAnswer', description: 'The result of granting freezes.' });
export type StreakFreezesAnswer = z.infer<typeof streakFreezesAnswer>;

export const restoreStreaksAnswer = z
  .object({
    restoredUsers: z.array(z.string()).meta({ description: 'Users whose streak is restored.', examples: [['ada']] }),
    issues: z.array(grantIssue).meta({ description: 'Users whose streak is not restored, and why.' }),
  })
  .meta({ id: 'RestoreStreaksAnswer', description: 'The result of restoring streaks.' });
export type RestoreStreaksAnswer = z.infer<typeof restoreStreaksAnswer>;

export const grantToManyAnswer = z
  .object({
    recorded: z
      .number()
      .int()
      .meta({ description: 'Users for whom it was recorded.', examples: [199] }),
    replayed: z
      .number()
      .int()
      .meta({ description: 'Users for whom the key was used before.', examples: [0] }),
    issues: z.array(grantIssue).meta({ description: 'Users who got nothing, and why.' }),
    next: z
      .string()
      .nullable()
      .meta({
        description: 'Of everybody: call again with this as `after`. null: that was all.',
        examples: ['grace'],
      }),
  })
  .meta({ id: 'GrantToManyAnswer', description: 'The result of a grant for many users.' });
export type GrantToManyAnswer = z.infer<typeof grantToManyAnswer>;
