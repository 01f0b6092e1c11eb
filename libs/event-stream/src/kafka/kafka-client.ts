import { connect as connectTcp } from 'node:net';
import type { Clock } from '@laurel/contracts';
import { Kafka, logLevel, type LogEntry, type RetryOptions } from 'kafkajs';

export interface KafkaSettings {
  /** host:port of some of them; the others are found through these. */
  readonly brokers: readonly string[];
  /** Who this is, in the broker's log. */
  readonly clientId: string;
  /** The machine's own clock, whatever LAUREL_CLOCK says: brokers stamp messages with real time. */
  readonly clock: Clock;
  readonly log?: StreamLog;
  /** After so long without a sign of life a member's partitions go to the others. Default 10 s. */
  readonly sessionTimeoutMs?: number;
}

/**
 * What is said besides: `warn` when a consumer or producer had to be replaced or an assignment could not be taken over;
 * `debug` is kafkajs, to which a rebalance is an error and every vain try to connect worth a line.
 */
export type StreamLog = (level: 'warn' | 'debug', message: string, details: Readonly<Record<string, unknown>>) => void;

const CONNECTED_WITHIN_MS = 3_000;
const ANSWERED_WITHIN_MS = 5_000;

/** All of it said here, because kafkajs has other defaults when NODE_ENV is `test`. Gives up after about 9 s. */
export const CLIENT_RETRY: RetryOptions = {
  initialRetryTime: 100,
  maxRetryTime: 2_000,
  factor: 0.2,
  multiplier: 2,
  retries: 8,
};

export function createKafkaClient({ brokers, clientId, log }: KafkaSettings): Kafka {
  return new Kafka({
    brokers: [...brokers],
    clientId,
    connectionTimeout: CONNECTED_WITHIN_MS,
    requestTimeout: ANSWERED_WITHIN_MS,
    retry: CLIENT_RETRY,
    logLevel: logLevel.WARN,
    logCreator: () => (entry) => passOn(entry, log),
    socketFactory: ({ host, port, onConnect }) =>
      // Without delay: small requests are what makes up the latency.
      connectTcp({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: 10_000 }, onConnect),
  });
}

function passOn({ log: { message, ...details } }: LogEntry, log: StreamLog | undefined): void {
  log?.('debug', message, details);
}
