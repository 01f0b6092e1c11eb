import type { SqlReader, Subject } from '@laurel/kernel';
import { tableExists } from '@laurel/database';
import { deliveriesOfUser, outcomesOfUser, redactFor, type DeliveryOfUser } from '@laurel/outgoing';

/** What was told of users, where it is kept; distributed, that is once the outgoing service has run. */
export class ToldReads {
  readonly #sql: SqlReader;

  /** @param sql over the schema that has the tables, if any has */
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

/** The path of a URL may be a secret, and a body may name others. */
export const deliveryRow =
  (id: string) =>
  ({ webhook, url, delivery, body }: DeliveryOfUser): object => ({
    webhook,
    origin: new URL(url).origin,
    ...delivery,
    body: body === null ? null : redactFor(id, body),
  });
