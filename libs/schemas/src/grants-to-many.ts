import { z } from 'zod';
import { excusedDates } from './grants.ts';
import { reason, requiredReason } from './attribution.ts';
import { otherNames } from './mistaken-fields.ts';
import { isUserId, must } from './text.ts';
import { named, namedBody } from './named-object.ts';
import { whole, nullableText } from './fields.ts';

const WHAT_USER = 'the id of a user';
const userIdText = z.string(must(WHAT_USER)).meta({ description: 'The user.', examples: ['ada'] });
const listOf = <Item extends z.ZodType>(item: Item, most: number) => {
  const what = `an array of 1–${most} items`;
  return z.array(item, must(what)).min(1, `must be ${what}`).max(most, `must be ${what}`);
};

/** The most freezes of one `POST /admin/v1/streaks/freezes`. */
const MOST_FREEZES_A_CALL = 1_000;

/** `POST /admin/v1/streaks/freezes` (specification, section 10). */
export const streakFreezesRequest = namedBody('StreakFreezesRequest', 'Streak freezes for many users.', {
  freezes: listOf(z.object({ userId: userIdText }, must('an object')), MOST_FREEZES_A_CALL).meta({
    description: 'Each entry gives one freeze: a user who is named twice gets two.',
  }),
  reason,
});

/** The most users of one `POST /admin/v1/streaks/restore`. */
const MOST_RESTORED_A_CALL = 100;

/** `POST /admin/v1/streaks/restore` (specification, section 10). */
export const restoreStreaksRequest = namedBody('RestoreStreaksRequest', 'Users whose streaks are restored.', {
  users: listOf(z.object({ id: userIdText }, must('an object')), MOST_RESTORED_A_CALL).meta({
    description: 'The users whose last streak is restored.',
  }),
  reason,
});

/** The most users of one `POST /admin/v1/grants`. */
export const MOST_USERS_A_CALL = 200;

const WHAT_AFTER = 'the id of a user, or empty';

/** `POST /admin/v1/grants` (specification, section 10). */
export const grantToManyRequest = namedBody(
  'GrantToManyRequest',
  'A grant for many users, or for everybody, a page at a time.',
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
).register(otherNames, { names: { userIds: 'users', userId: 'users' } });

const grantIssue = named('GrantIssue', 'Why a user did not get the grant, or why it changed nothing.', {
  userId: z.string().meta({ description: 'The user whom the issue concerns.', examples: ['ada'] }),
  level: z.enum(['error', 'warning']).meta({
    description: '`error`: nothing was recorded for the user. `warning`: it was, and changed nothing.',
  }),
  reason: z.string().meta({ description: 'What the issue is.', examples: ['There is no user with this id.'] }),
});
export type GrantIssue = z.infer<typeof grantIssue>;

export const streakFreezesAnswer = named('StreakFreezesAnswer', 'The result of granting freezes.', {
  issues: z.array(grantIssue).meta({ description: 'Users who got none, and why.' }),
});
export type StreakFreezesAnswer = z.infer<typeof streakFreezesAnswer>;

export const restoreStreaksAnswer = named('RestoreStreaksAnswer', 'The result of restoring streaks.', {
  restoredUsers: z.array(z.string()).meta({ description: 'Users whose streak is restored.', examples: [['ada']] }),
  issues: z.array(grantIssue).meta({ description: 'Users whose streak is not restored, and why.' }),
});
export type RestoreStreaksAnswer = z.infer<typeof restoreStreaksAnswer>;

export const grantToManyAnswer = named('GrantToManyAnswer', 'The result of a grant for many users.', {
  recorded: whole.meta({ description: 'Users for whom it was recorded.', examples: [199] }),
  replayed: whole.meta({ description: 'Users for whom the key was used before.', examples: [0] }),
  issues: z.array(grantIssue).meta({ description: 'Users who got nothing, and why.' }),
  next: nullableText.meta({
    description: 'Of everybody: call again with this as `after`. null: that was all.',
    examples: ['grace'],
  }),
});
export type GrantToManyAnswer = z.infer<typeof grantToManyAnswer>;
