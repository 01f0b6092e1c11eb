import { ACCOUNT } from '@laurel/kernel';
import {
  AdministrationModule,
  LiveConfigurations,
  ProcessOperations,
  VerificationRuns,
  type HeldFile,
  type Keys,
} from '@laurel/administration';
import { Exports, logInOrder, SubscriberReads } from '@laurel/exports';
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

export interface ServedProcess {
  readonly service: Service;
  readonly keys: Keys;
  readonly heldFile: HeldFile;
  readonly health: Health;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly metrics: ServiceMetrics;
  readonly http?: Pick<HttpApplicationOptions, 'limits' | 'port' | 'basePath'>;
  /** A folder with another database, shown in the status; null if there is none. */
  readonly unusedDataFolder?: string | null;
  readonly console?: ConsolePorts | null;
  readonly webhooks?: Webhooks | null;
  /** Failures in the background, one sentence each. */
  readonly problems?: () => readonly string[];
}

/** The HTTP application of a standalone process. */
export function serveHttp(served: ServedProcess): Promise<HttpApplication> {
  const { service, keys, health, logger, clock, metrics, http, console = null, webhooks = null } = served;
  const modules = [
    ingestionModule(served),
    queriesModule(served),
    administrationModule(served),
    WebhooksModule.register({ webhooks: webhooks && (() => webhooks), logger }),
    DocumentsModule.register({
      configuration: () => service.configuration(ACCOUNT).current,
      hasConsole: console !== null,
      basePath: http?.basePath,
    }),
    ...(console === null ? [] : [ConsoleModule.register(console)]),
  ];
  return createHttpApplication({
    modules,
    keys: keys.known,
    health,
    metrics: metrics.metrics,
    logger,
    clock,
    ...http,
    sessions: console ?? undefined,
  });
}

function ingestionModule({ service, clock, metrics }: ServedProcess) {
  const { engine, decisions, directory, bounded, administrative, configuration, corrections } = service;
  const { users, achievements } = service.reads;
  const importOpen = (account: string) => engine.importOpen(account);
  return IngestionModule.register(
    {
      intake: engine,
      corrections,
      requests: decisions,
      directory,
      erasures: { directory, importOpen, places: (asked) => service.placesOfUser(asked) },
      clock,
      counts: metrics.counts,
      configuration,
      users,
      achievements,
      ...ANSWER_COMPOSERS,
    },
    {
      users: administrative.users,
      directory: bounded.directory,
      corrections: bounded.corrections,
      erasures: { directory: bounded.directory, importOpen, places: (asked) => bounded.placesOfUser(asked) },
    },
  );
}

function queriesModule({ service, clock }: ServedProcess) {
  const { reads, directory, bounded, administrative, configuration, explain } = service;
  return QueriesModule.register(
    { ...reads, directory, clock, configuration, explain: () => Promise.resolve(explain) },
    { ...administrative, directory: bounded.directory },
  );
}

function administrationModule(served: ServedProcess) {
  const { service, keys, clock, logger } = served;
  const { reads, log, directory, dataSource, bounded, administrative, configuration, logHash } = service;
  const operations = operationsOf(served);
  return AdministrationModule.register({
    operations,
    rebuilds: operations.rebuilds,
    verifications: new VerificationRuns({
      run: ({ full, onlyLog }, onProgress) => service.verify(ACCOUNT, full, onProgress, onlyLog),
      clock,
      onEnd: (verification, err) =>
        err
          ? logger.error({ verification, err }, 'verification failed')
          : logger.info({ verification }, 'verification completed'),
    }),
    configurations: new LiveConfigurations(service.engine, service.configurationFiles, directory),
    keys: keys.ring,
    logHash,
    audit: { log: bounded.log, directory: bounded.directory },
    exports: new Exports({
      ...reads,
      log,
      directory,
      told: new SubscriberReads(sqlReader(dataSource)),
      configuration,
      clock,
    }),
    events: logInOrder({ log: bounded.log, directory: bounded.directory }),
    outcomes: bounded.outcomes,
    support: { ...administrative, directory: bounded.directory, configuration },
    clock,
    logger,
  });
}

function operationsOf(served: ServedProcess): ProcessOperations {
  const { service, clock, health, heldFile, logger, webhooks = null } = served;
  const { engine, directory, storage } = service;
  const { users } = service.reads;
  return new ProcessOperations({
    engine,
    directory,
    users,
    clock,
    health,
    heldFile,
    unusedDataFolder: served.unusedDataFolder,
    storage,
    problems: served.problems ?? (() => []),
    webhooks: webhooks === null ? undefined : () => webhooks.status(),
    digest: (account) => service.digest(account),
    exportState: (account, at) => service.exportState(account, at),
    onRebuildEnd: (rebuild, err) =>
      err ? logger.error({ rebuild, err }, 'rebuild failed') : logger.info({ rebuild }, 'rebuild completed'),
  });
}
