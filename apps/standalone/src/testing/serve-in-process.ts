import { ACCOUNT } from '@laurel/kernel';
import { parseDocument } from '@laurel/configuration';
import type { Clock, FileSystemSpace } from '@laurel/ports';
import type { ConnectionOptions } from '@laurel/database';
import { Health, basePathOf, createClock, createLogger, type HttpApplication } from '@laurel/runtime';
import { observeWebhooks, SecretBox } from '@laurel/webhooks';
import { openServiceDatabase } from '@laurel/testing/service-database';
import { openKeys, startConfiguration, type Keys } from '@laurel/administration';
import { registerHealth, watchBackground } from '../health-checks.ts';
import { serveHttp } from '../serve-http.ts';
import { openServiceConsole } from '../service-console.ts';
import { ServiceMetrics } from '../service-metrics.ts';
import { keyLog, type Service } from '../start-service.ts';
import { startWithWebhooks } from '../start-with-webhooks.ts';
import { QUIET } from './quiet.ts';

export const TEST_KEY = 'a key for tests, 24+ characters';

/** The disk space that the service reads in tests. */
export const SPACE: FileSystemSpace = { freeBytes: 40 * 1024 ** 3, totalBytes: 100 * 1024 ** 3 };

export interface Served {
  readonly service: Service;
  readonly http: HttpApplication;
  readonly keys: Keys;
  readonly baseUrl: string;
  readonly apiKey: string;
  close(): Promise<void>;
}

/** The standalone service on a free port and a fresh database, which is dropped when the service is closed. */
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

/** The standalone service on a free port and the given database. */
export async function serveInProcess(
  connection: ConnectionOptions,
  configuration: string,
  clock: Clock = createClock({ type: 'system' }),
  publicUrl: string | null = null,
): Promise<Served> {
  const { document, problems } = parseDocument(configuration, 'test configuration');
  if (problems) throw new Error(JSON.stringify(problems));
  const metrics = new ServiceMetrics('local');
  const { service, webhooks } = await startWithWebhooks({
    connection,
    clock,
    events: { ...QUIET, onCommitted: metrics.onCommitted },
    webhooks: {
      account: ACCOUNT,
      retryScale: 1,
      box: new SecretBox(() => TEST_KEY),
      allow: ['127.0.0.1'],
      onFailure: ignore,
      onDisabled: ignore,
      onForgetFailure: ignore,
    },
    space: () => Promise.resolve(SPACE),
  });
  const { engine, configurationFiles: files, directory: hashing } = service;
  const heldFile = await startConfiguration(ACCOUNT, {
    engine,
    files,
    hashing,
    file: { document, text: configuration },
    demo: false,
  });
  const keys = await openKeys({
    dataSource: service.dataSource,
    account: ACCOUNT,
    given: TEST_KEY,
    clock,
    log: keyLog(service),
    onTrouble: ignore,
  });
  metrics.observe(service);
  const health = new Health(clock);
  registerHealth(health, service);
  observeWebhooks({ metrics: metrics.metrics, health, clock }, () => webhooks);
  const logger = createLogger('silent');
  const background = watchBackground(service, { health, logger, clock, metrics: metrics.metrics });
  const console = openServiceConsole({ service, keys, clock, publicUrl, onFailure: ignore });
  await webhooks.start();
  const http = await serveHttp({
    service,
    keys,
    heldFile,
    health,
    logger,
    clock,
    metrics,
    http: { basePath: basePathOf(publicUrl) },
    console,
    webhooks,
    problems: () => background.problems,
  });
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

const ignore = (): void => undefined;
