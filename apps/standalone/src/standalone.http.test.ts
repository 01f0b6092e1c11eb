import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import { HTTP_SUITE_CONFIGURATION, describeHttpSuite, type HttpSuiteTarget } from '@laurel/testing/http-suite';
import { serveInProcess, type Served } from './testing/serve-in-process.ts';

/**
 * Against a server of one's own: LAUREL_TEST_URL and LAUREL_TEST_API_KEY; it must have been started with the suite's
 * configuration before its first event.
 */
const given = process.env['LAUREL_TEST_URL'];

let database: TestDatabase | null = null;
let served: Served | null = null;
let target: HttpSuiteTarget;

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

describeHttpSuite(() => target);
