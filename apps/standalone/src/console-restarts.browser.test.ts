import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '@laurel/embedded-postgres';
import { showsEachOnce, startBrowser, Visit } from '@laurel/testing/console';
import { HTTP_SUITE_CONFIGURATION } from '@laurel/testing/http-suite';
import type { Browser } from 'playwright-core';
import { serveInProcess, TEST_KEY } from './testing/serve-in-process.ts';
import { startProcess, type StandaloneProcess } from './testing/standalone-process.ts';

// The tools have no types.
const { freePort } = (await import(new URL('../../../tools/processes.mjs', import.meta.url).href)) as {
  freePort(): Promise<number>;
};

const METRIC = 'lessons';
/** The message of a browser if the service is down. */
const GONE = /net::ERR_|status of 503/;

const urlOf = ({ connection: { user, password, host, database } }: EmbeddedPostgres): string =>
  `postgres://${user}:${encodeURIComponent(password)}@localhost/${database}?host=${encodeURIComponent(host)}`;

describe('the live feed of an open page', () => {
  let server: EmbeddedPostgres;
  let folder: string;
  let port: number;
  let service: StandaloneProcess;
  let browser: Browser;
  let visit: Visit;
  /** In the order in which they were recorded. */
  const recorded: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'laurel-console-'));
    // As root, the database runs as another user, who must be able to pass through.
    await chmod(folder, 0o755);
    server = await startEmbeddedPostgres({ dataDir: join(folder, 'operator') });
    port = await freePort();
    // It publishes the configuration that the process goes on with.
    await (await serveInProcess(server.connection, HTTP_SUITE_CONFIGURATION)).close();
    service = await start();
    browser = await startBrowser();
    visit = await Visit.begin(browser, service.url);
    await visit.signIn(TEST_KEY);
    await visit.page.locator('.chip', { hasText: /^live$/ }).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    service?.process.kill('SIGTERM');
    await service?.ended;
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const start = () =>
    startProcess({
      ...{ LAUREL_PORT: String(port), LAUREL_API_KEY: TEST_KEY, LAUREL_DATABASE_URL: urlOf(server) },
      LAUREL_DATA_DIR: join(folder, 'data'),
    });

  async function record(baseUrl: string, ...users: readonly string[]): Promise<void> {
    for (const id of users) {
      const answer = await fetch(`${baseUrl}/v1/metrics/${METRIC}/event`, {
        ...{ method: 'POST', headers: { 'x-api-key': TEST_KEY, 'content-type': 'application/json' } },
        body: JSON.stringify({ user: { id }, value: 1 }),
      });
      if (answer.status !== 201) throw new Error(await answer.text());
      recorded.push(id);
    }
  }

  const showsAllOnce = (): Promise<void> => showsEachOnce(visit.page.locator('.live li a'), recorded);

  it.each(['SIGKILL', 'SIGTERM'] as const)('shows every event once after %s and a restart', async (signal) => {
    await record(service.url, `${signal}-1`, `${signal}-2`, `${signal}-3`);
    await showsAllOnce();
    service.process.kill(signal);
    expect(await service.ended).toBe(signal === 'SIGKILL' ? signal : 0);
    // Another process records meanwhile, where the page does not look.
    const meanwhile = await serveInProcess(server.connection, HTTP_SUITE_CONFIGURATION);
    await record(meanwhile.baseUrl, `${signal}-4`, `${signal}-5`);
    await meanwhile.close();
    service = await start();
    await record(service.url, `${signal}-6`);
    await showsAllOnce();
    await record(service.url, `${signal}-7`);
    await showsAllOnce();
    expect(visit.complaints().filter((text) => !GONE.test(text))).toEqual([]);
  });
});
