import type { TestDatabase } from '@laurel/testing/database';
import {
  HTTP_SUITE_CONFIGURATION,
  describeExplainedNumbers,
  describeHttpSuite,
  explainedNumbers,
  patientReader,
  type Exchange,
  type HttpSuiteTarget,
} from '@laurel/testing/http-suite';
import { openServiceDatabase } from '@laurel/testing/service-database';
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
  database = await openServiceDatabase();
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

describeExplainedNumbers(() => target, { every: 1, runs: 10 });

describe('the check of explained numbers', () => {
  const read = patientReader(() => target);

  it.each(['change', 'awarded', 'recorded', 'length'])(
    'finds a number that is one too large in the field %s of an answer',
    async (field) => {
      const lie = async (path: string) =>
        (await read(path))?.replace(new RegExp(`"${field}":(\\d+)`), (_, n) => `"${field}":${Number(n) + 1}`) ?? null;
      const { findings } = await explainedNumbers(lie, { every: 20, runs: 2 });
      expect(findings).not.toEqual([]);
    },
    300_000,
  );
});
