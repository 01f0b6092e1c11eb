import { MOST_BOOSTS_HELD } from '@laurel/kernel';
import { z } from 'zod';
import { jsonWhole, userIdUnlessErased, whole } from './fields.ts';
import { named } from './named-object.ts';

/** Every code, its status and its title. */
const KINDS = {
  unknown_path: [404, 'Unknown path'],
  method_not_allowed: [405, 'Method not allowed'],
  unauthorized: [401, 'Unauthorized'],
  forbidden: [403, 'Forbidden'],
  rate_limited: [429, 'Too many requests'],
  unsupported_media_type: [415, 'Unsupported media type'],
  body_too_large: [413, 'Body too large'],
  malformed_body: [400, 'Malformed body'],
  malformed_request: [400, 'Malformed request'],
  request_timeout: [408, 'Request timeout'],
  expectation_failed: [417, 'Expectation failed'],
  headers_too_large: [431, 'Headers too large'],
  unknown_metric: [404, 'Unknown metric'],
  unknown_user: [404, 'Unknown user'],
  unknown_achievement: [404, 'Unknown achievement'],
  unknown_points_system: [404, 'Unknown points system'],
  unknown_level: [404, 'Unknown level'],
  unknown_leaderboard: [404, 'Unknown leaderboard'],
  unknown_run: [404, 'Unknown run'],
  unknown_rebuild: [404, 'Unknown rebuild'],
  unknown_verification: [404, 'Unknown verification'],
  unknown_configuration: [404, 'Unknown configuration version'],
  unknown_key: [404, 'Unknown key'],
  unknown_session: [404, 'Unknown session'],
  unknown_event: [404, 'Unknown event'],
  unknown_spend: [404, 'Unknown spend'],
  unknown_webhook: [404, 'Unknown webhook'],
  unknown_delivery: [404, 'Unknown delivery'],
  cursor_expired: [410, 'Cursor expired'],
  invalid_request: [422, 'Invalid request'],
  insufficient_points: [422, 'Insufficient points'],
  already_refunded: [422, 'Already refunded'],
  not_active: [422, 'Not active'],
  too_many_boosts: [422, 'Too many boosts'],
  import_open: [422, 'Import open'],
  stale_preview: [422, 'Stale preview'],
  stale_plan: [422, 'Stale plan'],
  not_in_this_topology: [422, 'Not in this topology'],
  overloaded: [503, 'Overloaded'],
  unavailable: [503, 'Unavailable'],
  starting: [503, 'Starting'],
  outcome_unknown: [503, 'Outcome unknown'],
  spend_undecided: [503, 'Spend undecided'],
  refund_undecided: [503, 'Refund undecided'],
  state_damaged: [503, 'State damaged'],
  internal: [500, 'Internal error'],
} as const satisfies Record<string, readonly [number, string]>;

export type ProblemCode = keyof typeof KINDS;

export const PROBLEM_CODES = Object.keys(KINDS) as [ProblemCode, ...ProblemCode[]];

/** The HTTP status of a code. */
export function problemStatus(code: ProblemCode): number {
  return KINDS[code][0];
}

/** One field or parameter that was refused. */
const problemItem = named('ProblemItem', 'What is wrong with one field or parameter.', {
  path: z.string().meta({
    description: 'A field by its path, a parameter or a header by its name; empty: the body itself.',
    examples: ['user.tz', '[3].value', 'awards'],
  }),
  message: z.string().meta({ description: 'What the field must be.', examples: ['is required'] }),
});
export type ProblemItem = z.infer<typeof problemItem>;

/** Every error of every route (specification, section 2): RFC 9457 with `error`, a plain sentence, beside it. */
export const problem = named('Problem', 'An error, as `application/problem+json` (RFC 9457).', {
  type: z.string().meta({
    description: 'Where the error is explained: a page of this service, relative to its address.',
    examples: ['/docs/errors#unknown_metric'],
  }),
  title: z.string().meta({ description: 'The code in a few words.', examples: ['Unknown metric'] }),
  status: whole.meta({ description: 'The HTTP status.', examples: [404] }),
  detail: z.string().meta({
    description: 'What was refused and why, in a plain sentence.',
    examples: ["There is no metric 'lesons' (did you mean 'lessons'?)."],
  }),
  error: z.string().meta({
    description: 'The same as `detail`.',
    examples: ["There is no metric 'lesons' (did you mean 'lessons'?)."],
  }),
  code: z.enum(PROBLEM_CODES).meta({ description: 'The code, for programs.' }),
  errors: z
    .array(problemItem)
    .optional()
    .meta({ description: 'Only with `invalid_request`: everything that is wrong, not only the first.' }),
  eventId: z.string().optional().meta({
    description:
      'Only with `outcome_unknown`: the id under which the event was tried; with `insufficient_points`, `already_refunded` and what is undecided: the recorded request.',
  }),
  balance: jsonWhole.optional().meta({ description: 'Only with `insufficient_points`: the user’s total then.' }),
  missing: jsonWhole.optional().meta({ description: 'Only with `insufficient_points`: what the total lacked.' }),
  left: jsonWhole.optional().meta({ description: 'Only with `already_refunded`: what was left of the spend then.' }),
  idempotentReplayed: z.boolean().optional().meta({
    description:
      'Only with `insufficient_points` and `already_refunded`: true if the key had been used before and nothing changed now.',
  }),
  incidentId: z
    .string()
    .optional()
    .meta({ description: 'Only with `internal`: an id to look for in the service’s log.' }),
  corrected: z
    .array(
      z.object({
        userId: userIdUnlessErased,
        eventId: z.string().meta({ description: 'The event that records the correction.' }),
      }),
    )
    .optional()
    .meta({ description: 'Only of a correction that ended in between: the users who are corrected, and stay so.' }),
  uncorrected: z
    .array(userIdUnlessErased)
    .optional()
    .meta({ description: 'Only of a correction that ended in between: the users who are not corrected.' }),
});
export type Problem = z.infer<typeof problem>;

/** An expected refusal on its way to the caller. */
export class ProblemError extends Error {
  readonly problem: Problem;
  readonly headers: Readonly<Record<string, string>>;

  constructor(content: Problem, headers: Readonly<Record<string, string>> = {}) {
    super(content.detail);
    this.problem = content;
    this.headers = headers;
  }
}

type Extra = Omit<Partial<Problem>, 'type' | 'title' | 'status' | 'detail' | 'error' | 'code'>;

/** The body of an error. `detail` is a plain sentence that says what was refused and why. */
export function problemOf(code: ProblemCode, detail: string, extra: Extra = {}): Problem {
  const [status, title] = KINDS[code];
  return { type: `/docs/errors#${code}`, title, status, detail, error: detail, code, ...extra };
}

/** The answer 404 for a user without any recorded event. */
export const UNKNOWN_USER = problemOf('unknown_user', 'There is no user with this id.');

/** The answer 422 to a grant, a correction or an erasure while an import is open. */
export const IMPORT_OPEN = problemOf(
  'import_open',
  'An import is open, so nothing was changed. Finish it with POST /admin/v1/imports/finish, or wait: it closes when no imported event has come for ten minutes. Then send this again.',
);

export const TOO_MANY_BOOSTS = problemOf(
  'too_many_boosts',
  `The user has ${MOST_BOOSTS_HELD} boosts in this points system that are not finished; nothing was recorded.`,
);

/** The answer 422, with every problem (at least one). */
export function invalidRequest(errors: readonly ProblemItem[]): Problem {
  return problemOf('invalid_request', sentenceOf(errors), { errors: [...errors] });
}

/** All problems in one plain sentence. */
export function sentenceOf(errors: readonly ProblemItem[]): string {
  return `${errors.map(({ path, message }) => (path === '' ? `The body ${message}` : `${path} ${message}`)).join('; ')}.`;
}

/** A list of 8 MiB may have a million problems. */
const MOST_ITEMS = 100;

/** The first hundred problems that a schema found, each by its path: `user.id`, `attributes.colour`. */
export function problemItems(error: z.ZodError): ProblemItem[] {
  return error.issues.slice(0, MOST_ITEMS).map(({ path, message }) => ({ path: path.map(String).join('.'), message }));
}
