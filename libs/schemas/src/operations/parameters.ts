import { z } from 'zod';
import { whole } from '../fields.ts';

/** A parameter of an operation; its schema says what it means. */
export interface Parameter {
  readonly name: string;
  /** Other accepted names. They are not described, because generators would make two fields of them. */
  readonly otherNames?: readonly string[];
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: z.ZodType;
}

export const inPath = (name: string, schema: z.ZodType): Parameter => ({ name, in: 'path', required: true, schema });
export const inQuery = (name: string, schema: z.ZodType): Parameter => ({ name, in: 'query', required: false, schema });
export const required = (parameter: Parameter): Parameter => ({ ...parameter, required: true });

export const key = (description: string, example: string) =>
  z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/)
    .meta({ description, examples: [example] });

export const flag = (description: string) => z.enum(['true', 'false']).default('false').meta({ description });

export const upTo = (min: number, max: number, fallback: number, description: string) =>
  whole.min(min).max(max).default(fallback).meta({ description });

export const USER = inPath(
  'id',
  z
    .string()
    .min(1)
    .max(255)
    .meta({
      description: 'The user’s id, percent-encoded in the URL, including its slashes (`%2F`).',
      examples: ['ada'],
    }),
);
export const METRIC = inPath('key', key('The metric’s key.', 'lessons'));
export const SYSTEM = inPath('key', key('The points system’s key.', 'xp'));
export const BOARD = inPath('key', key('The leaderboard’s key.', 'weekly'));
export const ACHIEVEMENT = inPath('key', key('The achievement’s key.', 'profile'));

/** @param scope what a key is unique within */
const idempotencyKey = (scope: string, example: string, more = ''): Parameter => ({
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: z
    .string()
    .min(1)
    .max(255)
    .meta({
      description: `Makes a retry safe: unique per ${scope}, for ever. The first use is 201; every later one is 202 and changes nothing${more}.`,
      examples: [example],
    }),
});

const WHATEVER_THE_BODY = ', whatever its valid body says';
export const IDEMPOTENCY_KEY = idempotencyKey('user and metric', 'lesson-42', WHATEVER_THE_BODY);
export const GRANT_KEY = idempotencyKey('user and kind of grant', 'ticket-4711', WHATEVER_THE_BODY);
/** @param scope what a key is unique within */
const requestKey = (scope: string, example: string): Parameter =>
  required({
    ...idempotencyKey(scope, example),
    schema: z
      .string()
      .min(1)
      .max(255)
      .meta({
        description: `Required, so that a retry is safe: unique per ${scope}, for ever. The first use is 201, or the 422 that says why it was refused; every later one says the same, whatever its body, and changes nothing: 202, or that 422.`,
        examples: [example],
      }),
  });
export const SPEND_KEY = requestKey('user and points system', 'order-4711');
export const REFUND_KEY = requestKey('spend', 'refund-of-order-4711');
export const CORRECTION_KEY = idempotencyKey('user', 'ticket-4712');

const ofRange = (name: string, description: string) =>
  required(inQuery(name, z.iso.date().meta({ description, examples: ['2026-03-01'] })));

const FIRST = 'First date, inclusive.';
const LAST = 'Last date, inclusive, at most 400 days in all.';

/** The parameters of a summary over time. */
export const SUMMARY = [
  required(
    inQuery(
      'aggregation',
      z
        .enum(['daily', 'weekly', 'monthly'])
        .meta({ description: 'The length of a period. Weeks begin as the configuration says.' }),
    ),
  ),
  { ...ofRange('start_date', FIRST), otherNames: ['startDate'] },
  { ...ofRange('end_date', LAST), otherNames: ['endDate'] },
] as const;

export const FIRST_DAY = ofRange('from', FIRST);
export const LAST_DAY = ofRange('to', LAST);

const run = (fallback: string) =>
  inQuery('run', z.iso.date().meta({ description: `Any date within the run. Absent: ${fallback}` }));

export const RUN = run('the run of the current UTC date, or the last one if the board is over.');
export const OWN_RUN = run('the run of the user’s own date, or the last one if the board is over.');
export const EVENT = inPath('eventId', z.uuid().meta({ description: 'The event’s id, as its answer gave it.' }));
export const SPEND = inPath('eventId', z.uuid().meta({ description: 'The spend’s `eventId`, as its answer gave it.' }));
export const ENTRIES_CURSOR = inQuery(
  'cursor',
  z.string().meta({ description: '`next` of the previous page: the entries that follow it. Absent: from the newest.' }),
);
/** The most entries in a page of a list of section 9.16. Keeps a page within what one read may touch. */
const MOST_OF_PAGE = 40;
export const PAGE_LIMIT = inQuery('limit', upTo(1, MOST_OF_PAGE, 20, 'How many to show at most.'));
export const CURSOR = inQuery(
  'cursor',
  z.string().meta({ description: '`next` of the previous page: what follows it. Absent: from the beginning.' }),
);
