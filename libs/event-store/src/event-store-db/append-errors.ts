import { ErrorType, isCommandError } from '@eventstore/db-client';

/** The server refuses what the record is, and would again. */
export const isRefusal = (error: unknown): boolean =>
  hasType(error, ErrorType.MAXIMUM_APPEND_SIZE_EXCEEDED) ||
  hasType(error, ErrorType.STREAM_DELETED) ||
  hasType(error, ErrorType.MISSING_REQUIRED_METADATA_PROPERTY) ||
  codeOf(error) === INVALID_ARGUMENT ||
  codeOf(error) === RESOURCE_EXHAUSTED;

/** The append never reached a server that would have carried it out: any other error leaves that open. */
export const neverCarriedOut = (error: unknown): boolean =>
  hasType(error, ErrorType.NOT_LEADER) ||
  hasType(error, ErrorType.ACCESS_DENIED) ||
  (error instanceof Error && /No connection established|Waiting for LB pick|Failed to discover/.test(error.message));

const INVALID_ARGUMENT = 3;
const RESOURCE_EXHAUSTED = 8;

const hasType = (error: unknown, type: ErrorType): boolean =>
  error instanceof Error && isCommandError(error) && error.type === type;

const codeOf = (error: unknown): unknown => (error as { readonly code?: unknown }).code;
