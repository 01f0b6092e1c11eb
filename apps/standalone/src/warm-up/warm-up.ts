import { ACCOUNT } from '@laurel/kernel';
import type { Clock } from '@laurel/ports';
import type { EventLog } from '@laurel/event-store';
import { generateApiKey } from '@laurel/runtime';
import type { Service } from '../start-service.ts';
import { openForgetfulHttp } from './forgetful-http.ts';
import { builtInRequests, newestRequests, type SampleRequest } from './sample-requests.ts';

export interface WarmUpBounds {
  /** The most requests, and records to take them from. */
  readonly events: number;
  /** Limit of the size of all different bodies together. */
  readonly bytes: number;
  /** CPU time in ms after which no further requests start. */
  readonly cpuMs: number;
}

export const DEFAULT_WARM_UP: WarmUpBounds = { events: 500, bytes: 2 * 1024 * 1024, cpuMs: 600 };

type WarmService = Pick<Service, 'engine' | 'reads'> & {
  readonly log: Pick<EventLog, 'head' | 'read'>;
};

/** The size of a batch of a busy service. */
const AT_A_TIME = 32;

/**
 * Sends the newest events of the log, or made-up ones, on the usual path into a store that keeps nothing, so that the
 * first real event does not run cold code: Node compiles code while it runs. Nothing in the service changes: no row,
 * log line, key or counter. If the log cannot be read, the events are made up.
 * @param cpuMs CPU time of the process so far
 * @returns the number of requests that were answered as recorded
 */
export async function warmUp(
  service: WarmService,
  clock: Clock,
  bounds: WarmUpBounds = DEFAULT_WARM_UP,
  cpuMs = cpuMsOfProcess,
): Promise<number> {
  const until = cpuMs() + bounds.cpuMs;
  const requests = await requestsOf(service, bounds);
  if (requests.length === 0) return 0;
  const key = generateApiKey();
  const { http, close } = await openForgetfulHttp(ACCOUNT, key, service, clock);
  let [made, recorded] = [0, 0];
  const send = (place: number) => {
    const { metric, body } = requests[place % requests.length] as SampleRequest;
    const headers = { 'content-type': 'application/json', 'x-api-key': key, 'idempotency-key': `warm-up-${place}` };
    return http.fastify.inject({
      method: 'POST',
      url: `/api/metrics/${encodeURIComponent(metric)}/event`,
      headers,
      payload: body,
    });
  };
  try {
    while (made < bounds.events && cpuMs() < until) {
      const places = Array.from({ length: Math.min(AT_A_TIME, bounds.events - made) }, (_, index) => made + index);
      const answers = await Promise.all(places.map(send));
      made += places.length;
      recorded += answers.filter(({ statusCode }) => statusCode === 201).length;
    }
  } finally {
    await close();
  }
  return recorded;
}

async function requestsOf({ engine, log }: WarmService, bounds: WarmUpBounds): Promise<readonly SampleRequest[]> {
  const metrics = engine.historyOf(ACCOUNT).current.metrics.map(({ key }) => key);
  const newest = await newestRequests(log, new Set(metrics), bounds).catch(() => []);
  return newest.length > 0 ? newest : builtInRequests(metrics);
}

function cpuMsOfProcess(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
