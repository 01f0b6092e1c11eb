import { createLaurelClient, LaurelError, orThrow, type LaurelClient } from '@laurel/client';
import type { CommandContext } from '../command-context.ts';
import { InterruptedError } from '../command-error.ts';
import { duration } from '../terminal/progress.ts';
import { findService, NotRunningError, type ServiceTarget } from './find-service.ts';
import { pause } from './pause.ts';
import { brokenOff, OutcomeUnknownError, placeOf, serviceError } from './service-error.ts';
import type { ServiceOptions } from './service-options.ts';

/** The settings of every request: `client.GET('/admin/v1/status', { ...settings })`. */
export type RequestSettings = { readonly signal: AbortSignal };

/** The result of a call of the client. */
interface Exchange {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: Response;
}
type Answer<E extends Exchange> = Exclude<E['data'], undefined>;

export type Request<E extends Exchange> = (client: LaurelClient, settings: RequestSettings) => Promise<E>;

export interface AskOptions {
  /** How long to wait for an answer; null waits without limit. Default: half a minute. */
  readonly limitMs?: number | null;
  /** How often a rejected request is repeated. Default: 5. */
  readonly retries?: number;
  /** Refusals after which it is safe to repeat the request. Default: {@link TURNED_AWAY}. */
  readonly retryOn?: ReadonlySet<LaurelError['code']>;
}

/** `outcome_unknown` is not included: an event may have been recorded. */
export const TURNED_AWAY: ReadonlySet<LaurelError['code']> = new Set(['rate_limited', 'overloaded', 'unavailable']);
/** For requests that must not be carried out twice. After `unavailable`, the database may have stored the change. */
export const RATE_LIMITED: ReadonlySet<LaurelError['code']> = new Set(['rate_limited']);

const LIMIT_MS = 30_000;
const RETRIES = 5;
const PAUSE_MS = 1_000;
/** For longer pauses, the command says why it waits. */
const UNMENTIONED_MS = 2_000;
/** The longest pause that a service may ask for. */
const LONGEST_PAUSE_MS = 60_000;

/** A running service. */
export class ServiceConnection {
  readonly target: ServiceTarget;
  readonly #client: LaurelClient;
  readonly #context: CommandContext;

  constructor(target: ServiceTarget, client: LaurelClient, context: CommandContext) {
    this.target = target;
    this.#client = client;
    this.#context = context;
  }

  /**
   * Makes a request and returns the body of its answer. Repeats a rejected request (`retryOn`) after the time
   * that the service asks for.
   * @throws RefusedError; CommandError with exit code 2 if it is not answered, or too late; InterruptedError after Ctrl-C.
   */
  async ask<E extends Exchange>(
    request: Request<E>,
    { limitMs = LIMIT_MS, retries = RETRIES, retryOn = TURNED_AWAY }: AskOptions = {},
  ): Promise<Answer<E>> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#within(limitMs, request);
      } catch (error) {
        if (!(error instanceof LaurelError)) throw error;
        if (!retryOn.has(error.code) || attempt === retries) throw serviceError(error, this.target, attempt + 1);
        await this.#pauseAfter(error);
      }
    }
  }

  /**
   * Yields a body as it arrives, in chunks of text. `limitMs`: how long to wait for each chunk; default: without limit.
   * @throws as {@link ask} does, also in the middle of the body.
   */
  async *read(
    request: Request<Exchange & { readonly data?: ReadableStream<Uint8Array> | null }>,
    { limitMs = null, ...options }: AskOptions = {},
  ): AsyncGenerator<string> {
    const decoder = new TextDecoder();
    const late = new AbortController();
    const watched: typeof request = (client, { signal }) =>
      request(client, { signal: AbortSignal.any([signal, late.signal]) });
    const body = await this.ask(watched, { limitMs, ...options });
    let cancel = this.#abortAfter(limitMs, late);
    try {
      for await (const bytes of body ?? []) {
        cancel();
        yield decoder.decode(bytes, { stream: true });
        cancel = this.#abortAfter(limitMs, late);
      }
    } catch (cause) {
      if (this.#context.interrupted.aborted) throw new InterruptedError();
      if (late.signal.aborted) throw lateError(this.target, limitMs);
      throw brokenOff(cause, this.target);
    } finally {
      cancel();
    }
  }

  /** @throws InterruptedError after Ctrl-C. */
  pause(ms: number): Promise<void> {
    return pause(ms, this.#context);
  }

  async #pauseAfter({ status, retryAfterMs }: LaurelError): Promise<void> {
    const ms = Math.min(LONGEST_PAUSE_MS, retryAfterMs || PAUSE_MS);
    if (ms > UNMENTIONED_MS)
      this.#context.stderr.write(`${placeOf(this.target)} is busy (${status}); asking again in ${duration(ms)}\n`);
    await this.pause(ms);
  }

  #abortAfter(limitMs: number | null, late: AbortController): () => void {
    return limitMs === null ? () => undefined : this.#context.clock.after(limitMs, () => late.abort());
  }

  async #within<E extends Exchange>(limitMs: number | null, request: Request<E>): Promise<Answer<E>> {
    const { interrupted } = this.#context;
    if (interrupted.aborted) throw new InterruptedError();
    const late = new AbortController();
    const cancel = this.#abortAfter(limitMs, late);
    try {
      return await orThrow(ofLaurel(request(this.#client, { signal: AbortSignal.any([interrupted, late.signal]) })));
    } catch (error) {
      if (interrupted.aborted) throw new InterruptedError();
      if (late.signal.aborted) throw lateError(this.target, limitMs);
      throw error;
    } finally {
      cancel();
    }
  }
}

/** @throws NotRunningError, and CommandError as {@link findService} does. */
export async function connectService(options: ServiceOptions, context: CommandContext): Promise<ServiceConnection> {
  return connectTo(await findService(options, context), context);
}

/** null if no service runs here, according to the environment. @throws CommandError as {@link findService} does. */
export async function connectIfRunning(
  options: ServiceOptions,
  context: CommandContext,
): Promise<ServiceConnection | null> {
  try {
    return await connectService(options, context);
  } catch (error) {
    if (error instanceof NotRunningError) return null;
    throw error;
  }
}

function connectTo(target: ServiceTarget, context: CommandContext): ServiceConnection {
  const address =
    target.type === 'socket'
      ? { url: 'http://localhost', socketPath: target.path }
      : { url: target.url, apiKey: target.apiKey };
  // No time limit here: each request has its own.
  return new ServiceConnection(target, createLaurelClient({ ...address, timeoutMs: 0 }), context);
}

/** Every answer of Laurel has a request id; an answer without one does not come from Laurel. */
async function ofLaurel<E extends Exchange>(exchange: Promise<E>): Promise<E> {
  const answered = await exchange;
  const { response } = answered;
  if (response.ok && !response.headers.has('x-request-id'))
    throw new LaurelError('The answer does not come from Laurel.', { code: 'unexpected_answer', response });
  return answered;
}

const lateError = (target: ServiceTarget, limitMs: number | null): OutcomeUnknownError =>
  new OutcomeUnknownError(`${placeOf(target)} gave no answer within ${(limitMs ?? 0) / 1_000} seconds`);
