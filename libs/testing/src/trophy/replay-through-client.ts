import type { TrophyApiClient, TrophyApiError } from '@trophyso/node';
import type { Exchange } from '../http-suite/client.ts';
import { ReplayServer } from './replay-server.ts';
import { findTrophyRoute, isBesideTheClient, type FoundRoute } from './trophy-routes.ts';
import { trophySchema } from './trophy-schemas.ts';

export interface Replays {
  /** Routes of the client whose successful answers were parsed, such as `GET /v1/users/:id`. */
  readonly parsed: ReadonlySet<string>;
  /** Answers that the client did not accept, one sentence each. */
  readonly failures: readonly string[];
}

/** The client as in its README, but with another address. */
export async function trophyClient(url: string, apiKey: string): Promise<TrophyApiClient> {
  const { TrophyApiClient } = await import('@trophyso/node');
  return new TrophyApiClient({ apiKey, environment: { api: `${url}/v1`, admin: `${url}/admin/v1` } });
}

export const pathnameOf = (path: string): string => new URL(path, 'http://127.0.0.1').pathname;

/**
 * Gives the client each of these answers again, over HTTP, through its own method for the route. A successful answer
 * must be parsed; a refusal must become the client's error for that status, with the plain sentence. For requests that
 * the client cannot make, only the client's error schema is checked.
 */
export async function replayThroughClient(exchanges: readonly Exchange[]): Promise<Replays> {
  const server = await ReplayServer.open(exchanges);
  const [parsed, failures] = [new Set<string>(), [] as string[]];
  try {
    for (const [index, exchange] of exchanges.entries()) {
      if (!hasBody(exchange)) continue;
      const found = findTrophyRoute(exchange.method, pathnameOf(exchange.path));
      const failure = found ? await replay(server, index, exchange, found) : await checkOther(exchange);
      if (failure !== null) failures.push(`${exchange.method} ${exchange.path}: ${failure}`);
      else if (found && isGood(exchange)) parsed.add(`${found.route.method} ${found.route.path}`);
    }
  } finally {
    await server.close();
  }
  return { parsed, failures };
}

const hasBody = ({ method, answer }: Exchange): boolean => method !== 'HEAD' && answer.status !== 304;

const isGood = ({ answer }: Exchange): boolean => answer.status < 300;

async function replay(
  server: ReplayServer,
  index: number,
  exchange: Exchange,
  { route, parts }: FoundRoute,
): Promise<string | null> {
  const client = await trophyClient(server.urlOf(index), 'a key');
  const outcome = await route.call(client, ...parts).then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  const expected = `${exchange.method} ${pathnameOf(exchange.path).replace(/^\/api\//, '/v1/')}`;
  if (server.requested(index) !== expected) return `the client asked for ${server.requested(index)}`;
  if ('error' in outcome)
    return isGood(exchange) ? describeError(outcome.error) : refusalProblem(outcome.error, exchange);
  return isGood(exchange) ? null : `the client took a refusal (${exchange.answer.status}) for an answer`;
}

/** The client has named errors for some statuses, and a general one for the rest; both keep the body. */
function refusalProblem(error: unknown, { answer }: Exchange): string | null {
  const { statusCode, body } = error as TrophyApiError;
  if (statusCode !== answer.status) return describeError(error);
  const sentence = (body as { error?: unknown } | undefined)?.error;
  return typeof sentence === 'string' && sentence !== '' ? null : 'the client has no sentence to show';
}

async function checkOther(exchange: Exchange): Promise<string | null> {
  if (isGood(exchange)) return isBesideTheClient(pathnameOf(exchange.path)) ? null : 'a route that is on no list';
  const parsed = await (await trophySchema('ErrorBody')).parse(exchange.answer.json, PASSING);
  return parsed.ok ? null : JSON.stringify(parsed.errors);
}
const PASSING = { unrecognizedObjectKeys: 'passthrough' };

/** The schema's errors are only in the fields of the thrown error. */
const describeError = (error: unknown): string => `${String(error)} ${JSON.stringify(error)}`;
