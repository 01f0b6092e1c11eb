import { inspect } from 'node:util';
import { tzDataVersion } from '@laurel/calendar';
import type { Clock } from '@laurel/ports';
import { assertSessionsAreKept } from '@laurel/database';
import { KafkaEventStream, type EventStream, type TopicSpecification } from '@laurel/event-stream';
import {
  Health,
  Metrics,
  Shutdown,
  clockNote,
  createClock,
  createLogger,
  endOnUncaughtErrors,
  openProcessPort,
  unknownVariables,
  type HttpPort,
  type Logger,
} from '@laurel/runtime';
import type { Type } from '@nestjs/common';
import { readDistributedEnvironment, type DistributedEnvironment } from './distributed-environment.ts';
import { kafkaSecurity } from './kafka-security.ts';
import { isRefusal, refuseBrokers } from './refusals.ts';
import { topicsFor } from './topics.ts';

/** The environment and the shared services of every process. */
export interface ProcessFrame {
  /** The process kind, such as `points-service`. */
  readonly name: string;
  readonly environment: DistributedEnvironment;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly health: Health;
  readonly metrics: Metrics;
  /** Stops in the reverse order of registration. */
  readonly shutdown: Shutdown;
  readonly stream: EventStream;
  /** Open since the start of the process; null for a job, which serves nothing. */
  readonly port: HttpPort | null;
}

export interface ProcessOptions {
  /** If false, no port is opened. Default: true. */
  readonly serves?: boolean;
  /** Handle the topics that the process reads. */
  readonly controllers?: readonly Type[];
}

/**
 * Runs one process: opens environment, clock, log and stream, then calls `start`. SIGTERM stops it gracefully. A failed start prints the reason
 * and exits with 1; the supervisor of the process restarts it.
 */
export async function runProcess(
  name: string,
  start: (frame: ProcessFrame) => Promise<void>,
  options: ProcessOptions = {},
): Promise<void> {
  endOnUncaughtErrors();
  let shutdown: Shutdown | null = null;
  try {
    const environment = readDistributedEnvironment(process.env);
    const logger = createLogger(environment.logLevel);
    for (const warning of unknownVariables(process.env)) logger.warn(warning);
    shutdown = new Shutdown(logger);
    shutdown.listen();
    const port = options.serves !== false ? await openProcessPort(environment, logger, shutdown) : null;
    await start(await openFrame({ name, environment, logger, shutdown, port, ...options }));
  } catch (error) {
    await shutdown?.stop();
    endWith(error);
  }
}

/** Prints why the process cannot continue, and ends it. */
export function endWith(error: unknown): never {
  process.stderr.write(`${isRefusal(error) ? (error as Error).message : inspect(error)}\n`);
  process.exit(1);
}

type FrameDependencies = Pick<ProcessFrame, 'name' | 'environment' | 'logger' | 'shutdown' | 'port'> & ProcessOptions;

async function openFrame(dependencies: FrameDependencies): Promise<ProcessFrame> {
  const { name, environment, logger, shutdown, port, controllers } = dependencies;
  const clock = createClock(environment.clock);
  // LAUREL_CLOCK sets the time of events; brokers need the system time.
  const machineClock = createClock({ type: 'system' });
  const health = new Health(clock);
  health.note('tzDataVersion', tzDataVersion);
  const note = clockNote(environment.clock);
  if (note !== null) health.note('clock', note);
  const stream = new KafkaEventStream({
    brokers: environment.kafkaBrokers,
    ...kafkaSecurity(environment, machineClock.now()),
    clientId: `laurel.${name}`,
    clock: machineClock,
    log: (level, message, detail) => logger[level](detail, message),
    ...(controllers && { controllers }),
  });
  shutdown.register('stream', () => stream.close());
  port?.starting('connecting to the database');
  await assertSessionsAreKept(environment.database);
  port?.starting('connecting to the brokers');
  const topics = topicsFor(environment);
  await stream.ensureTopics(topics).catch(refuseBrokers);
  await warnOfFewerCopies(stream, topics, logger).catch(refuseBrokers);
  port?.starting('opening the database');
  const metrics = new Metrics(name, environment.metrics ?? 'public');
  return { name, environment, clock, logger, health, metrics, shutdown, stream, port };
}

/** Existing topics are not changed: LAUREL_REPLICATION may have been different at their creation, or an operator has created them. */
async function warnOfFewerCopies(
  stream: EventStream,
  topics: readonly TopicSpecification[],
  logger: Logger,
): Promise<void> {
  const wanted = new Map(topics.map(({ name, replication }) => [name, replication]));
  for (const { topic, copies } of await stream.copies([...wanted.keys()])) {
    const replication = wanted.get(topic) ?? copies;
    if (copies < replication)
      logger.warn({ topic, copies, replication }, 'a topic has fewer copies than LAUREL_REPLICATION says');
  }
}
