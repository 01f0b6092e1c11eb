import { connect as connectTcp, isIP } from 'node:net';
import { connect as connectTls, type ConnectionOptions as TlsOptions } from 'node:tls';
import type { Clock } from '@laurel/ports';
import type { Type } from '@nestjs/common';
import { Kafka, logLevel, type LogEntry, type Mechanism, type RetryOptions, type SASLOptions } from 'kafkajs';
import { guardIdleTimers } from './idle-timer-guard.ts';
import { oauthBearer, type KafkaOAuth } from './oauth-bearer.ts';
import { REAUTHENTICATED_MS } from './oauth-token.ts';

export interface KafkaSettings {
  /** host:port of some brokers, through which the others are found. */
  readonly brokers: readonly string[];
  /**
   * Connects by TLS and checks the brokers' certificates; `{}` uses the authorities that Node trusts. A function is called for each
   * connection, so that it can read files that are replaced now and then.
   */
  readonly tls?: TlsOptions | (() => TlsOptions) | null;
  readonly sasl?: KafkaSasl | KafkaOAuth | null;
  /** The name of this client in the broker's log. */
  readonly clientId: string;
  /** The system clock, whatever LAUREL_CLOCK says, because brokers stamp messages with real time. */
  readonly clock: Clock;
  readonly log?: StreamLog;
  /** After this time without a heartbeat, a member's partitions go to the others. Default: 10 s. */
  readonly sessionTimeoutMs?: number;
  /**
   * Nest controllers that handle the batches of the topics in their `@EventPattern`s; {@link PARTITION_HANDLER} is injected as the topic's
   * handler. Without controllers, a handler gets its batches directly.
   */
  readonly controllers?: readonly Type[];
}

/** The credentials of this process. */
export interface KafkaSasl {
  readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
  readonly username: string;
  readonly password: string;
}

/**
 * Takes log messages: `warn` when a consumer or producer had to be replaced or an assignment could not be taken over; `debug` for kafkajs,
 * which logs a rebalance as an error, and every failed connection.
 */
export type StreamLog = (level: 'warn' | 'debug', message: string, details: Readonly<Record<string, unknown>>) => void;

const CONNECTED_WITHIN_MS = 3_000;
const ANSWERED_WITHIN_MS = 5_000;

/** Sets every option, because kafkajs has other defaults when NODE_ENV is `test`. Gives up after about 9 s. */
export const CLIENT_RETRY: RetryOptions = {
  initialRetryTime: 100,
  maxRetryTime: 2_000,
  factor: 0.2,
  multiplier: 2,
  retries: 8,
};

export function createKafkaClient({ brokers, tls, sasl, clientId, clock, log }: KafkaSettings): Kafka {
  guardIdleTimers(clock);
  return new Kafka({
    brokers: [...brokers],
    clientId,
    connectionTimeout: CONNECTED_WITHIN_MS,
    requestTimeout: ANSWERED_WITHIN_MS,
    retry: CLIENT_RETRY,
    logLevel: logLevel.WARN,
    logCreator: () => (entry) => passOn(entry, log),
    reauthenticationThreshold: REAUTHENTICATED_MS,
    ...(tls && { ssl: true }),
    ...(sasl && { sasl: mechanismOf(sasl, clock) }),
    socketFactory: ({ host, port, onConnect }) => {
      const name = isIP(host) === 0 ? { servername: host } : {};
      const socket = tls
        ? connectTls({ host, port, ...name, ...(typeof tls === 'function' ? tls() : tls) }, onConnect)
        : connectTcp({ host, port }, onConnect);
      // Small requests dominate the latency. (A TLS socket ignores both as options.)
      socket.setNoDelay(true);
      socket.setKeepAlive(true, 10_000);
      return socket;
    },
  });
}

/** Copies the settings, because kafkajs modifies them. */
const mechanismOf = (sasl: KafkaSasl | KafkaOAuth, clock: Clock): SASLOptions | Mechanism =>
  sasl.mechanism === 'oauthbearer' ? oauthBearer(sasl, clock) : ({ ...sasl } as SASLOptions);

function passOn({ log: { message, ...details } }: LogEntry, log: StreamLog | undefined): void {
  log?.('debug', message, details);
}
