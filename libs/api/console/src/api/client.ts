import type { components, paths } from '@laurel/client';
import createClient from 'openapi-fetch';
import { BASE_PATH } from './base-path.ts';

export type Schemas = components['schemas'];
export type Problem = Schemas['Problem'];

/** The service that serves this page. Each request carries the session's cookie. */
export const api = createClient<paths>({ baseUrl: location.origin + BASE_PATH, credentials: 'same-origin' });

/** A refusal by the service, or the reason why it could not be reached. */
export class Refused extends Error {
  /** null if the service was not reached. */
  readonly problem: Problem | null;

  constructor(problem: Problem | null) {
    super(problem?.detail ?? 'The service cannot be reached.');
    this.problem = problem;
  }
}

interface Answered<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/** Called when a request finds that the session has ended. */
export const onSignedOut: { current: () => void } = { current: () => undefined };

/** The answer to a call. @throws Refused */
export async function answerOf<T>(call: Promise<Answered<T>>): Promise<NonNullable<T>> {
  const { data, error, response } = await call.catch((cause: unknown) => {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
    throw new Refused(null);
  });
  if (response.status === 401) onSignedOut.current();
  if (data === undefined || data === null) throw new Refused(isProblem(error) ? error : null);
  return data;
}

/** Waits for a call whose answer has no body. @throws Refused */
export async function doneOf(call: Promise<Answered<unknown>>): Promise<void> {
  const { error, response } = await call.catch(() => {
    throw new Refused(null);
  });
  if (response.status === 401) onSignedOut.current();
  if (!response.ok) throw new Refused(isProblem(error) ? error : null);
}

/** Whether a later request may succeed. */
export const isTemporary = (error: unknown): boolean =>
  !(error instanceof Refused) || error.problem === null || error.problem.status >= 500;

export const messageOf = (error: unknown): string =>
  error instanceof Refused ? error.message : 'The service cannot be reached.';

/** Why a change failed. Without an answer, it is unknown whether the change was made. */
export const messageOfChange = (error: unknown): string =>
  error instanceof Refused && error.problem !== null
    ? error.message
    : 'The service did not answer. Your request may have been carried out anyway: check before you try again.';

const isProblem = (value: unknown): value is Problem =>
  typeof value === 'object' && value !== null && typeof (value as Partial<Problem>).detail === 'string';
