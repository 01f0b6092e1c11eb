import type { SqlReader, Subject } from '@laurel/kernel';
import { tableExists } from '@laurel/database';
import { deliveriesOfUser, outcomesOfUser, redactFor, type DeliveryOfUser } from '@laurel/outgoing';

/** Outcomes and deliveries of users. Their tables may be missing: in a distributed topology the outgoing service creates them. */
export class SubscriberReads {
  readonly #sql: SqlReader;

  /** @param sql reads the schema with the tables, if they exist */
  constructor(sql: SqlReader) {
    this.#sql = sql;
  }

  async *outcomes(account: string, subject: Subject): AsyncGenerator<readonly string[], void> {
    if (await tableExists(this.#sql, 'outcomes')) yield* outcomesOfUser(this.#sql, account, subject);
  }

  async *deliveries(account: string, subject: Subject): AsyncGenerator<readonly DeliveryOfUser[], void> {
    if (await tableExists(this.#sql, 'webhook_deliveries')) yield* deliveriesOfUser(this.#sql, account, subject);
  }
}

/** Hides the path of the URL, which may be a secret, and other users that the body names. */
export const deliveryRow =
  (id: string) =>
  ({ webhook, url, delivery, body }: DeliveryOfUser): object => ({
    webhook,
    origin: new URL(url).origin,
    ...delivery,
    body: body === null ? null : redactFor(id, body),
  });
