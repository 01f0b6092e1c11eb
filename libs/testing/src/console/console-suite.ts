import type { Browser } from 'playwright-core';
import type { TestDatabase } from '../database/index.ts';
import { openServiceDatabase } from '../service-database.ts';
import type { Json } from '../http-suite/index.ts';
import { askingBy } from './ask.ts';
import { startBrowser, Visit } from './visit.ts';

interface Served {
  readonly baseUrl: string;
  readonly apiKey: string;
  close(): Promise<void>;
}

/** A service and a browser for the tests of one file, from its first `beforeAll` to its last `afterAll`. */
export function consoleSuite<Service extends Served>(
  serve: (connection: TestDatabase['connection']) => Promise<Service>,
) {
  let database: TestDatabase;
  let served: Service;
  let browser: Browser;
  beforeAll(async () => {
    database = await openServiceDatabase();
    served = await serve(database.connection);
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await served?.close();
    await database?.close();
  });
  const ask = askingBy(() => served);
  return {
    ask,
    record: (user: object, metric = 'lessons', value = 3): Promise<Json> =>
      ask('POST', `/v1/metrics/${metric}/event`, { user, value }),
    database: () => database,
    served: () => served,
    visit: (options?: Parameters<typeof Visit.begin>[2], baseUrl = served.baseUrl): Promise<Visit> =>
      Visit.begin(browser, baseUrl, options),
  };
}
