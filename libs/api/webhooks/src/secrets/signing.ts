import { createHmac, randomBytes } from 'node:crypto';
import type { Instant } from '@laurel/calendar';
import { Webhook } from 'standardwebhooks';

/** How long the previous secret still signs. */
export const ROTATION_MS = 24 * 60 * 60_000;

/** A secret of an endpoint. */
export interface Secret {
  /** For example `whsec_…`. */
  readonly secret: string;
  /** Until when it signs; null for the present secret. */
  readonly until: Instant | null;
}

export const newSecret = (): Secret => ({ secret: `whsec_${randomBytes(24).toString('base64')}`, until: null });

/** Adds a new secret. The previous one signs beside it for a day; older ones no longer sign. */
export function rotated(secrets: readonly Secret[], now: Instant): readonly Secret[] {
  const present = secrets.find(({ until }) => until === null);
  return [newSecret(), ...(present === undefined ? [] : [{ ...present, until: now + ROTATION_MS }])];
}

export interface Signed {
  readonly id: string;
  readonly body: string;
  readonly at: Instant;
  readonly trophySignature: boolean;
}

/**
 * The headers of Standard Webhooks, signed with every valid secret, the present one first. `x-trophy-signature` has one
 * signature, made with the text of the present secret: the base64 of the HMAC-SHA256 of the body.
 */
export function signatureHeaders(secrets: readonly Secret[], { id, body, at, trophySignature }: Signed) {
  const holding = secrets.filter(({ until }) => until === null || at < until);
  const signedAt = new Date(at);
  const signatures = holding.map(({ secret }) => new Webhook(secret).sign(id, signedAt, body));
  const [present] = holding;
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at / 1_000)),
    'webhook-signature': signatures.join(' '),
    ...(trophySignature &&
      present !== undefined && {
        'x-trophy-signature': createHmac('sha256', present.secret).update(body).digest('base64'),
      }),
  };
}
