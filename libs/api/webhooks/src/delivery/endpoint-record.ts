import type { Instant } from '@laurel/calendar';
import type { Endpoint } from '../endpoints/endpoints.ts';
import { MOST_FAILING_MS } from '../schedule/retry-schedule.ts';
import type { AttemptResult } from './delivery.ts';
import type { ChangeEndpoint, DispatcherDependencies } from './dispatcher.ts';

/** A success is stored at most this often while no attempt fails. */
const NOTED_EVERY_MS = 60_000;

type Dependencies = Pick<DispatcherDependencies, 'endpoints' | 'onDisabled' | 'retryScale'>;

/** Records whether endpoints answer, and disables an endpoint that fails for too long. */
export class EndpointRecord {
  readonly #dependencies: Dependencies;
  readonly #change: ChangeEndpoint;

  constructor(dependencies: Dependencies, change: ChangeEndpoint) {
    this.#dependencies = dependencies;
    this.#change = change;
  }

  /** Records an attempt at `at`, only if the endpoint still has the URL of the attempt. */
  async note({ account, id, url }: Endpoint, result: AttemptResult, at: Instant): Promise<void> {
    const endpoint = this.#dependencies.endpoints.find(account, id);
    if (endpoint === null || endpoint.url !== url) return;
    if (result.fault === null) await this.#noteSuccess(endpoint, at);
    else await this.#noteFailure(endpoint, { status: result.status, error: result.fault }, at);
  }

  async #noteSuccess(endpoint: Endpoint, at: Instant): Promise<void> {
    const { failingSince, lastSuccessAt } = endpoint;
    if (failingSince !== null || at - (lastSuccessAt ?? -Infinity) >= NOTED_EVERY_MS)
      await this.#dependencies.endpoints.update(endpoint, { failingSince: null, lastSuccessAt: at });
  }

  async #noteFailure(endpoint: Endpoint, failure: Failure, at: Instant): Promise<void> {
    const { endpoints, onDisabled, retryScale } = this.#dependencies;
    const { account, id, url, disabledBecause } = endpoint;
    const failingSince = endpoint.failingSince ?? at;
    if (endpoint.failingSince === null) await endpoints.update(endpoint, { failingSince });
    const isGone = failure.status === 410;
    if (disabledBecause !== null || (!isGone && at - failingSince < MOST_FAILING_MS * retryScale)) return;
    const because = isGone ? 'it answered with 410' : 'nothing has arrived for five days';
    // Several requests may fail at the same moment, but the endpoint is disabled only once.
    await this.#change(id, async () => {
      const present = endpoints.find(account, id);
      if (present === null || present.disabledBecause !== null || present.url !== url) return;
      onDisabled(await endpoints.giveUp(present, because, failure));
    });
  }
}

interface Failure {
  readonly status: number | null;
  readonly error: string;
}
