import type { Clock } from '@laurel/ports';
import kafkajs, { type Consumer, type EachBatchPayload, type Kafka } from 'kafkajs';
import type { Subscription } from '../event-stream.ts';
import { CLIENT_RETRY } from './kafka-client.ts';

/**
 * How long the broker delays an empty answer, which may delay a stop or the retry of a partition. Every poll of an idle member costs it and
 * the broker some CPU.
 */
const LONGEST_POLL_MS = 500;
/** How long the broker waits for members to finish their batches when another member joins. */
export const REBALANCE_TIMEOUT_MS = 60_000;
const LONGEST_HEARTBEAT_MS = 1_000;
const FETCH_OF_A_PARTITION = 1024 * 1024;
/** Most bytes of an answer. It must arrive within the request limit of 5 s, even over a slow network. */
const FETCH = 8 * 1024 * 1024;

/** A kafkajs consumer that gives up instead of restarting itself, because its restart does not cover all cases. */
export function createConsumer(kafka: Kafka, { group }: Subscription, sessionTimeoutMs: number): Consumer {
  return kafka.consumer({
    groupId: group,
    sessionTimeout: sessionTimeoutMs,
    rebalanceTimeout: REBALANCE_TIMEOUT_MS,
    heartbeatInterval: heartbeatMs(sessionTimeoutMs),
    maxWaitTimeInMs: LONGEST_POLL_MS,
    minBytes: 1,
    maxBytesPerPartition: FETCH_OF_A_PARTITION,
    maxBytes: FETCH,
    retry: { ...CLIENT_RETRY, restartOnFailure: () => Promise.resolve(false) },
  });
}

interface Session {
  readonly clock: Clock;
  readonly sessionTimeoutMs: number;
  /** The broker has announced a rebalance: it waits for this member to finish its batches. */
  readonly onRebalance: () => void;
}

/**
 * Sends heartbeats while a handler works, until the returned function is called. Errors are left to kafkajs, which itself sends a heartbeat
 * after the batch.
 */
export function keepAlive(
  { heartbeat }: EachBatchPayload,
  { clock, sessionTimeoutMs, onRebalance }: Session,
): () => void {
  let cancel = (): void => undefined;
  const next = (): void => {
    cancel = clock.after(heartbeatMs(sessionTimeoutMs), () => {
      next();
      heartbeat().catch((error: unknown) => isRebalance(error) && onRebalance());
    });
  };
  next();
  return () => cancel();
}

const isRebalance = (error: unknown): boolean =>
  error instanceof kafkajs.KafkaJSProtocolError && error.type === 'REBALANCE_IN_PROGRESS';

const heartbeatMs = (sessionTimeoutMs: number): number => Math.min(LONGEST_HEARTBEAT_MS, sessionTimeoutMs / 4);
