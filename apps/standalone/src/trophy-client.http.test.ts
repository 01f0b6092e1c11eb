import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import { HTTP_SUITE_CONFIGURATION, describeHttpSuite, type Exchange } from '@laurel/testing/http-suite';
import { describeTrophyClient } from '@laurel/testing/trophy';
import { serveInProcess, type Served } from './testing/serve-in-process.ts';

const exchanges: Exchange[] = [];
let database: TestDatabase;
let served: Served;

beforeAll(async () => {
  database = await openTestDatabase([]);
  served = await serveInProcess(database.connection, HTTP_SUITE_CONFIGURATION);
});

afterAll(async () => {
  await served?.close();
  await database?.close();
});

const observed = () => ({
  baseUrl: served.baseUrl,
  apiKey: served.apiKey,
  onAnswer: (exchange: Exchange) => void exchanges.push(exchange),
});

describeHttpSuite(observed);
describeTrophyClient(
  () => served,
  () => exchanges,
);
