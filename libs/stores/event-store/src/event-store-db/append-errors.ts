import { ErrorType, isCommandError } from '@eventstore/db-client';
import { EventStoreAccessError } from '../event-store.ts';

/** A call was not answered within its limit. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
  /** Whether the server may have carried it out. */
  readonly sent: boolean;

  constructor(limitMs: number, sent: boolean) {
    super(`the event store has not answered within ${limitMs} ms`);
    this.sent = sent;
  }
}

/** Whether the server refuses the record itself, so that a retry is pointless. */
export const isRefusal = (error: unknown): boolean =>
  hasType(error, ErrorType.MAXIMUM_APPEND_SIZE_EXCEEDED) ||
  hasType(error, ErrorType.STREAM_DELETED) ||
  hasType(error, ErrorType.MISSING_REQUIRED_METADATA_PROPERTY) ||
  codeOf(error) === INVALID_ARGUMENT;

/**
 * Whether the append certainly reached no server that would have carried it out. Any other error leaves that open, even RESOURCE_EXHAUSTED:
 * the server never sends it, but the client raises it for HTTP/2's ENHANCE_YOUR_CALM, also after the server has begun.
 */
export const neverCarriedOut = (error: unknown): boolean =>
  error instanceof EventStoreAccessError ||
  (error instanceof NoAnswerError && !error.sent) ||
  hasType(error, ErrorType.NOT_LEADER) ||
  (error instanceof Error && NOT_SENT.test(error.message));

/** Whether another connection may help: the server may be frozen, or may not know the leader yet. */
export const asksForNewConnection = (error: unknown): boolean =>
  error instanceof NoAnswerError ||
  hasType(error, ErrorType.DEADLINE_EXCEEDED) ||
  (error instanceof Error && error.message.includes(NO_LEADER_INFO));

/** Whether no node of the cluster has named the leader. */
export const isUndiscovered = (error: unknown): boolean =>
  error instanceof Error && error.message.includes(UNDISCOVERED);

/**
 * Converts an error that lasts until somebody changes rights, password or certificate; null for any other error.
 * @param right what the call needs, such as `read $all`
 */
export function accessErrorOf(error: unknown, right: string): EventStoreAccessError | null {
  const reason = reasonOf(error, right);
  return reason === null ? null : new EventStoreAccessError(reason, { cause: error });
}

function reasonOf(error: unknown, right: string): string | null {
  if (hasType(error, ErrorType.ACCESS_DENIED))
    return codeOf(error) === UNAUTHENTICATED
      ? 'EventStoreDB does not accept the user or the password'
      : `EventStoreDB denies its user the right to ${right}`;
  const certificate = error instanceof Error ? CERTIFICATE.exec(error.message)?.[1] : undefined;
  return certificate === undefined ? null : `TLS to EventStoreDB fails: ${certificate}`;
}

const INVALID_ARGUMENT = 3;
const UNAUTHENTICATED = 16;
const NO_LEADER_INFO = 'No leader info available';
const UNDISCOVERED = 'Failed to discover';
/** gRPC's reasons for a deadline that passed before the call had a connection. */
const NOT_YET_CONNECTED = 'waiting for name resolution|waiting for metadata filters|Waiting for LB pick';
const NOT_SENT = new RegExp(`No connection established|${NOT_YET_CONNECTED}|${UNDISCOVERED}|${NO_LEADER_INFO}`);
/** Node's messages about a certificate, or a peer without TLS, in the error of a connection. */
const CERTIFICATE =
  /No connection established\. Last error: (?:Error: )?([^.]*(?:certificate|altnames|wrong version number)[^.;]*)/i;

const hasType = (error: unknown, type: ErrorType): boolean =>
  error instanceof Error && isCommandError(error) && error.type === type;

const codeOf = (error: unknown): unknown => (error as { readonly code?: unknown }).code;
