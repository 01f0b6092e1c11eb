import { inspect } from 'node:util';
import { tzDataVersion } from '@laurel/calendar';
import { StoreUnavailableError, type Clock } from '@laurel/contracts';
import { StartError } from '@laurel/database';
import { KafkaEventStream, TopicMismatchError, type EventStream } from '@laurel/event-stream';
import {
  EnvironmentError,
  Health,
  Metrics,
  Shutdown,
  clockNote,
  createClock,
  createLogger,
  unknownVariables,
  type Logger,
} from '@laurel/runtime';
import { readDistributedEnvironment, type DistributedEnvironment } from './distributed-environment.ts';
import { topicsFor } from './topics.ts';

/** What every process is made in. */
export interface ProcessFrame {
  /** Of the process kind, such as `points-service`. */
  readonly name: string;
  readonly environment: DistributedEnvironment;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly health: Health;
  readonly metrics: Metrics;
  /** Stops in the reverse order of registration. */
  readonly shutdown: Shutdown;
  readonly stream: EventStream;
}

/**
 * Runs one process: environment, clock, log, stream; then what `start` makes of them. SIGTERM stops it gracefully. A start that
 * fails says why and exits with 1: whoever supervises the process starts it again.
 */
export async function runProcess(name: string, start: (frame: ProcessFrame) => Promise<void>): Promise<void> {
  let shutdown: Shutdown | null = null;
  try {
    const environment = readDistributedEnvironment(process.env);
    const logger = createLogger(environment.logLevel);
    for (const warning of unknownVariables(process.env)) logger.warn(warning);
    shutdown = new Shutdown(logger);
    shutdown.listen();
    await start(await openFrame(name, environment, logger, shutdown));
  } catch (error) {
    await shutdown?.stop();
    process.stderr.write(`${isRefusal(error) ? (error as Error).message : inspect(error)}\n`);
    process.exit(1);
  }
}

async function openFrame(
  name: string,
  environment: DistributedEnvironment,
  logger: Logger,
  shutdown: Shutdown,
): Promise<ProcessFrame> {
  const clock = createClock(environment.clock);
  // What LAUREL_CLOCK says is the time of events, not that of a broker.
  const machineClock = createClock({ type: 'system' });
  const health = new Health(clock);
  health.note('tzDataVersion', tzDataVersion);
  const note = clockNote(environment.clock);
  if (note !== null) health.note('clock', note);
  const stream = new KafkaEventStream({
    brokers: environment.kafkaBrokers,
    tls: environment.kafkaTls ? {} : null,
    sasl: environment.kafkaSasl,
    clientId: `laurel.${name}`,
    clock: machineClock,
    log: (level, message, detail) => logger[level](detail, message),
  });
  shutdown.register('stream', () => stream.close());
  await stream.ensureTopics(topicsFor(environment)).catch(refuseBrokers);
  return { name, environment, clock, logger, health, metrics: new Metrics(name), shutdown, stream };
}

/** What the brokers, or the way to them, say is told with where they are named. @throws TopicMismatchError as it is, else StartError */
function refuseBrokers(cause: unknown): never {
  if (cause instanceof TopicMismatchError) throw cause;
  if (!isRefusal(cause)) throw cause;
  const { message, errors = [] } = cause as Error & { readonly errors?: readonly Error[] };
  const reasons = [message, ...new Set(errors.map((error) => error.message))].join('; ');
  throw new StartError(`the brokers of LAUREL_KAFKA_BROKERS cannot be used: ${reasons}`, { cause });
}

/** Errors that say what to do; a stack would only hide it. Those of the doors are known by their names. */
const isRefusal = (error: unknown): boolean =>
  error instanceof EnvironmentError ||
  error instanceof StartError ||
  error instanceof TopicMismatchError ||
  error instanceof StoreUnavailableError ||
  (error instanceof Error && (error.name.startsWith('KafkaJS') || REFUSALS.has(error.name))) ||
  REACH_ERRORS.has((error as NodeJS.ErrnoException).code ?? '');

const REFUSALS = new Set([
  'ConfigurationError',
  'EmbeddedPostgresError',
  'EventStoreAccessError',
  'LogInUseError',
  'ResendDiffersError',
  'StaleStatesError',
  'StreamUnavailableError',
]);

/** What the system, or the database, says of an address that cannot be used. */
const REACH_ERRORS = new Set(['EADDRINUSE', 'EACCES', 'ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', '28P01', '3D000']);
