import {
  HTTP_SUITE_CONFIGURATION,
  describeHttpSuite,
  describeTrophyClient,
  openTestDatabase,
  type Exchange,
  type TestDatabase,
} from '@laurel/testing';
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
