import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { DEMO_CONFIGURATION } from '@laurel/configuration';
import { OPERATIONS, type Operation, scopesOf } from '@laurel/schemas';
import { openApiDocument } from '@laurel/openapi';
import { createClock } from '@laurel/runtime';
import { type Answer, Client, type Json } from '@laurel/testing/http-suite';
import { serveOnFreshDatabase, TEST_KEY, type Served } from './testing/serve-in-process.ts';

/** The answers that the document shows. LAUREL_WRITE_EXAMPLES=1 writes them anew, from what the service answers here. */
const FILE = fileURLToPath(new URL('../../../libs/api/openapi/src/answer-examples.json', import.meta.url));
const WRITE = process.env['LAUREL_WRITE_EXAMPLES'] === '1';

/** A Monday evening in Berlin. */
const NOW = Date.parse('2026-03-02T20:00:00Z');
const DAY = 'from=2026-03-02&to=2026-03-02';
const DAYS = 'aggregation=daily&start_date=2026-03-01&end_date=2026-03-02';

interface Step {
  /** The part of the body that differs from the document. */
  readonly fill?: () => object;
  /** The name of the operation and answer in the document. */
  readonly id: string;
  readonly status: number;
  readonly query?: string;
  readonly idempotencyKey?: string;
  /** The operation whose answer has the id that the path ends with. */
  readonly idOf?: string;
}

/** The demo, from its first user on: each answer that an operation has if all is well, in an order in which one leads to the next. */
const STEPS: readonly Step[] = [
  { id: 'identifyUser', status: 201 },
  { id: 'identifyUser', status: 200 },
  { id: 'recordMetricEvent', status: 201, idempotencyKey: 'lesson-42' },
  { id: 'recordMetricEvent', status: 202, idempotencyKey: 'lesson-42' },
  { id: 'recordApiMetricEvent', status: 201, idempotencyKey: 'lesson-43' },
  { id: 'recordApiMetricEvent', status: 202, idempotencyKey: 'lesson-43' },
  { id: 'recordBatch', status: 200 },
  { id: 'openImport', status: 201 },
  { id: 'openImport', status: 200 },
  { id: 'getOpenImport', status: 200 },
  { id: 'finishImport', status: 200 },
  { id: 'completeAchievement', status: 201 },
  { id: 'completeAchievement', status: 202 },
  { id: 'grantPoints', status: 201, idempotencyKey: 'ticket-4711' },
  { id: 'grantPoints', status: 202, idempotencyKey: 'ticket-4711' },
  { id: 'spendPoints', status: 201, idempotencyKey: 'order-4711' },
  { id: 'spendPoints', status: 202, idempotencyKey: 'order-4711' },
  { id: 'refundSpend', status: 201, idempotencyKey: 'refund-of-order-4711', idOf: 'spendPoints' },
  { id: 'refundSpend', status: 202, idempotencyKey: 'refund-of-order-4711', idOf: 'spendPoints' },
  { id: 'grantBoost', status: 201, idempotencyKey: 'ticket-4711' },
  { id: 'grantBoost', status: 202, idempotencyKey: 'ticket-4711' },
  { id: 'grantFreezes', status: 201, idempotencyKey: 'ticket-4711' },
  { id: 'grantFreezes', status: 202, idempotencyKey: 'ticket-4711' },
  { id: 'restoreStreak', status: 201, idempotencyKey: 'ticket-4711' },
  { id: 'restoreStreak', status: 202, idempotencyKey: 'ticket-4711' },
  { id: 'excuseDays', status: 201, idempotencyKey: 'ticket-4711' },
  { id: 'excuseDays', status: 202, idempotencyKey: 'ticket-4711' },
  { id: 'createStreakFreezes', status: 200 },
  { id: 'restoreStreaks', status: 200 },
  { id: 'grantToMany', status: 200 },
  { id: 'revokeAchievement', status: 201, idempotencyKey: 'ticket-4711' },
  { id: 'revokeAchievement', status: 202, idempotencyKey: 'ticket-4711' },
  { id: 'grantAchievement', status: 201, idempotencyKey: 'ticket-4711' },
  { id: 'grantAchievement', status: 202, idempotencyKey: 'ticket-4711' },
  { id: 'getUser', status: 200 },
  { id: 'putUser', status: 200 },
  { id: 'updateUser', status: 200 },
  { id: 'updateUserPreferences', status: 200 },
  { id: 'getUserPreferences', status: 200 },
  { id: 'listUserMetrics', status: 200 },
  { id: 'getUserMetric', status: 200 },
  { id: 'summarizeUserMetric', status: 200, query: DAYS },
  { id: 'listAchievements', status: 200 },
  { id: 'listUserAchievements', status: 200 },
  { id: 'getUserStreak', status: 200, query: 'historyPeriods=2' },
  { id: 'listStreaks', status: 200, query: 'userIds=ada&userIds=grace' },
  { id: 'getUserPoints', status: 200, query: 'awards=2' },
  { id: 'summarizeUserPoints', status: 200, query: DAYS },
  { id: 'listPointsSystems', status: 200 },
  { id: 'getPointsSystem', status: 200 },
  { id: 'listPointsLevels', status: 200 },
  { id: 'listBoosts', status: 200, query: 'includeFinished=true' },
  { id: 'listUserBoosts', status: 200 },
  { id: 'countUsersByLevel', status: 200 },
  { id: 'countUsersByPoints', status: 200 },
  { id: 'listLeaderboards', status: 200 },
  { id: 'getLeaderboard', status: 200 },
  { id: 'getUserLeaderboard', status: 200 },
  { id: 'listLeaderboardRuns', status: 200, query: 'limit=1' },
  { id: 'getStreakSurvival', status: 200 },
  { id: 'listDays', status: 200, query: DAY },
  { id: 'explainPoints', status: 200, query: 'limit=2' },
  { id: 'explainPointsOfEvent', status: 200, idOf: 'recordMetricEvent' },
  { id: 'explainAchievement', status: 200 },
  { id: 'explainStreak', status: 200, query: 'periods=2' },
  { id: 'explainStanding', status: 200 },
  { id: 'getEvent', status: 200, idOf: 'recordMetricEvent' },
  { id: 'createKey', status: 201 },
  { id: 'listKeys', status: 200 },
  { id: 'revokeKey', status: 200, idOf: 'createKey' },
  { id: 'createWebhook', status: 201 },
  { id: 'listWebhooks', status: 200 },
  { id: 'changeWebhook', status: 200, idOf: 'createWebhook' },
  { id: 'rotateWebhookSecret', status: 200, idOf: 'createWebhook' },
  { id: 'replayWebhook', status: 202, idOf: 'createWebhook', fill: () => ({ from: 1 }) },
  { id: 'disableWebhook', status: 200, idOf: 'createWebhook' },
  { id: 'enableWebhook', status: 200, idOf: 'createWebhook' },
  { id: 'deleteWebhook', status: 200, idOf: 'createWebhook' },
  { id: 'signIn', status: 201, fill: () => ({ key: TEST_KEY }) },
  { id: 'getSession', status: 200 },
  { id: 'createConsoleLink', status: 201 },
  { id: 'listConsoleSessions', status: 200 },
  { id: 'endConsoleSession', status: 200, idOf: 'signIn' },
  { id: 'listAudit', status: 200, query: 'limit=3' },
  { id: 'exportUser', status: 200 },
  { id: 'listUsers', status: 200, query: 'limit=1' },
  { id: 'listCompletions', status: 200 },
  { id: 'listUsersOnLevel', status: 200 },
  { id: 'getUserOverview', status: 200 },
  { id: 'eraseUser', status: 200, query: 'preview=true' },
  { id: 'listUserEvents', status: 200, query: 'limit=2' },
  { id: 'previewCorrection', status: 200, fill: () => ({ corrections: corrected() }) },
  { id: 'correctEvents', status: 201, idempotencyKey: 'ticket-4712', fill: correction },
  { id: 'correctEvents', status: 202, idempotencyKey: 'ticket-4712', fill: correction },
  { id: 'getLogHead', status: 200, query: 'since=2' },
  { id: 'getLogProof', status: 200, idOf: 'recordMetricEvent' },
  { id: 'getState', status: 200 },
  { id: 'startRebuild', status: 202 },
  { id: 'getRebuild', status: 200, idOf: 'startRebuild' },
  { id: 'startVerification', status: 202 },
  { id: 'getVerification', status: 200, idOf: 'startVerification' },
  { id: 'getStatus', status: 200 },
  { id: 'getDigest', status: 200 },
  { id: 'listConfigurations', status: 200 },
  { id: 'getConfiguration', status: 200 },
  { id: 'planConfiguration', status: 200 },
  { id: 'publishConfiguration', status: 201 },
  { id: 'publishConfiguration', status: 200 },
];

/** They are looked at until they are done. */
const LONG_RUNS = ['getRebuild', 'getVerification'];

const document = openApiDocument();
let served: Served;
let client: Client;
const answered = new Map<string, Json>();

beforeAll(async () => {
  served = await serveOnFreshDatabase(DEMO_CONFIGURATION, createClock({ type: 'frozen', at: NOW }));
  client = new Client(() => served);
  for (const step of STEPS) {
    const { status, json } = await send(step);
    expect({ id: step.id, status, json }).toMatchObject({ id: step.id, status: step.status });
    answered.set(nameOf(step), json);
  }
  if (WRITE) writeExamples();
});
afterAll(async () => {
  await served?.close();
});

const bodyOf = (example: unknown, { fill }: Step): unknown =>
  fill === undefined ? example : { ...(example as object), ...fill() };

/** The example names an event and a preview as everybody has them. */
const corrected = () => [{ eventId: answered.get('recordApiMetricEvent 201').eventId, retract: true }];

function correction(): object {
  return { corrections: corrected(), preview: answered.get('previewCorrection 200').id };
}

const nameOf = ({ id, status }: Step): string => `${id} ${status}`;

/** Sends what the document shows as the request. */
async function send(step: Step): Promise<Answer> {
  const operation = OPERATIONS.find(({ id }) => id === step.id) as Operation;
  const from = STEPS.find(({ id }) => id === step.idOf);
  const earlier = from === undefined ? null : answered.get(nameOf(from));
  const given = earlier === null ? null : (earlier.eventId ?? earlier.id);
  const own = /\{(\w+)\}(?:\/[a-z]+)?$/.exec(operation.path)?.[1];
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name) =>
    given !== null && name === own ? given : exampleOf(operation, name),
  );
  const sent = {
    ...(step.idempotencyKey !== undefined && { headers: { 'idempotency-key': step.idempotencyKey } }),
    ...(operation.body && { body: bodyOf(operation.body.example, step) }),
  };
  const url = step.query === undefined ? path : `${path}?${step.query}`;
  for (;;) {
    const answer = await client.send(operation.method.toUpperCase(), url, sent);
    if (!LONG_RUNS.includes(step.id) || answer.json.state !== 'running') return answer;
  }
}

function exampleOf({ path, method }: Operation, name: string): string {
  const parameters: Json[] = [...(document.paths[path]?.[method]?.parameters ?? [])];
  return parameters.find((parameter) => parameter.name === name).example;
}

/** Values that differ from run to run, by their form: random ids, values derived from them or sealed, hashes, keys, and values of this machine. */
const PASSING: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'an id'],
  // In the text of a record: the subject, and the fields as they are sealed.
  [/(\\"default\\",)\d+/g, '$1 1'],
  [/\\"[A-Za-z0-9+/=]{40,}\\"/g, '\\"sealed\\"'],
  [/\[\[\\"[\w-]{12}\\".*?\]\]/g, 'hashes of attributes'],
  [/"[0-9a-f]{64}"/g, '"a hash"'],
  [/"previewId":"[\w-]{22}"/g, '"previewId":"an id"'],
  [/"[0-9a-f]{32}"/g, '"a preview"'],
  [/"digest":"[0-9a-f]+"/g, '"digest":"a hash"'],
  [/lrl_\w+/g, 'a key'],
  [/whsec_[\w+/]+=*/g, 'a secret'],
  [/localhost:\d+\/console#token=[\w-]{43}/g, 'a link'],
  [/"tzDataVersion":"\w+"/g, '"tzDataVersion":"a release"'],
  [/"(database|log|readModel|index|wal)Bytes":\d+/g, '"$1Bytes":"a size"'],
];

const withoutPassing = (value: unknown): Json =>
  JSON.parse(PASSING.reduce((text, [form, name]) => text.replace(form, name), JSON.stringify(value ?? null)));

function shownExample({ id, status }: Step): unknown {
  const { path, method } = OPERATIONS.find((operation) => operation.id === id) as Operation;
  const response: Json = document.paths[path]?.[method]?.responses[status];
  return response.content['application/json'].example;
}

/** No real one: those who look for leaked keys would find it in every copy. */
const SHOWN_KEY = `lrl_${'EXAMPLE'.repeat(6).slice(0, 36)}`;

const SHOWN_SECRET = `whsec_${'EXAMPLE'.repeat(5).slice(0, 32)}`;

function writeExamples(): void {
  const byOperation: Record<string, Record<string, unknown>> = {};
  for (const step of STEPS) (byOperation[step.id] ??= {})[step.status] = answered.get(nameOf(step));
  const shown = JSON.stringify(byOperation)
    .replace(/lrl_\w+/g, SHOWN_KEY)
    .replace(/whsec_[\w+/]+=*/g, SHOWN_SECRET);
  writeFileSync(FILE, shown);
  const prettier = createRequire(import.meta.url).resolve('prettier/bin/prettier.cjs');
  spawnSync(process.execPath, [prettier, '--write', FILE]);
}

describe('the table of operations', () => {
  it('lists every served route with its scope, and nothing else', () => {
    const described = OPERATIONS.map(
      (operation) => `${operation.method} ${operation.path} ${scopesOf(operation)?.join()}`,
    );
    const routes = served.http.routes
      .filter(({ method }) => method !== 'HEAD')
      .map(
        ({ method, path, scopes }) => `${method.toLowerCase()} ${path.replace(/:(\w+)/g, '{$1}')} ${scopes?.join()}`,
      );
    expect(routes.sort()).toEqual(described.sort());
  });

  it('is right to state that every GET route also answers HEAD', () => {
    const paths = (asked: string) =>
      served.http.routes.filter(({ method }) => method === asked).map(({ path }) => path);
    expect(paths('HEAD').sort()).toEqual(paths('GET').sort());
  });
});

describe('the examples in the API document', () => {
  it.each(STEPS)('contain what $id answers with status $status', (step) => {
    expect(withoutPassing(shownExample(step))).toEqual(withoutPassing(answered.get(nameOf(step))));
  });

  it('cover every JSON answer of every operation', () => {
    const shown = new Set(STEPS.map(nameOf));
    const all = OPERATIONS.flatMap(({ id, answers }) =>
      Object.entries(answers)
        .filter(([, { schema, type, example }]) => schema !== null && type === undefined && example === undefined)
        .map(([status]) => `${id} ${status}`),
    );
    expect(all.filter((name) => !shown.has(name))).toEqual([]);
  });
});
