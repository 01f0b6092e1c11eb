import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NewApiKeyAnswer } from '@laurel/schemas';
import { runStandalone, startServiceProcess, type ServiceProcess } from './testing/processes.ts';
import { runCommand } from './testing/run-command.ts';

const KEY = 'a key of 24 characters, or more';
const EVENT = '/api/metrics/lessons/event';
const LESSON = { user: { id: 'ada' }, value: 1 };

const CONFIGURATION = `
version: 1
metrics: [{ key: lessons, name: Lessons }]
streak: { frequency: daily, conditions: [{ metric: lessons, threshold: 1 }] }
achievements: [{ key: first, name: First, trigger: { type: metric, metric: lessons, value: 1 } }]
points: [{ key: xp, name: XP, triggers: [{ type: metric, metric: lessons, threshold: 1, points: 10 }] }]
leaderboards: [{ key: all, name: All, rankBy: points, pointsSystem: xp, start: 2026-01-01 }]
`;

/** Files of the folder in which the mistakes are made. */
const FILES = {
  'laurel.yaml': CONFIGURATION,
  'field.yaml': CONFIGURATION.replace('frequency: daily', 'frequncy: daily'),
  'metric.yaml': CONFIGURATION.replace('metric: lessons, value: 1', 'metric: lesson, value: 1'),
  'date.yaml': CONFIGURATION.replace('2026-01-01', '2026-02-30'),
  'history.csv': 'user,lessons\n'.repeat(30),
  'a-file': '',
};

interface Asked {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly text?: string;
}

/** Requests to a running service, with a good key unless they say otherwise, and the expected status and sentence. */
const REQUESTS: readonly (readonly [mistake: string, asked: Asked, status: number, error: string])[] = [
  ['no key', { headers: { 'x-api-key': '' }, json: LESSON }, 401, 'The header X-API-KEY is missing.'],
  [
    'the key as a bearer token',
    { headers: { 'x-api-key': '', authorization: `Bearer ${KEY}` }, json: LESSON },
    401,
    'The header X-API-KEY is missing; Authorization (such as Bearer) is not read.',
  ],
  [
    'the key of another service',
    { headers: { 'x-api-key': 'sk_live_51H' }, json: LESSON },
    401,
    'The API key in X-API-KEY is unknown.',
  ],
  [
    'a key cut off when copied',
    { headers: { 'x-api-key': 'CUT OFF' }, json: LESSON },
    401,
    'The API key in X-API-KEY is unknown: its checksum is wrong, so it was mistyped or cut off.',
  ],
  [
    'a revoked key',
    { headers: { 'x-api-key': 'REVOKED' }, json: LESSON },
    401,
    'The API key in X-API-KEY was revoked.',
  ],
  [
    'a key for reading only',
    { headers: { 'x-api-key': 'READING' }, json: LESSON },
    403,
    'The API key lacks the scope ingest.',
  ],
  ['a wrong path', { path: '/api/metric/lessons/event', json: LESSON }, 404, 'There is nothing at this path.'],
  ['a wrong method', { method: 'GET' }, 405, 'This path is served for POST only.'],
  [
    'a form instead of JSON',
    { headers: { 'content-type': 'application/x-www-form-urlencoded' }, text: 'value=1' },
    415,
    'The Content-Type must be application/json, not application/x-www-form-urlencoded.',
  ],
  ['no body', { method: 'POST', text: '' }, 400, 'The body is empty.'],
  [
    'a comma too many',
    { text: '{\n  "user": { "id": "ada" },\n  "value": 1,\n}' },
    400,
    'The body is not JSON: expected a field name in double quotes at line 4, column 1, found }.',
  ],
  [
    'single quotes',
    { text: "{'value': 1}" },
    400,
    "The body is not JSON: expected a field name in double quotes, or } at line 1, column 2, found '.",
  ],
  [
    'a quote too few',
    { text: '{"user": {"id": "ada}, "value": 1}' },
    400,
    'The body is not JSON: expected , or } at line 1, column 25, found value.',
  ],
  [
    'a number that is none',
    { text: '{"user": {"id": "ada"}, "value": NaN}' },
    400,
    'The body is not JSON: expected a value at line 1, column 34, found NaN.',
  ],
  ['a list of events where one is taken', { json: [LESSON] }, 400, 'The body must be a JSON object.'],
  [
    'a metric misspelled',
    { path: '/api/metrics/lesson/event', json: LESSON },
    404,
    "There is no metric 'lesson' (did you mean 'lessons'?).",
  ],
  ['no user', { json: { value: 1 } }, 422, 'user is required.'],
  [
    'the user by a name of its own',
    { json: { userId: 'ada', value: 1 } },
    422,
    'user is required; userId is unknown: use user.id.',
  ],
  [
    'a value in quotes',
    { json: { ...LESSON, value: '1' } },
    422,
    'value must be a number from -1000000000 to 1000000000.',
  ],
  [
    'an offset for a zone',
    { json: { ...LESSON, user: { id: 'ada', tz: 'UTC+3' } } },
    422,
    'user.tz must be the name of an IANA time zone, or UTC.',
  ],
  [
    'a zone of other case',
    { json: { ...LESSON, user: { id: 'ada', tz: 'europe/berlin' } } },
    422,
    "user.tz must be the name of an IANA time zone, or UTC (did you mean 'Europe/Berlin'?).",
  ],
  [
    'a zone by another name',
    { json: { ...LESSON, user: { id: 'ada', timezone: 'Europe/Berlin' } } },
    422,
    'user.timezone is unknown: use user.tz.',
  ],
  [
    'a time of its own for a single event',
    { json: { ...LESSON, timestamp: '2026-01-01T00:00:00Z' } },
    422,
    'timestamp must not be given: only an import brings its own instant.',
  ],
  [
    'an attribute that is no text',
    { json: { ...LESSON, attributes: { level: 3 } } },
    422,
    'attributes.level must be a string of at most 1024 characters.',
  ],
  [
    'an idempotency key that is too long',
    { headers: { 'idempotency-key': 'k'.repeat(256) }, json: LESSON },
    422,
    'Idempotency-Key must have 1–255 characters.',
  ],
  ['an unknown user', { path: '/v1/users/nobody/streak' }, 404, 'There is no user with this id.'],
  [
    'a points system misspelled',
    { path: '/v1/points/px' },
    404,
    "There is no points system 'px' (did you mean 'xp'?).",
  ],
  [
    'a leaderboard misspelled',
    { path: '/v1/leaderboards/al' },
    404,
    "There is no leaderboard 'al' (did you mean 'all'?).",
  ],
  ['a run before the start', { path: '/v1/leaderboards/all?run=2025-12-31' }, 404, 'There is no run on this date.'],
  [
    'a date in words',
    { path: '/v1/leaderboards/all?run=yesterday' },
    422,
    'run must be a date, YYYY-MM-DD, from 0001-02-01 to 9999-11-30.',
  ],
  [
    'more than a page holds',
    { path: '/v1/leaderboards/all?limit=5000' },
    422,
    'limit must be an integer from 0 to 1000.',
  ],
  ['a batch without events', { path: '/admin/v1/metrics/events', json: LESSON }, 422, 'events is required.'],
];

interface Called {
  readonly words: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
}

/** Command lines, without a running service unless the variables say so, and the expected exit code and errors. */
const COMMANDS: readonly (readonly [mistake: string, called: Called, exitCode: number, stderr: string])[] = [
  [
    'a command misspelled',
    { words: ['improt', 'history.csv'] },
    2,
    "laurel: unknown command 'improt'\n(Did you mean import?)\n(add --help for the usage)\n",
  ],
  [
    'a flag misspelled',
    { words: ['import', 'FOLDER/history.csv', '--ulr', 'http://127.0.0.1:3000'] },
    2,
    "laurel: unknown option '--ulr'\n(Did you mean --url?)\n(add --help for the usage)\n",
  ],
  [
    'a variable misspelled',
    { words: ['status'], variables: { LAUREL_DATADIR: 'FOLDER' } },
    2,
    'laurel: LAUREL_DATADIR is unknown; did you mean LAUREL_DATA_DIR? Rename it, or unset it\n',
  ],
  [
    'no service running',
    { words: ['status'] },
    2,
    'laurel: no running service was found; tried FOLDER/none/laurel.sock\nIf it runs, LAUREL_DATA_DIR must be as the service has it; reach one elsewhere with --url and --api-key.\n',
  ],
  [
    'a data folder that is a file',
    { words: ['status'], variables: { LAUREL_DATA_DIR: 'FOLDER/a-file' } },
    2,
    'laurel: no running service was found; tried FOLDER/a-file/laurel.sock\nIf it runs, LAUREL_DATA_DIR must be as the service has it; reach one elsewhere with --url and --api-key.\n',
  ],
  [
    'an address without http',
    { words: ['import', 'FOLDER/history.csv', '--url', 'localhost:3000', '--api-key', KEY] },
    2,
    'laurel: --url is no address that begins with http:// or https://: localhost:3000\n',
  ],
  [
    'an address without a key',
    { words: ['status', '--url', 'http://127.0.0.1:3000'] },
    2,
    'laurel: no API key: set LAUREL_API_KEY, or give --api-key\n',
  ],
  [
    'a wrong port',
    { words: ['status', '--url', 'http://127.0.0.1:65535', '--api-key', KEY] },
    2,
    'laurel: http://127.0.0.1:65535 cannot be reached (ECONNREFUSED)\n',
  ],
  [
    'a wrong key',
    { words: ['status', '--url', 'URL', '--api-key', 'sk_live_51H'] },
    2,
    'laurel: URL refused the API key (401): The API key in X-API-KEY is unknown.\nGive another in LAUREL_API_KEY or --api-key; on the machine of the service none is needed without --url.\n',
  ],
  [
    'a file that is not there',
    { words: ['import', 'FOLDER/histroy.ndjson', '--url', 'URL', '--api-key', KEY] },
    2,
    "laurel: FOLDER/histroy.ndjson cannot be read: ENOENT: no such file or directory, stat 'FOLDER/histroy.ndjson'\n",
  ],
  [
    'a file of another form',
    { words: ['import', 'FOLDER/history.csv', '--url', 'URL', '--api-key', KEY] },
    2,
    'line 1: The line is not JSON: expected a value at column 1, found user.\nline 2: The line is not JSON: expected a value at column 1, found user.\nline 3: The line is not JSON: expected a value at column 1, found user.\nline 4: The line is not JSON: expected a value at column 1, found user.\nline 5: The line is not JSON: expected a value at column 1, found user.\nline 6: The line is not JSON: expected a value at column 1, found user.\nline 7: The line is not JSON: expected a value at column 1, found user.\nline 8: The line is not JSON: expected a value at column 1, found user.\nline 9: The line is not JSON: expected a value at column 1, found user.\nline 10: The line is not JSON: expected a value at column 1, found user.\nline 11: The line is not JSON: expected a value at column 1, found user.\nline 12: The line is not JSON: expected a value at column 1, found user.\nline 13: The line is not JSON: expected a value at column 1, found user.\nline 14: The line is not JSON: expected a value at column 1, found user.\nline 15: The line is not JSON: expected a value at column 1, found user.\nline 16: The line is not JSON: expected a value at column 1, found user.\nline 17: The line is not JSON: expected a value at column 1, found user.\nline 18: The line is not JSON: expected a value at column 1, found user.\nline 19: The line is not JSON: expected a value at column 1, found user.\nline 20: The line is not JSON: expected a value at column 1, found user.\nlaurel: the last 20 lines, up to line 20, are not JSON: the file must hold one JSON object a line (NDJSON), gzipped if its name ends in .gz\n20 lines had been sent. Run the same import again: lines with an idempotencyKey are never counted twice.\n',
  ],
  [
    'an area misspelled',
    { words: ['rebuild', 'point'] },
    2,
    "laurel: command-argument value 'point' is invalid for argument 'area'. Allowed choices are users, streaks, achievements, points, leaderboards (did you mean 'points'?).\n(add --help for the usage)\n",
  ],
  [
    'a scope that is none',
    { words: ['keys', 'create', '--label', 'app', '--scope', 'write'] },
    2,
    "laurel: option '--scope <scope...>' argument 'write' is invalid. Allowed choices are ingest, read, support, admin, export.\n(add --help for the usage)\n",
  ],
  [
    'a field misspelled',
    { words: ['config', 'validate', 'FOLDER/field.yaml'] },
    1,
    `FOLDER/field.yaml:4:9 streak.frequency: missing: expected one of daily, weekly, monthly\nFOLDER/field.yaml:4:11 streak.frequncy: unknown field "frequncy" (did you mean 'frequency'?); expected one of frequency, mode, weekStart, conditions, freezes\n`,
  ],
  [
    'a metric that the configuration lacks',
    { words: ['config', 'validate', 'FOLDER/metric.yaml'] },
    1,
    `FOLDER/metric.yaml:5:76 achievements[0].trigger.metric: expected a key from metrics, found "lesson" (did you mean 'lessons'?)\n`,
  ],
  [
    'a date that does not exist',
    { words: ['config', 'validate', 'FOLDER/date.yaml'] },
    1,
    'FOLDER/date.yaml:7:80 leaderboards[0].start: expected a calendar date, YYYY-MM-DD, found "2026-02-30"\n',
  ],
];

/** The variables that the service is started with, and what it says before it ends with 1. */
const STARTS: readonly (readonly [mistake: string, variables: Readonly<Record<string, string>>, stderr: string])[] = [
  ['a port in words', { LAUREL_PORT: 'http' }, 'LAUREL_PORT must be a port, 0–65535\n'],
  ['a short key', { LAUREL_API_KEY: 'secret' }, 'LAUREL_API_KEY must have at least 24 characters\n'],
  [
    'a variable misspelled',
    { LAUREL_CONFG: 'FOLDER/laurel.yaml' },
    'LAUREL_CONFG is unknown; did you mean LAUREL_CONFIG? Rename it, or unset it\n',
  ],
  [
    'a port that another process has',
    { LAUREL_PORT: 'PORT' },
    'port PORT of 127.0.0.1 is in use; set LAUREL_PORT to another\n',
  ],
  [
    'an address of another machine',
    { LAUREL_HOST: '192.0.2.1' },
    'cannot listen on port 0 of 192.0.2.1 (LAUREL_PORT, LAUREL_HOST): listen EADDRNOTAVAIL: address not available 192.0.2.1\n',
  ],
  [
    'a data folder that is a file',
    { LAUREL_DATA_DIR: 'FOLDER/a-file' },
    'The data folder FOLDER/a-file cannot be used: FOLDER/a-file is not a folder. Set LAUREL_DATA_DIR to a folder, one that exists or a new one.\n',
  ],
  [
    'a data folder whose name is too long',
    { LAUREL_DATA_DIR: `FOLDER/${'d'.repeat(256)}` },
    `The data folder FOLDER/${'d'.repeat(256)} cannot be used: its name is too long. Set LAUREL_DATA_DIR to another folder.\n`,
  ],
  [
    'a data folder where the system makes none',
    { LAUREL_DATA_DIR: '/proc/laurel' },
    "The data folder /proc/laurel cannot be used by user id UID (ENOENT: no such file or directory, mkdir '/proc/laurel'). Set LAUREL_DATA_DIR to a folder that this user may write in, or start Laurel as the owner of that folder.\n",
  ],
  [
    'a configuration that is not there',
    { LAUREL_CONFIG: 'FOLDER/laurel.yml' },
    "LAUREL_CONFIG FOLDER/laurel.yml cannot be read: ENOENT: no such file or directory, open 'FOLDER/laurel.yml'\n",
  ],
  [
    'a configuration with a mistake',
    { LAUREL_CONFIG: 'FOLDER/field.yaml' },
    `the configuration cannot be used; nothing was applied\nFOLDER/field.yaml:4:9 streak.frequency: missing: expected one of daily, weekly, monthly\nFOLDER/field.yaml:4:11 streak.frequncy: unknown field "frequncy" (did you mean 'frequency'?); expected one of frequency, mode, weekStart, conditions, freezes\n`,
  ],
  [
    'the database of another kind',
    { LAUREL_DATABASE_URL: 'mysql://root@localhost/laurel' },
    'LAUREL_DATABASE_URL must be a URL that begins with postgres:// or postgresql://\n',
  ],
  [
    'a database that does not answer',
    { LAUREL_DATABASE_URL: 'postgres://laurel@127.0.0.1:1/laurel' },
    'the database of LAUREL_DATABASE_URL (127.0.0.1:1/laurel) cannot be used: connect ECONNREFUSED 127.0.0.1:1\n',
  ],
  [
    'the folder of a service that runs',
    { LAUREL_DATA_DIR: 'FOLDER/data', LAUREL_CONFIG: 'FOLDER/laurel.yaml' },
    'The data folder FOLDER/data is in use by process PID. Stop that process first, or choose another folder with LAUREL_DATA_DIR.\n',
  ],
  [
    'a date that is none',
    { LAUREL_CLOCK: '2026-02-30T12:00:00Z' },
    'LAUREL_CLOCK must be an ISO 8601 instant, with or without ",frozen" behind it\n',
  ],
];

describe('a typical mistake', () => {
  let folder: string;
  let service: ServiceProcess;
  /** Placeholders for text that differs from run to run. */
  let actual: ReadonlyMap<string, string>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'laurel-mistakes-'));
    // As root, the database runs as another user, who must be able to pass through.
    await chmod(folder, 0o755);
    for (const [name, content] of Object.entries(FILES)) await writeFile(join(folder, name), content);
    service = await startServiceProcess({
      LAUREL_DATA_DIR: join(folder, 'data'),
      LAUREL_CONFIG: join(folder, 'laurel.yaml'),
      LAUREL_API_KEY: KEY,
    });
    const revoked = await makeKey(['ingest']);
    await ask({ method: 'DELETE', path: `/admin/v1/keys/${revoked.id}` });
    const reading = await makeKey(['read']);
    actual = new Map([
      ['FOLDER', folder],
      ['URL', service.url],
      ['PORT', new URL(service.url).port],
      ['REVOKED', revoked.key],
      ['READING', reading.key],
      ['CUT OFF', reading.key.slice(0, -1)],
    ]);
  });
  afterAll(async () => {
    await service.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  });

  async function ask({ method, path = EVENT, headers = {}, json, text = JSON.stringify(json) }: Asked) {
    const given = Object.entries(headers).map(([name, value]) => [name, actual?.get(value) ?? value]);
    return fetch(`${service.url}${path}`, {
      method: method ?? (text === undefined ? 'GET' : 'POST'),
      headers: { 'x-api-key': KEY, 'content-type': 'application/json', ...Object.fromEntries(given) },
      ...(text !== undefined && { body: text }),
    });
  }

  async function makeKey(scopes: readonly string[]): Promise<NewApiKeyAnswer> {
    const made = await ask({ path: '/admin/v1/keys', json: { label: 'mistakes', scopes } });
    return (await made.json()) as NewApiKeyAnswer;
  }

  /** With what is really there in place of its name, and the other way round. */
  const filledIn = (text: string): string => text.replace(/FOLDER|^PORT$|URL/g, (name) => actual.get(name) ?? name);
  const told = (text: string): string =>
    text
      .replaceAll(folder, 'FOLDER')
      .replaceAll(service.url, 'URL')
      .replaceAll(`port ${new URL(service.url).port} `, 'port PORT ')
      .replaceAll(/user id \d+/g, 'user id UID')
      .replaceAll(/process \d+/g, 'process PID');

  it('is one of at least forty tested ones', () => {
    const mistakes = [...REQUESTS, ...COMMANDS, ...STARTS].map(([mistake]) => mistake);
    expect(mistakes.length).toBeGreaterThanOrEqual(40);
  });

  it.each(REQUESTS)('in a request gets a clear answer: %s', async (_, asked, status, error) => {
    const answer = await ask(asked);
    const problem = (await answer.json()) as { readonly error: string; readonly type: string };
    expect([answer.status, problem.error]).toEqual([status, error]);
    expect(problem.type).toMatch(/^\/docs\/errors#\w+$/);
  });

  it.each(COMMANDS)(
    'on the command line gets a clear message: %s',
    async (_, { words, variables = {} }, exitCode, stderr) => {
      const filled = Object.entries(variables).map(([name, value]) => [name, filledIn(value)]);
      const surroundings = { LAUREL_DATA_DIR: join(folder, 'none'), ...Object.fromEntries(filled) };
      const ran = await runCommand(words.map(filledIn), { variables: surroundings });
      expect([ran.exitCode, told(ran.stdout + ran.stderr)]).toEqual([exitCode, stderr]);
    },
  );

  it.each(STARTS)('at the start gets a clear message: %s', async (_, variables, stderr) => {
    const filled = Object.entries(variables).map(([name, value]) => [name, filledIn(value)]);
    const ended = await runStandalone({
      LAUREL_DATA_DIR: join(folder, 'other'),
      LAUREL_PORT: '0',
      ...Object.fromEntries(filled),
    });
    expect([ended.exitCode, told(ended.stderr)]).toEqual([1, stderr]);
  });
});
