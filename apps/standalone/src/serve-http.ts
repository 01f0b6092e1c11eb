import { ACCOUNT } from '@laurel/kernel';
import {
  AdministrationModule,
  LiveConfigurations,
  ProcessOperations,
  VerificationRuns,
  type HeldFile,
  type Keys,
} from '@laurel/administration';
import { Exports, logInOrder, ToldReads } from '@laurel/exports';
import { ConsoleModule, type ConsolePorts } from '@laurel/console-server';
import type { Clock } from '@laurel/ports';
import { sqlReader } from '@laurel/database';
import { IngestionModule } from '@laurel/ingestion';
import { DocumentsModule } from '@laurel/openapi';
import { ANSWER_COMPOSERS, QueriesModule } from '@laurel/queries';
import {
  createHttpApplication,
  type Health,
  type HttpApplication,
  type HttpApplicationOptions,
  type Logger,
} from '@laurel/runtime';
import { WebhooksModule, type Webhooks } from '@laurel/webhooks';
import type { ServiceMetrics } from './service-metrics.ts';
import type { Service } from './start-service.ts';

interface ServeOptions extends Pick<HttpApplicationOptions, 'limits' | 'port' | 'basePath'> {
  /** With another database, for the status; null: there is none. */
  readonly unusedDataFolder?: string | null;
}

/** The doors of a standalone process. */
export function serveHttp(
  service: Service,
  keys: Keys,
  heldFile: HeldFile,
  health: Health,
  logger: Logger,
  clock: Clock,
  { metrics, counts }: ServiceMetrics,
  { unusedDataFolder = null, ...options }: ServeOptions = {},
  console: ConsolePorts | null = null,
  webhooks: Webhooks | null = null,
  problems: () => readonly string[] = () => [],
): Promise<HttpApplication> {
  const { engine, directory, users, streaks, achievements, points, leaderboards, explain, administrative, bounded } =
    service;
  const configuration = (account: string) => engine.historyOf(account);
  const operations = new ProcessOperations({
    engine,
    directory,
    users,
    clock,
    health,
    heldFile,
    unusedDataFolder,
    storage: service.storage,
    problems,
    ...(webhooks !== null && { webhooks: () => webhooks.status() }),
    digest: (account) => service.digest(account),
    exportState: (account, at) => service.exportState(account, at),
    onRebuildEnd: (rebuild, err) =>
      err ? logger.error({ rebuild, err }, 'rebuild failed') : logger.info({ rebuild }, 'rebuilt'),
  });
  const verifications = new VerificationRuns({
    run: ({ full, onlyLog }, onProgress) => service.verify(ACCOUNT, full, onProgress, onlyLog),
    clock,
    onEnd: (verification, err) =>
      err ? logger.error({ verification, err }, 'verification failed') : logger.info({ verification }, 'verified'),
  });
  const modules = [
    IngestionModule.register(
      {
        intake: engine,
        corrections: service.corrections,
        directory,
        erasures: {
          directory,
          importOpen: (account) => engine.importOpen(account),
          places: (asked) => service.placesOfUser(asked),
        },
        clock,
        counts,
        configuration,
        users,
        achievements,
        ...ANSWER_COMPOSERS,
      },
      {
        ...{ users: administrative.users, directory: bounded.directory, corrections: bounded.corrections },
        erasures: {
          directory: bounded.directory,
          importOpen: (account) => engine.importOpen(account),
          places: (asked) => bounded.placesOfUser(asked),
        },
      },
    ),
    QueriesModule.register(
      {
        ...{ directory, users, streaks, achievements, points, leaderboards, clock, configuration },
        explain: () => Promise.resolve(explain),
      },
      { ...administrative, directory: bounded.directory },
    ),
    AdministrationModule.register({
      operations,
      rebuilds: operations.rebuilds,
      verifications,
      configurations: new LiveConfigurations(engine, service.configurationFiles),
      keys: keys.ring,
      logHash: service.logHash,
      audit: { log: bounded.log, directory: bounded.directory },
      exports: new Exports({
        ...{ log: service.log, directory, users, streaks, achievements, points, leaderboards },
        ...{ told: new ToldReads(sqlReader(service.dataSource)), configuration, clock },
      }),
      events: logInOrder({ log: bounded.log, directory: bounded.directory }),
      outcomes: bounded.outcomes,
      support: { ...administrative, directory: bounded.directory, configuration },
      clock,
      logger,
    }),
    WebhooksModule.register({ webhooks: webhooks && (() => webhooks), logger }),
    DocumentsModule.register({
      configuration: () => configuration(ACCOUNT).current,
      hasConsole: console !== null,
      ...(options.basePath !== undefined && { basePath: options.basePath }),
    }),
    ...(console === null ? [] : [ConsoleModule.register(console)]),
  ];
  const sessions = console === null ? {} : { sessions: console };
  return createHttpApplication({ modules, keys: keys.known, health, metrics, logger, clock, ...options, ...sessions });
}
