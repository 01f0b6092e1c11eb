import { createRequire } from 'node:module';
import { jest } from '@jest/globals';
import { systemClock } from '@laurel/testing/clock';
import { createKafkaClient } from './kafka-client.ts';

interface Queue {
  push(request: unknown): void;
  fulfillRequest(answer: { correlationId: number; payload: unknown; size: number }): void;
  maybeThrottle(ms: number): void;
  scheduleRequestTimeoutCheck(): void;
  destroy(): void;
}

interface QueueOptions {
  readonly maxInFlightRequests: number | null;
  readonly requestTimeout: number;
  readonly enforceRequestTimeout: boolean;
  readonly clientId: string;
  readonly broker: string;
  readonly logger: unknown;
}

const RequestQueue = createRequire(import.meta.url)('kafkajs/src/network/requestQueue/index.js') as new (
  options: QueueOptions,
) => Queue;
const silent = (): undefined => undefined;

describe('the request queue of kafkajs, once a client has been created', () => {
  let queue: Queue;
  let sent: number[];
  let answered: number[];
  let refused: number[];

  beforeEach(() => {
    createKafkaClient({ brokers: ['localhost:9'], clientId: 'test', clock: systemClock });
    jest.useFakeTimers();
    [sent, answered, refused] = [[], [], []];
    queue = new RequestQueue({
      maxInFlightRequests: 2,
      requestTimeout: 1_000,
      enforceRequestTimeout: true,
      clientId: 'test',
      broker: 'localhost:9',
      logger: { debug: silent, warn: silent },
    });
  });
  afterEach(() => {
    queue.destroy();
    jest.useRealTimers();
  });

  const push = (correlationId: number): void =>
    queue.push({
      entry: { correlationId, resolve: () => answered.push(correlationId), reject: () => refused.push(correlationId) },
      expectResponse: true,
      sendRequest: () => sent.push(correlationId),
    });
  const answer = (correlationId: number): void => queue.fulfillRequest({ correlationId, payload: null, size: 0 });
  /** How often timers wake the process until none is left; not more than a thousand times. */
  const wakeUps = (): number => {
    let count = 0;
    for (; jest.getTimerCount() > 0 && count < 1_000; count++) jest.advanceTimersToNextTimer();
    return count;
  };

  it('sets no timer if nothing is pending', () => {
    push(1);
    answer(1);
    expect([sent, answered]).toEqual([[1], [1]]);
    expect(wakeUps()).toBe(0);
  });

  it('sends throttled requests in order when the time is over, and sets no timer afterwards', () => {
    push(1);
    queue.maybeThrottle(500);
    answer(1);
    push(2);
    push(3);
    expect(sent).toEqual([1]);
    jest.advanceTimersByTime(499);
    expect(sent).toEqual([1]);
    jest.advanceTimersByTime(1);
    expect(sent).toEqual([1, 2, 3]);
    answer(2);
    answer(3);
    expect(wakeUps()).toBe(0);
  });

  it('sends at once if the throttle time has passed', () => {
    push(1);
    queue.maybeThrottle(500);
    answer(1);
    jest.advanceTimersByTime(500);
    push(2);
    expect(sent).toEqual([1, 2]);
  });

  it('extends the wait of pending requests if the broker throttles again', () => {
    push(1);
    queue.maybeThrottle(500);
    push(2);
    jest.advanceTimersByTime(400);
    queue.maybeThrottle(500);
    answer(1);
    jest.advanceTimersByTime(499);
    expect(sent).toEqual([1]);
    jest.advanceTimersByTime(1);
    expect(sent).toEqual([1, 2]);
  });

  it('sends a waiting request as soon as one in flight is answered', () => {
    for (const correlationId of [1, 2, 3, 4]) push(correlationId);
    expect(sent).toEqual([1, 2]);
    answer(1);
    expect(sent).toEqual([1, 2, 3]);
    answer(2);
    answer(3);
    answer(4);
    expect(answered).toEqual([1, 2, 3, 4]);
    // The check that was set for those that waited.
    expect(wakeUps()).toBe(1);
  });

  it('checks once a second for requests that timed out, and rejects them', () => {
    queue.scheduleRequestTimeoutCheck();
    push(1);
    answer(1);
    let looks = 0;
    for (const until = Date.now() + 60_000; Date.now() < until; looks++) jest.advanceTimersToNextTimer();
    expect(looks).toBe(60);
    push(2);
    jest.advanceTimersByTime(1_000);
    expect(refused).toEqual([]);
    jest.advanceTimersByTime(1_000);
    expect(refused).toEqual([2]);
  });
});
