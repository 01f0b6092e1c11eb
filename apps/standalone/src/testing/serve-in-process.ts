import { ACCOUNT } from '@laurel/kernel';
import { parseDocument } from '@laurel/configuration';
import type { Clock, FileSystemSpace } from '@laurel/ports';
import type { ConnectionOptions } from '@laurel/database';
import { openConsole } from '@laurel/console-server';
import { liveEvent } from '@laurel/queries';
import { Health, basePathOf, createClock, createLogger, type HttpApplication } from '@laurel/runtime';
import { observeWebhooks, SecretBox } from '@laurel/webhooks';
import { openServiceDatabase } from '@laurel/testing/service-database';
import { openKeys, startConfiguration, type Keys } from '@laurel/administration';
import { registerHealth, watchBackground } from '../health-checks.ts';
import { serveHttp } from '../serve-http.ts';
import { ServiceMetrics } from '../service-metrics.ts';
import { keyLog, type Service } from '../start-service.ts';
import { startWithWebhooks } from '../start-with-webhooks.ts';
import { QUIET } from './quiet.ts';

export const TEST_KEY = 'a key for tests, 24+ characters';

/** What the disk of the test's database is taken for. */
export const SPACE: FileSystemSpace = { freeBytes: 40 * 1024 ** 3, totalBytes: 100 * 1024 ** 3 };

export interface Served {
  readonly service: Service;
  readonly http: HttpApplication;
  readonly keys: Keys;
  readonly baseUrl: string;
  readonly apiKey: string;
  close(): Promise<void>;
}

/** The standalone service on a fresh database, which goes when it is closed, on a free port. */
export async function serveOnFreshDatabase(configuration: string, clock?: Clock, publicUrl?: string): Promise<Served> {
  const database = await openServiceDatabase();
  try {
    const served = await serveInProcess(database.connection, configuration, clock, publicUrl);
    return { ...served, close: () => served.close().finally(() => database.close()) };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** The standalone service on a database of the test's, on a free port. */
export async function serveInProcess(
  connection: ConnectionOptions,
  configuration: string,
  clock: Clock = createClock({ type: 'system' }),
  publicUrl: string | null = null,
): Promise<Served> {
  const { document, problems } = parseDocument(configuration, 'test configuration');
  if (problems) throw new Error(JSON.stringify(problems));
  const metrics = new ServiceMetrics('local');
  const events = { ...QUIET, onCommitted: metrics.onCommitted };
  const { service, webhooks } = await startWithWebhooks(
    ...([connection, clock, events] as const),
    {
      ...{ account: ACCOUNT, retryScale: 1, box: new SecretBox(() => TEST_KEY), allow: ['127.0.0.1'] },
      ...{ onFailure: () => undefined, onDisabled: () => undefined, onForgetFailure: () => undefined },
    },
    () => Promise.resolve(SPACE),
  );
  const { engine, configurationFiles: files } = service;
  const held = await startConfiguration(ACCOUNT, {
    engine,
    files,
    file: { document, text: configuration },
    demo: false,
  });
  const keys = await openKeys({
    dataSource: service.dataSource,
    account: ACCOUNT,
    given: TEST_KEY,
    clock,
    log: keyLog(service),
    onTrouble: () => undefined,
  });
  metrics.observe(service);
  const health = new Health(clock);
  registerHealth(health, service);
  observeWebhooks({ metrics: metrics.metrics, health, clock }, () => webhooks);
  const logger = createLogger('silent');
  const background = watchBackground(service, { health, logger, clock, metrics: metrics.metrics });
  const console = openConsole({
    dataSource: service.dataSource,
    sql: service.bounded.sql,
    keys: keys.known,
    clock,
    publicUrl,
    live: {
      reads: service.live,
      directory: service.bounded.directory,
      answer: liveEvent((account) => service.engine.historyOf(account)),
      onFailure: () => undefined,
    },
  });
  await webhooks.start();
  const http = await serveHttp(
    service,
    keys,
    held,
    health,
    logger,
    clock,
    metrics,
    { basePath: basePathOf(publicUrl) },
    console,
    webhooks,
    () => background.problems,
  );
  const baseUrl = await http.listen(0, '127.0.0.1');
  return {
    service,
    http,
    keys,
    baseUrl,
    apiKey: TEST_KEY,
    close: async () => {
      await http.close();
      background.stop();
      await webhooks.close();
      await keys.stop();
      await service.close();
    },
  };
}
