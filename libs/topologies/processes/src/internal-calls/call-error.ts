/**
 * Why a call has no answer.
 * - `unreachable`: no connection, or it was lost: the peer may have done what it was asked.
 * - `timed out`: no answer within the caller's limit.
 * - `refused`: the peer does not accept the token.
 * - `overloaded`: too many calls are under way, here or at the peer.
 * - `failed`: the peer could not do it, and says why.
 */
export type CallFailure = 'unreachable' | 'timed out' | 'refused' | 'overloaded' | 'failed';

export class CallError extends Error {
  override readonly name = 'CallError';
  readonly failure: CallFailure;

  constructor(failure: CallFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.failure = failure;
  }
}
