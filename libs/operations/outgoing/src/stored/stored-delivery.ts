import { formatInstant } from '@laurel/calendar';
import type { DeliveryState, WebhookDeliveryAnswer } from '@laurel/schemas';

/** The columns of `webhook_deliveries` that people may see. */
export interface StoredDelivery {
  readonly id: string;
  readonly sequence: string;
  readonly outcome: string;
  readonly type: string;
  readonly replay: boolean;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly next_at: Date | null;
  readonly finished_at: Date | null;
  readonly status: number | null;
  readonly took_ms: number | null;
  readonly response: string | null;
  readonly error: string | null;
}

export const deliveryAnswer = (row: StoredDelivery): WebhookDeliveryAnswer => ({
  id: row.id,
  outcome: row.outcome,
  sequence: Number(row.sequence),
  type: row.type,
  replay: row.replay,
  state: row.state,
  attempts: row.attempts,
  nextAttemptAt: row.next_at === null ? null : formatInstant(row.next_at.getTime()),
  finishedAt: row.finished_at === null ? null : formatInstant(row.finished_at.getTime()),
  status: row.status,
  tookMs: row.took_ms,
  response: row.response,
  error: row.error,
});
