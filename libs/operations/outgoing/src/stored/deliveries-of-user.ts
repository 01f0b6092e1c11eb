import type { SqlReader, Subject } from '@laurel/kernel';
import type { WebhookDeliveryAnswer } from '@laurel/schemas';
import { deliveryAnswer, type StoredDelivery } from './stored-delivery.ts';

/** A request to a webhook about a user. */
export interface DeliveryOfUser {
  readonly webhook: string;
  readonly url: string;
  readonly delivery: WebhookDeliveryAnswer;
  /** The body if it combines several outcomes or was given up; null if it equals the body of its outcome. */
  readonly body: string | null;
}

/** Small, because each row may hold a response of 1 KiB. */
const PAGE = 500;

const OF_USER = `
select d.id, d.sequence, d.outcome, d.type, d.replay, d.state, d.attempts, d.next_at, d.finished_at, d.status, d.took_ms,
  case when d.others is null then d.response end as response, d.error, d.body, d.endpoint, e.url
from webhook_deliveries d join webhook_endpoints e on e.account = d.account and e.id = d.endpoint
where d.account = $1 and d.user_key = $2 and d.id > $3::bigint order by d.id limit $4`;

type Row = StoredDelivery & { readonly endpoint: string; readonly url: string; readonly body: string | null };

/** The kept deliveries of a user's outcomes, in the order in which they were made. Responses that may repeat another named user are left out. */
export async function* deliveriesOfUser(
  sql: SqlReader,
  account: string,
  subject: Subject,
  pageRows = PAGE,
): AsyncGenerator<readonly DeliveryOfUser[], void> {
  for (let after: string | null = '0'; after !== null;) {
    const rows: readonly Row[] = await sql.query<Row>(OF_USER, [account, String(subject), after, pageRows]);
    yield rows.map((row) => ({ webhook: row.endpoint, url: row.url, body: row.body, delivery: deliveryAnswer(row) }));
    after = rows.length < pageRows ? null : (rows.at(-1)?.id ?? null);
  }
}
