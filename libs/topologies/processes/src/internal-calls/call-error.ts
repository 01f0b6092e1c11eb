/**
 * The reason why a call has no answer.
 * - `unreachable`: no connection, or it was lost; the peer may have handled the call.
 * - `timed out`: no answer within the caller's limit.
 * - `refused`: the peer does not accept the token.
 * - `overloaded`: too many concurrent calls, here or at the peer.
 * - `failed`: the peer's handler failed; the message is its reason.
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
