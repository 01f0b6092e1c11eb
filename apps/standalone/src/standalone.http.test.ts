import { setTimeout as sleep } from 'node:timers/promises';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import {
  HTTP_SUITE_CONFIGURATION,
  describeHttpSuite,
  explainedNumbers,
  type Exchange,
  type HttpSuiteTarget,
} from '@laurel/testing/http-suite';
import { describeTrophyClient } from '@laurel/testing/trophy';
import { serveInProcess, type Served } from './testing/serve-in-process.ts';

/**
 * Against a server of one's own: LAUREL_TEST_URL and LAUREL_TEST_API_KEY; it must have been started with the suite's
 * configuration before its first event.
 */
const given = process.env['LAUREL_TEST_URL'];

let database: TestDatabase | null = null;
let served: Served | null = null;
let target: HttpSuiteTarget;
const exchanges: Exchange[] = [];

beforeAll(async () => {
  if (given !== undefined) {
    target = { baseUrl: given, apiKey: process.env['LAUREL_TEST_API_KEY'] ?? '' };
    return;
  }
  database = await openTestDatabase([]);
  served = await serveInProcess(database.connection, HTTP_SUITE_CONFIGURATION);
  target = served;
});

afterAll(async () => {
  await served?.close();
  await database?.close();
});

describeHttpSuite(() => ({ ...target, onAnswer: (exchange) => void exchanges.push(exchange) }));

describeTrophyClient(
  () => target,
  () => exchanges,
);

describe('every number that these have led to', () => {
  const read = async (path: string): Promise<string | null> => {
    const ask = () => fetch(new URL(path, target.baseUrl), { headers: { 'x-api-key': target.apiKey } });
    // The server may close a connection that was idle just when the next request is sent on it. A read can be sent again.
    const response = await ask().catch(ask);
    const text = await response.text();
    if (response.status === 404) return null;
    // As on a machine that is busy with other tests: a client asks again then.
    if (response.status === 503) {
      await sleep(1_000 * Number(response.headers.get('retry-after')));
      return read(path);
    }
    if (response.status !== 200) throw new Error(`GET ${path} was answered ${response.status}: ${text}`);
    return text;
  };

  it('is what its explanation adds up to', async () => {
    const { users, numbers, findings } = await explainedNumbers(read, { every: 1, runs: 10 });
    expect(findings).toEqual([]);
    expect([users > 50, numbers > 20 * users]).toEqual([true, true]);
  }, 300_000);

  it.each(['change', 'awarded', 'recorded', 'length'])(
    'is not, where %s of an answer is one too many',
    async (field) => {
      const lie = async (path: string) =>
        (await read(path))?.replace(new RegExp(`"${field}":(\\d+)`), (_, n) => `"${field}":${Number(n) + 1}`) ?? null;
      const { findings } = await explainedNumbers(lie, { every: 20, runs: 2 });
      expect(findings).not.toEqual([]);
    },
    300_000,
  );
});
