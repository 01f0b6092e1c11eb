import type { DecidedRequest, RequestDecided, Verdict } from '@laurel/kernel';
import { decisionKeyOf } from './key-hash.ts';

/** The event that says how a recorded request was decided. */
export const requestDecided = (
  account: string,
  { position, eventId }: DecidedRequest,
  verdict: Verdict,
): RequestDecided => ({
  type: 'RequestDecided',
  request: { position, eventId },
  verdict,
  keyHash: decisionKeyOf(account, { eventId }),
});
