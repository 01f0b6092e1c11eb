import { z } from 'zod';
import { whole, count } from '../fields.ts';

/** A parameter of an operation; its schema says what it means. */
export interface Parameter {
  readonly name: string;
  /** Other names by which it is taken, too. They are not described: generators would make two fields of one name. */
  readonly otherNames?: readonly string[];
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: z.ZodType;
}

export const inPath = (name: string, schema: z.ZodType): Parameter => ({ name, in: 'path', required: true, schema });
export const inQuery = (name: string, schema: z.ZodType): Parameter => ({ name, in: 'query', required: false, schema });
export const required = (parameter: Parameter): Parameter => ({ ...parameter, required: true });

const key = (description: string, example: string) =>
  z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/)
    .meta({ description, examples: [example] });

const flag = (description: string) => z.enum(['true', 'false']).default('false').meta({ description });

const upTo = (min: number, max: number, fallback: number, description: string) =>
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
export const LEVEL = inPath('level', key('The level’s key.', 'learner'));
export const BOARD = inPath('key', key('The leaderboard’s key.', 'weekly'));
export const ACHIEVEMENT = inPath('key', key('The achievement’s key.', 'profile'));

/** @param scope within what a key is unique */
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
export const CORRECTION_KEY = idempotencyKey('user', 'ticket-4712');

const ofRange = (name: string, description: string) =>
  required(inQuery(name, z.iso.date().meta({ description, examples: ['2026-03-01'] })));

const FIRST = 'First date, inclusive.';
const LAST = 'Last date, inclusive, at most 400 days in all.';

/** What is asked of a summary over time. */
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

export const INCLUDE_FINISHED = inQuery('includeFinished', flag('Finished leaderboards as well.'));
export const INCLUDE_INCOMPLETE = inQuery('includeIncomplete', flag('Also those that the user has not completed.'));
export const AWARDS = inQuery('awards', upTo(1, 100, 10, 'How many of the newest awards to show.'));
export const HISTORY_PERIODS = inQuery(
  'historyPeriods',
  upTo(1, 366, 7, 'How many periods of history, ending with the current one.'),
);
export const NUM_EVENTS = inQuery(
  'numEvents',
  upTo(0, 100, 10, 'How many of the user’s newest changes of value to show.'),
);
export const OFFSET = inQuery('offset', upTo(0, 2 ** 31 - 1, 0, 'How many rows to pass over.'));
export const LIMIT = inQuery('limit', upTo(0, 1_000, 10, 'How many rows to show; 0: none.'));
export const FROM_USER = inQuery(
  'userId',
  z.string().meta({
    description: 'The offset counts from this user’s place. No rows if the user is not ranked or unknown.',
    examples: ['ada'],
  }),
);
export const USER_IDS = required(
  inQuery(
    'userIds',
    z
      .array(z.string())
      .min(1)
      .max(100)
      .meta({
        description:
          'The users. Repeat the parameter, or separate ids by commas. Only a literal comma separates: an escaped one (`%2C`) belongs to an id, so a client that escapes commas repeats the parameter.',
        examples: [['ada', 'grace']],
      }),
  ),
);
export const RESULTS = inQuery(
  'results',
  z.enum(['full']).meta({ description: 'With `full`, the `body` of each result is the full answer to its event.' }),
);
export const EVENT = inPath('eventId', z.uuid().meta({ description: 'The event’s id, as its answer gave it.' }));
export const EVENT_USERS = inQuery('limit', upTo(1, 10, 10, 'Of how many of its users to show what it caused.'));
export const EVENT_CURSOR = inQuery(
  'cursor',
  z
    .string()
    .meta({ description: '`next` of the previous page: the users that follow it. Absent: from the first user.' }),
);
export const EXPLAINED_LIMIT = inQuery('limit', upTo(1, 50, 20, 'How many entries to show.'));
export const EXPLAINED_CONTRIBUTIONS = inQuery('limit', upTo(1, 50, 20, 'How many contributions to show.'));
export const EXPLAINED_PERIODS = inQuery('periods', upTo(1, 100, 14, 'How many periods to show.'));
export const EXPLAINED_DATE = inQuery(
  'date',
  z.iso.date().meta({ description: 'A date within the last period to show. Absent: the current one.' }),
);
export const EXPLAINED_CURSOR = inQuery(
  'cursor',
  z.string().meta({ description: '`next` of the previous page: the entries that follow it. Absent: from the newest.' }),
);
export const SINCE_SIZE = inQuery('since', count.meta({ description: '`size` of an earlier answer.' }));
export const REBUILD = inPath('id', z.uuid().meta({ description: 'The rebuild’s id.' }));
export const ONLY_LOG = inQuery(
  'only',
  z
    .enum(['log'])
    .optional()
    .meta({ description: '`log`: verify only the log, against its hash. Cannot be combined with `full`.' }),
);
export const FULL = inQuery(
  'full',
  z.enum(['true', 'false']).meta({
    description: '`true`: fold every user’s events, and compare the result with every stored row. Absent: `false`.',
  }),
);
export const VERIFICATION = inPath('id', z.uuid().meta({ description: 'The verification’s id.' }));
export const API_KEY = inPath('id', z.uuid().meta({ description: 'The key’s id, which is not the key itself.' }));
export const CONSOLE_PAGE = inPath('page', z.string().meta({ description: 'Its name.', examples: ['users'] }));
export const CONSOLE_ID = inPath(
  'id',
  z.string().meta({ description: 'The id of what the page shows.', examples: ['ada'] }),
);
export const CONSOLE_FILE = inPath(
  'file',
  z.string().meta({ description: 'The name of the file, as the page refers to it.', examples: ['main.js'] }),
);
export const SESSION = inPath('id', z.uuid().meta({ description: 'The session’s id, which is not its token.' }));
export const REVOCATION_REASON = inQuery(
  'reason',
  z.string().min(1).max(1_000).meta({ description: 'The reason, in your own words. It is recorded.' }),
);
export const ERASURE_PREVIEW = inQuery(
  'preview',
  z.enum(['true', 'false']).meta({ description: '`true`: show what would change, and change nothing.' }),
);
export const ERASED_FROM = inQuery(
  'boards',
  z.enum(['remove', 'anonymous']).meta({
    description:
      'What happens to the user’s places in runs that are not final. `remove` (the default): users below move up. `anonymous`: the places stay, without a name. Places in final runs stay in either case.',
  }),
);
export const ERASURE_PREVIEW_ID = inQuery(
  'previewId',
  z.string().meta({ description: '`previewId` of the preview. Required unless `preview` is `true`.' }),
);
export const ERASURE_REASON = inQuery(
  'reason',
  z.string().min(1).max(1_000).meta({
    description:
      'The reason. It is recorded in clear text, so it must not name the user. Required unless `preview` is `true`.',
  }),
);
export const AUDIT_LIMIT = inQuery('limit', upTo(1, 100, 50, 'How many entries to show.'));
export const AUDIT_CURSOR = inQuery(
  'cursor',
  z.string().meta({ description: '`next` of the previous page: the entries that follow it. Absent: from the newest.' }),
);
const bound = (name: string, description: string) =>
  inQuery(name, z.string().meta({ description, examples: ['2026-03-01', '2026-03-01T12:00:00Z'] }));
export const EXPORT_FROM = bound('from', 'From this date in UTC, or instant, on. Absent: from the first.');
export const EXPORT_TO = bound('to', 'Before this date in UTC, or instant. Absent: up to the last.');
export const EXPORT_FORMAT = inQuery(
  'format',
  z.enum(['ndjson', 'csv']).default('ndjson').meta({ description: 'One JSON object per line, or CSV.' }),
);
export const OUTCOMES_AFTER = inQuery(
  'after',
  z
    .string()
    .meta({ description: '`Laurel-Cursor` of the previous answer. Absent: from the oldest outcome that is kept.' }),
);
const head = (what: string) =>
  inQuery(
    'until',
    z.string().meta({ description: `\`Laurel-Head\` of a call before: ${what} end there. Absent: no end.` }),
  );
export const OUTCOMES_UNTIL = head('outcomes');
export const LOGGED_UNTIL = head('events');
export const OUTCOMES_TYPES = inQuery(
  'types',
  z.string().meta({
    description: 'Only these types, separated by commas. Absent: all types.',
    examples: ['streak.lost,achievement.completed'],
  }),
);
export const OUTCOMES_LIMIT = inQuery('limit', upTo(1, 1_000, 100, 'How many to show at most.'));
export const OUTCOMES_WAIT = inQuery('wait', upTo(0, 30, 0, 'Seconds to wait for outcomes if there are none.'));
export const LOGGED_AFTER = inQuery(
  'after',
  z.string().meta({ description: '`Laurel-Cursor` of the previous answer. Absent: from the first event.' }),
);
export const LOGGED_TYPES = inQuery(
  'types',
  z.string().meta({
    description: 'Only these types, separated by commas. Absent: all types.',
    examples: ['MetricEventRecorded,UserErased'],
  }),
);
/** So few that a page stays within what a read may touch, whichever users its events are of. */
export const LOGGED_BY_DEFAULT = 30;
export const LOGGED_LIMIT = inQuery('limit', upTo(1, 1_000, LOGGED_BY_DEFAULT, 'How many to show at most.'));
export const LOGGED_WAIT = inQuery('wait', upTo(0, 30, 0, 'Seconds to wait for events if there are no more.'));
export const WINNERS_BOARD = required(inQuery('leaderboard', key('The leaderboard’s key.', 'weekly')));
export const WINNERS_RUN = inQuery(
  'run',
  z.iso.date().meta({ description: 'Any date within the run. Absent: the newest final run.' }),
);
export const WINNERS_LIMIT = inQuery('limit', upTo(1, 1_000, 10, 'How many winners, from the first on.'));
/** Of the lists of section 9.16: so few that a page stays within what a read may touch, however large everything is. */
export const MOST_OF_PAGE = 40;
export const PAGE_LIMIT = inQuery('limit', upTo(1, MOST_OF_PAGE, 20, 'How many to show at most.'));
export const TIMELINE_LIMIT = inQuery('limit', upTo(1, 50, 20, 'How many events to show.'));
export const CURSOR = inQuery(
  'cursor',
  z.string().meta({ description: '`next` of the previous page: what follows it. Absent: from the beginning.' }),
);
export const ID_PREFIX = inQuery(
  'prefix',
  z
    .string()
    .max(255)
    .meta({ description: 'Only users whose ids begin with this, compared byte by byte.', examples: ['ad'] }),
);
export const SOUGHT_EMAIL = inQuery(
  'email',
  z
    .string()
    .min(1)
    .max(320)
    .meta({
      description: 'Only users with this e-mail address. Case does not matter.',
      examples: ['ada@example.org'],
    }),
);
export const SOUGHT_NAME = inQuery(
  'name',
  z
    .string()
    .min(1)
    .max(100)
    .meta({
      description: 'Only users whose name, or a word of it, begins with this. Case does not matter.',
      examples: ['lovel'],
    }),
);
export const VERSION = inPath(
  'version',
  z.string().meta({
    description: 'The number of a version, or `current`.',
    examples: ['current', '3'],
    pattern: '^(current|[1-9][0-9]*)$',
  }),
);
export const LIVE_USER = inQuery(
  'userId',
  z.string().meta({ description: 'Only events of this user.', examples: ['ada'] }),
);
export const LIVE_METRIC = inQuery(
  'metric',
  z.string().meta({ description: 'Only events of this metric.', examples: ['lessons'] }),
);
export const LIVE_AFTER = inQuery(
  'after',
  z.string().meta({
    description: 'The `id` of the last message seen: the stream continues after it. `Last-Event-ID` takes precedence.',
  }),
);
