import { z } from 'zod';
import { count, instant, nullableText } from './fields.ts';
import { named } from './named-object.ts';

/** Checks stored values against each other (specification, section 11). */

/** The checks of a verification, in order; the last two belong to a full one. */
const VERIFIED = ['log', 'effects', 'users', 'achievements', 'points', 'leaderboards', 'fold', 'counters'] as const;

/** The most findings that a verification shows. */
export const MOST_FINDINGS = 100;

const verificationFinding = named('VerificationFinding', 'A stored value that contradicts others.', {
  check: z.enum(VERIFIED).meta({ description: 'The check that found it.' }),
  table: z.string().meta({ description: 'The table that contradicts the rest.', examples: ['metric_months'] }),
  userId: nullableText.meta({ description: 'The user whose row it is; null: none, or an unknown user.' }),
  position: count.nullable().meta({ description: 'The position in the log that it concerns; null: no single one.' }),
  eventId: z.uuid().nullable().meta({ description: 'The event at that position; null: there is none.' }),
  stored: nullableText.meta({ description: 'What is stored; null: nothing.' }),
  expected: nullableText.meta({ description: 'What should be stored; null: nothing.' }),
  message: z.string().meta({
    description: 'The finding, as a sentence.',
    examples: ['metric_months: lessons on 2026-03-02 of user "ada" is 4 and must be 3.'],
  }),
});
export type VerificationFinding = z.infer<typeof verificationFinding>;

/** `POST /admin/v1/verifications`, 202, and `GET /admin/v1/verifications/{id}`. */
export const verification = named('Verification', 'The log and the read models, checked against each other.', {
  id: z.uuid().meta({ description: 'The id, valid until the process ends.' }),
  state: z.enum(['running', 'done', 'failed']).meta({ description: 'The current state.' }),
  check: z.enum(VERIFIED).nullable().meta({ description: 'The check under way; null: none is.' }),
  full: z.boolean().meta({ description: 'Whether every user is folded as well.' }),
  verified: count.meta({ description: 'The records of the log up to this position have been hashed again.' }),
  head: count.meta({ description: 'The end of the log at the moment that is verified.' }),
  folded: count.meta({ description: 'Number of users folded so far; 0 without `full`.' }),
  users: count.meta({ description: 'Number of users to fold; 0 without `full`.' }),
  findings: z
    .array(verificationFinding)
    .max(MOST_FINDINGS)
    .meta({ description: 'The contradictions found. Empty in the state `done`: there are none.' }),
  more: z.boolean().meta({ description: 'Whether there are findings that are not shown.' }),
  startedAt: instant.meta({ description: 'When it began.' }),
  finishedAt: instant.nullable().meta({ description: 'When it ended; null while it runs.' }),
  error: nullableText.meta({ description: 'Why it failed; what was not checked yet is unknown then.' }),
});
export type VerificationAnswer = z.infer<typeof verification>;

/** The fields that change while a verification runs. */
export type VerificationProgress = Partial<
  Pick<VerificationAnswer, 'check' | 'verified' | 'head' | 'folded' | 'users' | 'findings' | 'more'>
>;
