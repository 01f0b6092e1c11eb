import {
  OUTCOMES_TOPIC,
  repeat,
  type CancelTimer,
  type Clock,
  type Migration,
  type SqlReader,
} from '@laurel/contracts';
import { partitionOf, type OutgoingMessage, type StreamProducer } from '@laurel/event-stream';
import { cloudEventOf, type Outcome, type Outcomes } from '@laurel/outgoing';

/** Up to which sequence the outcomes of an account are in the topic. */
export const outcomeTopicMigrations: readonly Migration[] = [
  {
    name: '6101-published-outcomes',
    sql: `
create table published_outcomes (
  account  text collate "C" primary key,
  sequence bigint not null
) with (fillfactor = 50);
`,
  },
];

export interface OutcomeTopicParts {
  readonly outcomes: Outcomes;
  /** Reaches the table of {@link outcomeTopicMigrations}. */
  readonly sql: SqlReader;
  readonly producer: Pick<StreamProducer, 'send'>;
  readonly clock: Clock;
  readonly account: string;
  readonly partitions: number;
  /** It is tried again. */
  readonly onFailure: (error: unknown) => void;
}

const EVERY_MS = 1_000;
const OUTCOMES_AT_A_TIME = 500;

/**
 * Sends the outcomes of an account to `laurel.outcomes`, in order, each at least once. A message has the sequence of its outcome, so who
 * reads knows those again that were sent before a crash: in a partition the sequence only grows.
 */
export class OutcomeTopic {
  readonly #parts: OutcomeTopicParts;
  #stops: readonly CancelTimer[] = [];
  #running: Promise<void> | null = null;
  #isClosed = false;

  constructor(parts: OutcomeTopicParts) {
    this.#parts = parts;
  }

  begin(): void {
    const { clock, outcomes, onFailure } = this.#parts;
    const wake = () => void this.#wake().catch(onFailure);
    this.#stops = [repeat(clock, EVERY_MS, () => this.#wake(), onFailure), outcomes.onWritten(wake)];
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const stop of this.#stops) stop();
    await this.#running?.catch(() => undefined);
  }

  /** The sequence up to which outcomes are in the topic. @throws StoreUnavailableError */
  async position(): Promise<number> {
    const { sql, account } = this.#parts;
    const [row] = await sql.query<{ sequence: string }>('select sequence from published_outcomes where account = $1', [
      account,
    ]);
    return Number(row?.sequence ?? 0);
  }

  #wake(): Promise<void> {
    this.#running ??= this.#run().finally(() => (this.#running = null));
    return this.#running;
  }

  async #run(): Promise<void> {
    const { outcomes, account, producer, sql } = this.#parts;
    let after = await this.position();
    while (!this.#isClosed) {
      const some = await outcomes.read(account, { after, limit: OUTCOMES_AT_A_TIME });
      const last = some.at(-1);
      if (last === undefined) return;
      await producer.send(some.map((outcome) => this.#messageOf(outcome)));
      after = last.sequence;
      await sql.query(
        `insert into published_outcomes values ($1, $2)
         on conflict (account) do update set sequence = greatest(published_outcomes.sequence, excluded.sequence)`,
        [account, after],
      );
    }
  }

  #messageOf(outcome: Outcome): OutgoingMessage {
    const { account, partitions } = this.#parts;
    const { datacontenttype, ...attributes } = cloudEventOf(account, outcome);
    const named = Object.entries(attributes).map(([name, value]) => [`ce_${name}`, value]);
    return {
      topic: OUTCOMES_TOPIC,
      partition: partitionOf(account, outcome.userKey ?? '', partitions),
      key: outcome.userKey ?? '',
      value: outcome.body,
      headers: { ...Object.fromEntries(named), 'content-type': datacontenttype },
    };
  }
}
