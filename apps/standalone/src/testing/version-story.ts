import { parseDocument } from '@laurel/configuration';
import type { Clock } from '@laurel/ports';
import type { ConnectionOptions } from '@laurel/database';
import { createClock } from '@laurel/runtime';
import { serveInProcess } from './serve-in-process.ts';

// A test reads answers like a client that knows only the specification.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Json = any;

export interface StoryAnswer {
  readonly status: number;
  readonly json: Json;
}

/** A service whose configuration is changed while it runs, on a clock that moves by hand. */
export interface VersionStory {
  ask(method: 'GET' | 'POST', path: string, body?: unknown): Promise<StoryAnswer>;
  /** The body of a read that must answer 200. */
  read(path: string): Promise<Json>;
  /** The answer to an event of value 1 that must be recorded. */
  event(userId: string, metric: string, value?: number): Promise<Json>;
  publish(configuration: string): Promise<StoryAnswer>;
  plan(configuration: string): Promise<Json>;
  /** Lets time pass, and settles what falls due. */
  pass(ms: number): Promise<void>;
  /** Stops the service and starts it again with this configuration in LAUREL_CONFIG. */
  restart(configuration: string): Promise<void>;
  close(): Promise<void>;
}

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
/** A Tuesday morning. */
const START = Date.parse('2026-03-10T08:00:00Z');

/** A story on the test's database. */
export async function openStory(connection: ConnectionOptions, configuration: string): Promise<VersionStory> {
  let now = START;
  const clock: Clock = { ...createClock({ type: 'system' }), now: () => now };
  let served = await serveInProcess(connection, configuration, clock);
  const ask: VersionStory['ask'] = async (method, path, body) => {
    const response = await fetch(new URL(path, served.baseUrl), {
      method,
      headers: { 'x-api-key': served.apiKey, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, json: await response.json() };
  };
  return {
    ask,
    read: (path) => must(200, ask('GET', path)),
    event: (id, metric, value = 1) => must(201, ask('POST', `/v1/metrics/${metric}/event`, { user: { id }, value })),
    publish: (text) => ask('POST', '/admin/v1/configurations', { document: documentOf(text) }),
    plan: (text) => must(200, ask('POST', '/admin/v1/configurations/plan', { document: documentOf(text) })),
    pass: async (ms) => {
      now += ms;
      await served.service.engine.sweep();
    },
    restart: async (text) => {
      await served.close();
      served = await serveInProcess(connection, text, clock);
    },
    close: () => served.close(),
  };
}

async function must(status: number, asked: Promise<StoryAnswer>): Promise<Json> {
  const answer = await asked;
  if (answer.status !== status) throw new Error(`${answer.status}: ${JSON.stringify(answer.json)}`);
  return answer.json;
}

function documentOf(text: string): unknown {
  const { document, problems } = parseDocument(text, 'story.yaml');
  if (problems) throw new Error(JSON.stringify(problems));
  return document;
}
