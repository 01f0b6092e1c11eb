import { formatInstant } from '@laurel/calendar';
import type { Migration, SqlReader } from '@laurel/kernel';
import { Failing, OUTCOMES_TOPIC, repeat, type CancelTimer, type Clock } from '@laurel/ports';
import { partitionOf, type OutgoingMessage, type StreamProducer, type TopicRetention } from '@laurel/event-stream';
import { cloudEventOf, ERASED_OUTCOMES, MOST_HELD_BACK_MS, type Outcome, type Outcomes } from '@laurel/outgoing';
import { Tombstones } from './tombstones.ts';

/** The sent outcomes of an account, and those that must be removed from the topic. */
export const outcomeTopicMigrations: readonly Migration[] = [
  {
    name: '6101-published-outcomes',
    sql: `
-- Up to which sequence they are in the topic.
create table published_outcomes (
  account  text collate "C" primary key,
  sequence bigint not null
) with (fillfactor = 50);
`,
  },
  {
    name: '6102-erased-outcomes',
    sql: `
-- The first sequence that was sent in an hour. What the topic may still hold is not deleted here: an erasure needs the ids of it.
create table published_hours (
  account  text collate "C" not null,
  hour     timestamptz(3) not null,
  sequence bigint not null,
  primary key (account, hour)
);

-- Outcomes that went with an erased user. Each gets two tombstones; sent_at is when it got the first.
create table ${ERASED_OUTCOMES} (
  account text collate "C" not null,
  id      uuid not null,
  subject bigint,
  sent_at timestamptz(3),
  primary key (account, id)
);
create index erased_outcomes_due on ${ERASED_OUTCOMES} (account, sent_at nulls first);
`,
  },
];

export interface OutcomeTopicDependencies {
  readonly outcomes: Outcomes;
  /** Reaches the tables of {@link outcomeTopicMigrations}. */
  readonly sql: SqlReader;
  readonly producer: Pick<StreamProducer, 'send' | 'sendTombstones'>;
  /** The current retention settings of the topic. */
  readonly retention: () => Promise<TopicRetention>;
  readonly clock: Clock;
  readonly account: string;
  readonly partitions: number;
  /** Called when sending failed; it is retried. */
  readonly onFailure: (error: unknown) => void;
  /** Called when the settings cannot be read: meanwhile no old outcome is deleted, and no second tombstone sent. */
  readonly onUnknownRetention: (error: unknown) => void;
}

const EVERY_MS = 1_000;
const OUTCOMES_AT_A_TIME = 500;
const HOUR_MS = 3_600_000;
const ASKED_EVERY_MS = 60_000;

/**
 * Sends the outcomes of an account to `laurel.outcomes`, in order, each at least once. A message has the sequence of its outcome, which only grows
 * within a partition, so a reader recognizes messages that are repeated after a crash. The key is the id of the outcome: outcomes of an erased
 * user get tombstones, and the compaction of the topic removes them.
 */
export class OutcomeTopic {
  readonly #dependencies: OutcomeTopicDependencies;
  readonly #tombstones: Tombstones;
  readonly #failing: Failing;
  #stops: readonly CancelTimer[] = [];
  #running: Promise<void> | null = null;
  #isClosed = false;
  #known: { readonly retention: TopicRetention; readonly sinceMs: number } | null = null;

  constructor(dependencies: OutcomeTopicDependencies) {
    this.#dependencies = dependencies;
    this.#failing = new Failing(dependencies.clock);
    this.#tombstones = new Tombstones({ ...dependencies, retention: () => this.#retention() });
  }

  begin(): void {
    const { clock, outcomes, onFailure } = this.#dependencies;
    const wake = () => void this.send().catch(onFailure);
    this.#stops = [repeat(clock, EVERY_MS, () => this.send(), onFailure), outcomes.onWritten(wake)];
  }

  /** The time for which sending has failed; 0 if the last attempt succeeded. */
  get failingMs(): number {
    return this.#failing.ms;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const stop of this.#stops) stop();
    await this.#running?.catch(() => undefined);
  }

  /** Sends all outcomes that are due. @throws StoreUnavailableError, or the producer's error: the next call sends unsaved outcomes again */
  send(): Promise<void> {
    this.#running ??= this.#failing.try(() => this.#run()).finally(() => (this.#running = null));
    return this.#running;
  }

  /**
   * The first sequence that is not in the topic yet, or that the topic may still contain, at most {@link MOST_HELD_BACK_MS} after it was sent. An
   * erasure does not reach messages that a topic keeps longer.
   * @throws StoreUnavailableError
   */
  async oldestNeeded(): Promise<number> {
    const { sql, account, clock } = this.#dependencies;
    const known = await this.#retention();
    // A message is deleted with its segment, which may be active for as long as the lag.
    const heldMs = (known?.retentionMs ?? Infinity) + (known?.compactionLagMs ?? 0) + 2 * HOUR_MS;
    const since = formatInstant(clock.now() - Math.min(heldMs, MOST_HELD_BACK_MS));
    const [held] = await sql.query<{ sequence: string | null }>(
      'select min(sequence) as sequence from published_hours where account = $1 and hour >= $2',
      [account, since],
    );
    if (known !== null)
      await sql.query('delete from published_hours where account = $1 and hour < $2', [account, since]);
    const oldest = held?.sequence ?? null;
    return oldest === null ? (await this.#position()) + 1 : Number(oldest);
  }

  async #position(): Promise<number> {
    const { sql, account } = this.#dependencies;
    const [row] = await sql.query<{ sequence: string }>('select sequence from published_outcomes where account = $1', [
      account,
    ]);
    return Number(row?.sequence ?? 0);
  }

  /** At most a minute old; null if the brokers have not answered since. */
  async #retention(): Promise<TopicRetention | null> {
    const { clock, retention, onUnknownRetention } = this.#dependencies;
    if (this.#known !== null && clock.elapsedMs() - this.#known.sinceMs < ASKED_EVERY_MS) return this.#known.retention;
    try {
      this.#known = { retention: await retention(), sinceMs: clock.elapsedMs() };
      return this.#known.retention;
    } catch (error) {
      onUnknownRetention(error);
      return null;
    }
  }

  async #run(): Promise<void> {
    const { outcomes, account, producer } = this.#dependencies;
    let after = await this.#position();
    while (!this.#isClosed) {
      const some = await outcomes.read(account, { after, limit: OUTCOMES_AT_A_TIME });
      const [first, last] = [some[0], some.at(-1)];
      if (first !== undefined && last !== undefined) {
        await producer.send(some.map((outcome) => this.#messageOf(outcome)));
        after = last.sequence;
        await this.#save(first.sequence, after);
      }
      // Tombstones follow the outcomes: some outcomes may have been read before an erasure and sent after it.
      const hasMore = await this.#tombstones.sendSome();
      if (first === undefined && !hasMore) return;
    }
  }

  async #save(first: number, last: number): Promise<void> {
    const { sql, account, clock } = this.#dependencies;
    const hour = formatInstant(Math.floor(clock.now() / HOUR_MS) * HOUR_MS);
    await sql.query(
      `with noted as (
         insert into published_hours values ($1, $2, $3) on conflict do nothing
       )
       insert into published_outcomes values ($1, $4)
       on conflict (account) do update set sequence = greatest(published_outcomes.sequence, excluded.sequence)`,
      [account, hour, first, last],
    );
  }

  #messageOf(outcome: Outcome): OutgoingMessage {
    const { account, partitions } = this.#dependencies;
    const { datacontenttype, ...attributes } = cloudEventOf(account, outcome);
    const named = Object.entries(attributes).map(([name, value]) => [`ce_${name}`, value]);
    return {
      topic: OUTCOMES_TOPIC,
      partition: partitionOf(account, outcome.userKey ?? '', partitions),
      key: outcome.id,
      value: outcome.body,
      headers: { ...Object.fromEntries(named), 'content-type': datacontenttype },
    };
  }
}
