import { pickDataDir } from '@laurel/embedded-postgres';
import {
  EnvironmentError,
  Health,
  HttpPort,
  LocalSocketInUseError,
  PortError,
  Shutdown,
  basePathOf,
  clockNote,
  createClock,
  createLogger,
  dataFolders,
  endOnUncaughtErrors,
  hashApiKey,
  httpLimits,
  lastingFailure,
  unknownVariables,
  type Environment,
  type HttpApplication,
  type Logger,
  type StepReport,
} from '@laurel/runtime';
import { ACCOUNT, describeDamage, repairCommand } from '@laurel/kernel';
import type { Clock } from '@laurel/ports';
import { SCOPES, watchPlaceholderUsers } from '@laurel/schemas';
import { StartError } from '@laurel/database';
import { StaleReadModelsError } from '@laurel/engine';
import { banner } from './banner.ts';
import type { Publication } from '@laurel/configuration';
import {
  ConfigurationError,
  type HeldFile,
  isDemo,
  readConfiguredFile,
  reportHeldFile,
  startConfiguration,
  makeFirstKey,
  type Keys,
  openKeys,
  reportLowSpace,
} from '@laurel/administration';
import { type ConsolePorts, openConsole } from '@laurel/console-server';
import { liveEvent } from '@laurel/queries';
import { deliverySettings, observeWebhooks, openSecretBox } from '@laurel/webhooks';
import { registerHealth, watchBackground } from './health-checks.ts';
import { openDatabase } from './open-database.ts';
import { recordOwnDatabase } from './own-database.ts';
import { serveHttp } from './serve-http.ts';
import { ServiceMetrics } from './service-metrics.ts';
import { keyLog } from './start-service.ts';
import { startWithWebhooks } from './start-with-webhooks.ts';
import { warmUp } from './warm-up/warm-up.ts';

async function start(environment: Environment, settings: string | null, logger: Logger, shutdown: Shutdown) {
  const clock = createClock(environment.clock);
  const health = new Health(clock);
  const limits = httpLimits(environment);
  const port = await HttpPort.open({
    port: environment.port,
    host: environment.host,
    clock: createClock({ type: 'system' }),
    logger,
    limits,
    basePath: basePathOf(environment.publicUrl),
    report: reportTo(logger),
  });
  shutdown.register('port', () => port.close());
  const file = await readConfiguredFile(environment.config);

  const dataDir = await chooseDataDir(environment);
  port.starting('opening the database');
  const database = await openDatabase(environment.databaseUrl, dataDir, (message) => logger.info(message));
  shutdown.register('database', () => database.close());
  database.onExit((exit) => {
    logger.fatal(exit, 'the embedded database ended; start again, everything recorded is there');
    process.exit(1);
  });

  const metrics = new ServiceMetrics(environment.metrics ?? 'local');
  const { service, webhooks } = await startWithWebhooks(
    database.connection,
    clock,
    {
      onStep: (step) => port.starting(step),
      onAreaFailure: (area, position, err) =>
        logger.error({ area, position, err }, 'an area is halted; events are recorded and parked for it'),
      onCommitted: metrics.onCommitted,
      onSweepFailure: lastingFailure(logger, clock, 'could not settle what fell due; the next sweep retries'),
      onDamagedState: (damage, err) =>
        logger.error({ ...damage, repair: repairCommand(damage), err }, describeDamage(damage)),
      onOutcomesFailure: lastingFailure(logger, clock, 'outcomes could not be made or deleted; they are tried again'),
      onUserSearch: {
        onProgress: (users, isBuilt) =>
          logger.info({ users }, isBuilt ? 'the index of users is built' : 'building the index of users'),
        onFailure: lastingFailure(logger, clock, 'could not keep the index of users; retrying'),
      },
      onQueueState: (state, err) => {
        if (state === 'fenced') {
          logger.fatal({ err }, 'another process writes to this database now');
          process.exit(1);
        }
        logger[err ? 'warn' : 'info']({ state, err }, 'the single-writer queue changed its state');
      },
    },
    {
      account: ACCOUNT,
      box: openSecretBox(environment.secretsKey, dataDir),
      ...deliverySettings(environment, logger, clock),
      onForgetFailure: (err) =>
        logger.warn({ err }, 'answers about an erased user could not be deleted; it is tried again in ten minutes'),
    },
    database.space,
  );
  shutdown.register('service', () => service.close());
  shutdown.register('webhooks', () => webhooks.close());
  service.userSearch.start(environment.userSearch === 'on');
  port.starting('publishing the configuration');
  const { engine, configurationFiles: files } = service;
  const demo = environment.databaseUrl === null;
  const held = await startConfiguration(ACCOUNT, { engine, files, file, demo, logger });
  reportHeldFile(held, health, logger);

  if (environment.databaseUrl !== null)
    await recordOwnDatabase(dataDir, database.place).catch((err: unknown) =>
      logger.warn({ err, dataDir }, 'the data folder cannot record that the data is in LAUREL_DATABASE_URL'),
    );

  port.starting('warming up');
  await warmUp(service, clock).catch((err: unknown) =>
    logger.warn({ err }, 'the service could not be warmed up; its first events take longer'),
  );

  port.starting('opening the API');
  const keys = await openKeys({
    dataSource: service.dataSource,
    account: ACCOUNT,
    given: environment.apiKey,
    clock,
    log: keyLog(service),
    onTrouble: lastingFailure(logger, clock, 'could not record the event of an API key; retrying'),
  });
  shutdown.register('keys', () => keys.stop());
  if (environment.apiKey !== null && typeof keys.known.find(hashApiKey(environment.apiKey)) === 'string')
    logger.warn('the key of LAUREL_API_KEY was revoked or has expired: it is refused');
  registerHealth(health, service);
  const background = watchBackground(service, { health, logger, clock, metrics: metrics.metrics });
  shutdown.register('background', () => Promise.resolve(background.stop()));
  shutdown.register('disk space', reportLowSpace(service.storage, health, logger, clock));
  const warnOfPlaceholders = (users: readonly string[], text: string) => logger.warn({ users }, text);
  shutdown.register('placeholder users', watchPlaceholderUsers(service, ACCOUNT, clock, warnOfPlaceholders));
  const note = clockNote(environment.clock);
  if (note !== null) health.note('clock', note);

  metrics.observe(service);
  observeWebhooks({ metrics: metrics.metrics, health, clock }, () => webhooks);
  const browserConsole = environment.console
    ? openConsole({
        dataSource: service.dataSource,
        sql: service.bounded.lookUps,
        keys: keys.known,
        clock,
        publicUrl: environment.publicUrl,
        live: {
          ...{
            reads: service.live,
            directory: service.bounded.directory,
            answer: liveEvent((account) => service.engine.historyOf(account)),
          },
          onFailure: lastingFailure(logger, clock, 'the live feed could not be read; it is tried again'),
        },
      })
    : null;
  const http = await serveHttp(
    service,
    keys,
    held,
    health,
    logger,
    clock,
    metrics,
    { limits, port, unusedDataFolder: database.unused, basePath: basePathOf(environment.publicUrl) },
    browserConsole,
    webhooks,
    () => background.problems,
  );
  shutdown.register('http', () => closeWithin(http, clock, HTTP_PATIENCE_MS));
  await listenLocally(http, dataDir, logger);
  const url = await http.listen(environment.port, environment.host);
  await webhooks.start();
  const shownOnce = await makeFirstKey(keys.ring, ACCOUNT, environment.apiKey);
  const metric = engine.historyOf(ACCOUNT).current.metrics[0]?.key ?? '';
  const config = configurationInWords(environment.config, engine.publications(ACCOUNT).at(-1), held);
  const page = browserConsole && (await consolePage(browserConsole, keys, shownOnce, url));
  const { place, unused } = database;
  console.log(
    banner({
      url,
      place,
      unused,
      settings,
      keyIsGiven: environment.apiKey !== null,
      metric,
      shownOnce,
      console: page,
      config,
      clock: note,
    }),
  );
}

/** Where a browser begins: with the first key, a link that signs in once and ends with that key. */
async function consolePage(
  { sessions, publicUrl }: ConsolePorts,
  { known }: Pick<Keys, 'known'>,
  firstKey: string | null,
  url: string,
): Promise<string> {
  // Without TLS, browsers may sign in on this machine only, and only by a name that they take for it.
  const { port } = new URL(url);
  const home = `${publicUrl ?? `http://localhost${port === '' ? '' : `:${port}`}`}/console`;
  if (firstKey === null) return home;
  const hash = hashApiKey(firstKey);
  const principal = await known.find(hash);
  if (typeof principal === 'string') return home;
  const link = await sessions.link(principal, SCOPES, { kind: 'key', hash });
  return link === null ? home : `${home}/first-event#token=${link.token}`;
}

function configurationInWords(file: string | null, inForce: Publication | undefined, held: HeldFile): string {
  if (held.present?.overDemo) return `version ${inForce?.version}, the demo; ${held.note}`;
  if (held.present !== null) return `version ${inForce?.version}; ${file} was not published: see the log`;
  if (file !== null) return file;
  if (inForce !== undefined && isDemo(inForce.document))
    return 'a demo (a study app); for your own, set LAUREL_CONFIG and a new LAUREL_DATA_DIR';
  return `version ${inForce?.version}, as published; LAUREL_CONFIG is not set`;
}

/**
 * The whole service, until a signal ends it; ends the process with 1 if it cannot be started, and says why.
 * @param settings the file that variables were read from; null: none
 */
export async function runStandalone(environment: Environment, settings: string | null): Promise<void> {
  endOnUncaughtErrors();
  const logger = createLogger(environment.logLevel);
  for (const warning of unknownVariables(process.env)) logger.warn(warning);
  const shutdown = new Shutdown(logger);
  shutdown.listen();
  try {
    await start(environment, settings, logger, shutdown);
  } catch (error) {
    await shutdown.stop();
    refuse(error);
  }
}

function refuse(error: unknown): never {
  const expected = error instanceof EnvironmentError || error instanceof ConfigurationError || isRefusal(error);
  console.error(expected ? (error as Error).message : error);
  if (error instanceof StaleReadModelsError) console.error(`run: npx laurel rebuild ${error.areas.join(' ')}`);
  process.exit(1);
}

/** For people, beside the log: a first start takes its time. */
function reportTo(logger: Logger): StepReport {
  const report: StepReport = (step, seconds) => {
    if (!logger.isLevelEnabled('info')) return;
    const name = step.charAt(0).toUpperCase() + step.slice(1);
    console.error(seconds === null ? `${name} ...` : `${name}: ${seconds.toFixed(1)} s`);
  };
  report('loading the service', performance.now() / 1_000);
  return report;
}

/** A slow client must not keep a process from stopping. */
const HTTP_PATIENCE_MS = 10_000;

async function closeWithin(http: HttpApplication, clock: Clock, patienceMs: number): Promise<void> {
  const cancel = clock.after(patienceMs, () => http.closeConnections());
  await http.close();
  cancel();
}

/** One that the embedded database can use; if there is none, the preferred folder, which only this process has to reach. */
async function chooseDataDir(environment: Environment): Promise<string> {
  const folders = dataFolders(environment);
  if (environment.databaseUrl !== null) return folders[0];
  return pickDataDir(...folders);
}

/** The service is of use without it: a read-only folder does not keep it from starting. */
async function listenLocally(http: HttpApplication, dataDir: string, logger: Logger): Promise<void> {
  try {
    await http.listenLocally(dataDir, ACCOUNT);
  } catch (err) {
    if (err instanceof LocalSocketInUseError) throw err;
    logger.warn({ err, dataDir }, 'no local socket: `laurel` commands need --url and a key');
  }
}

/** Errors that say what to do; a stack would only hide it. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof StartError ||
    error instanceof PortError ||
    error instanceof StaleReadModelsError ||
    (error instanceof Error &&
      [
        'LogInUseError',
        'OldLogError',
        'DataFolderInUseError',
        'EmbeddedPostgresError',
        'LocalSocketInUseError',
      ].includes(error.name))
  );
}
