import { pickDataDir } from '@laurel/embedded-postgres';
import {
  EnvironmentError,
  LocalSocketInUseError,
  PortError,
  Shutdown,
  basePathOf,
  clockNote,
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
} from '@laurel/runtime';
import { ACCOUNT } from '@laurel/kernel';
import type { Clock } from '@laurel/ports';
import { watchPlaceholderUsers } from '@laurel/schemas';
import { StartError } from '@laurel/database';
import { StaleReadModelsError } from '@laurel/engine';
import {
  ConfigurationError,
  type HeldFile,
  readConfiguredFile,
  reportHeldFile,
  startConfiguration,
  makeFirstKey,
  type Keys,
  openKeys,
  reportLowSpace,
} from '@laurel/administration';
import { deliverySettings, observeWebhooks, openSecretBox, type Webhooks } from '@laurel/webhooks';
import { banner } from './banner.ts';
import { configurationInWords } from './configuration-in-words.ts';
import { registerHealth, watchBackground } from './health-checks.ts';
import { logServiceEvents } from './log-service-events.ts';
import { openDatabase, type OpenDatabase } from './open-database.ts';
import { recordOwnDatabase } from './own-database.ts';
import { serveHttp } from './serve-http.ts';
import { consolePage, openServiceConsole } from './service-console.ts';
import { openFrame, type StandaloneFrame } from './standalone-frame.ts';
import { keyLog, type Service } from './start-service.ts';
import { startWithWebhooks } from './start-with-webhooks.ts';
import { warmUp } from './warm-up/warm-up.ts';

/**
 * Runs the whole service until a signal ends it. If it cannot be started, prints why and ends the process with 1.
 * @param settings the file that variables were read from, or null if there is none
 */
export async function runStandalone(environment: Environment, settings: string | null): Promise<void> {
  endOnUncaughtErrors();
  const logger = createLogger(environment.logLevel);
  for (const warning of unknownVariables(process.env)) logger.warn(warning);
  const shutdown = new Shutdown(logger);
  shutdown.listen();
  try {
    await start(await openFrame(environment, logger, shutdown), settings);
  } catch (error) {
    await shutdown.stop();
    refuse(error);
  }
}

async function start(frame: StandaloneFrame, settings: string | null): Promise<void> {
  const { environment, logger, shutdown, clock, health, port, metrics } = frame;
  const { apiKey, publicUrl } = environment;
  const file = await readConfiguredFile(environment.config);
  const dataDir = await chooseDataDir(environment);
  const database = await openWatchedDatabase(frame, dataDir);
  const { service, webhooks } = await openService(frame, dataDir, database);
  const heldFile = await publishConfiguration(frame, service, file);
  await noteOwnDatabase(frame, dataDir, database);
  port.starting('warming up');
  await warmUp(service, clock).catch((err: unknown) =>
    logger.warn({ err }, 'the service could not be warmed up; its first events take longer'),
  );
  port.starting('opening the API');
  const keys = await openServiceKeys(frame, service);
  const background = watchService(frame, service, webhooks);
  const onFailure = lastingFailure(logger, clock, 'the live feed could not be read; it is tried again');
  const pages = environment.console ? openServiceConsole({ service, keys, clock, publicUrl, onFailure }) : null;
  const http = await serveHttp({
    service,
    keys,
    heldFile,
    health,
    logger,
    clock,
    metrics,
    http: { limits: httpLimits(environment), port, basePath: basePathOf(publicUrl) },
    unusedDataFolder: database.unused,
    console: pages,
    webhooks,
    problems: () => background.problems,
  });
  shutdown.register('http', () => closeWithin(http, clock, HTTP_PATIENCE_MS));
  await listenLocally(http, dataDir, logger);
  const url = await http.listen(environment.port, environment.host);
  await webhooks.start();
  const shownOnce = await makeFirstKey(keys.ring, ACCOUNT, apiKey);
  console.log(
    banner({
      url,
      place: database.place,
      unused: database.unused,
      settings,
      keyIsGiven: apiKey !== null,
      metric: service.configuration(ACCOUNT).current.metrics[0]?.key ?? '',
      shownOnce,
      console: pages && (await consolePage(pages, keys, shownOnce, url)),
      config: configurationInWords(environment.config, service.engine.publications(ACCOUNT).at(-1), heldFile),
      clock: clockNote(environment.clock),
    }),
  );
}

/**
 * A folder that the embedded database can use. With another database, the preferred folder, which only this process
 * must be able to reach.
 */
async function chooseDataDir(environment: Environment): Promise<string> {
  const folders = dataFolders(environment);
  if (environment.databaseUrl !== null) return folders[0];
  return pickDataDir(...folders);
}

async function openWatchedDatabase(
  { environment, logger, shutdown, port }: StandaloneFrame,
  dataDir: string,
): Promise<OpenDatabase> {
  port.starting('opening the database');
  const database = await openDatabase(environment.databaseUrl, dataDir, (message) => logger.info(message));
  shutdown.register('database', () => database.close());
  database.onExit((exit) => {
    logger.fatal(exit, 'the embedded database ended; start Laurel again, all recorded events are kept');
    process.exit(1);
  });
  return database;
}

async function openService(frame: StandaloneFrame, dataDir: string, { connection, space }: OpenDatabase) {
  const { environment, clock, logger, shutdown } = frame;
  const opened = await startWithWebhooks({
    connection,
    clock,
    events: logServiceEvents(frame),
    webhooks: {
      account: ACCOUNT,
      box: openSecretBox(environment.secretsKey, dataDir),
      ...deliverySettings(environment, logger, clock),
      onForgetFailure: (err) =>
        logger.warn({ err }, 'stored webhook data of an erased user could not be deleted; retrying in ten minutes'),
    },
    space,
  });
  const { service, webhooks } = opened;
  shutdown.register('service', () => service.close());
  shutdown.register('webhooks', () => webhooks.close());
  service.userSearch.start(environment.userSearch === 'on');
  return opened;
}

async function publishConfiguration(
  { environment, health, logger, port }: StandaloneFrame,
  { engine, configurationFiles: files, directory: hashing }: Service,
  file: Awaited<ReturnType<typeof readConfiguredFile>>,
): Promise<HeldFile> {
  port.starting('publishing the configuration');
  const demo = environment.databaseUrl === null;
  const held = await startConfiguration(ACCOUNT, { engine, files, hashing, file, demo, logger });
  reportHeldFile(held, health, logger);
  return held;
}

async function noteOwnDatabase(
  { environment, logger }: StandaloneFrame,
  dataDir: string,
  { place }: OpenDatabase,
): Promise<void> {
  if (environment.databaseUrl === null) return;
  await recordOwnDatabase(dataDir, place).catch((err: unknown) =>
    logger.warn({ err, dataDir }, 'could not write into the data folder that the data is in LAUREL_DATABASE_URL'),
  );
}

async function openServiceKeys(
  { environment: { apiKey }, logger, shutdown, clock }: StandaloneFrame,
  service: Service,
): Promise<Keys> {
  const keys = await openKeys({
    dataSource: service.dataSource,
    account: ACCOUNT,
    given: apiKey,
    clock,
    log: keyLog(service),
    onTrouble: lastingFailure(logger, clock, 'could not record the event of an API key; retrying'),
  });
  shutdown.register('keys', () => keys.stop());
  if (apiKey !== null && typeof keys.known.find(hashApiKey(apiKey)) === 'string')
    logger.warn('the key of LAUREL_API_KEY was revoked or has expired: requests with it are refused');
  return keys;
}

/** Health checks, metrics and warnings. */
function watchService(frame: StandaloneFrame, service: Service, webhooks: Webhooks) {
  const { environment, health, logger, shutdown, clock, metrics: serviceMetrics } = frame;
  const { metrics } = serviceMetrics;
  registerHealth(health, service);
  const background = watchBackground(service, { health, logger, clock, metrics });
  shutdown.register('background', () => Promise.resolve(background.stop()));
  shutdown.register('disk space', reportLowSpace(service.storage, health, logger, clock));
  const placeholderReads = { users: service.reads.users, directory: service.directory };
  const warnOfPlaceholders = (users: readonly string[], text: string) => logger.warn({ users }, text);
  shutdown.register('placeholder users', watchPlaceholderUsers(placeholderReads, ACCOUNT, clock, warnOfPlaceholders));
  const note = clockNote(environment.clock);
  if (note !== null) health.note('clock', note);
  serviceMetrics.observe(service);
  observeWebhooks({ metrics, health, clock }, () => webhooks);
  return background;
}

/** A slow client must not keep the process from stopping. */
const HTTP_PATIENCE_MS = 10_000;

async function closeWithin(http: HttpApplication, clock: Clock, patienceMs: number): Promise<void> {
  const cancel = clock.after(patienceMs, () => http.closeConnections());
  await http.close();
  cancel();
}

/** A read-only folder does not keep the service from starting: it is useful without the socket. */
async function listenLocally(http: HttpApplication, dataDir: string, logger: Logger): Promise<void> {
  try {
    await http.listenLocally(dataDir, ACCOUNT);
  } catch (err) {
    if (err instanceof LocalSocketInUseError) throw err;
    logger.warn({ err, dataDir }, 'no local socket could be opened: `laurel` commands need --url and a key');
  }
}

function refuse(error: unknown): never {
  console.error(isRefusal(error) ? error.message : error);
  if (error instanceof StaleReadModelsError) console.error(`run: npx laurel rebuild ${error.areas.join(' ')}`);
  process.exit(1);
}

/** Errors of libraries that this file does not load only for their error classes. */
const REFUSALS = ['LogInUseError', 'OldLogError', 'DataFolderInUseError', 'EmbeddedPostgresError'];

/** Errors that say what to do; a stack trace would only hide it. */
const isRefusal = (error: unknown): error is Error =>
  [EnvironmentError, ConfigurationError, StartError, PortError, StaleReadModelsError, LocalSocketInUseError].some(
    (type) => error instanceof type,
  ) ||
  (error instanceof Error && REFUSALS.includes(error.name));
