import { formatInstant, type Instant } from '@laurel/calendar';
import type { SqlReader } from '@laurel/kernel';
import type { DeliveryState, WebhookDeliveryAnswer } from '@laurel/schemas';
import { deliveryAnswer, type Outcome, type StoredDelivery } from '@laurel/outgoing';

/** A delivery whose turn has come. */
export interface DueDelivery {
  readonly id: string;
  readonly sequence: number;
  readonly outcome: string;
  readonly attempts: number;
  readonly replay: boolean;
  /** Whom it tells of; null: nobody. */
  readonly userKey: string | null;
  /** Whom it names beside that user; null: nobody, or one of them was erased. */
  readonly otherKeys: readonly string[] | null;
  /** null: that of the outcome. */
  readonly body: string | null;
}

/** How an attempt went. */
export interface AttemptResult {
  readonly status: number | null;
  readonly tookMs: number;
  /** The first KiB. */
  readonly response: string | null;
  /** null: it arrived. */
  readonly error: string | null;
  /** The same for receivers that are not this one: no address is in it. */
  readonly fault: string | null;
  readonly retryAfterMs: number | null;
  /** Whether the endpoint took too long to connect or to answer. */
  readonly timedOut: boolean;
}

export interface FinishedAttempt extends Pick<AttemptResult, 'status' | 'tookMs' | 'response' | 'error'> {
  readonly state: Extract<DeliveryState, 'delivered' | 'abandoned' | 'failed'>;
  readonly at: Instant;
  /** null: never. */
  readonly nextAt: Instant | null;
}

/** One request in the making, for several outcomes about the same thing. */
export interface HeldDelivery {
  /** Names what it is about. */
  readonly lane: string;
  /** The last one in it. */
  readonly outcome: Outcome;
  /** null: that of the outcome. */
  readonly body: string | null;
  /** When it is sent, if it does not exist yet. */
  readonly until: Instant;
}

export interface Taken {
  readonly account: string;
  readonly endpoint: string;
  readonly kind: 'new' | 'replay';
  /** Where the cursor of this kind has to be for anything to be taken. */
  readonly from: number;
  readonly to: number;
  /** Whether the replay ends with this. */
  readonly isLast: boolean;
  /** Those that go as they are. */
  readonly outcomes: readonly Outcome[];
  /** Those that are held back, one for each lane. */
  readonly held: readonly HeldDelivery[];
  readonly strict: boolean;
  readonly at: Instant;
}

/** How far the deliveries of an endpoint have come. Each is counted up to 1,000. */
export interface DeliveryProgress {
  /** Those that are held back included. */
  readonly unfinished: number;
  readonly heldBack: number;
  readonly abandoned: number;
  /**
   * Since when that has waited which waits longest for an attempt to succeed: since it happened or, in a replay or sent again by hand, since it
   * was asked for; null: nothing waits, what is held back aside.
   */
  readonly oldestAt: Instant | null;
}

/** So long and so many are kept of each endpoint. */
const KEPT = [
  ['delivered', { ms: 7 * 86_400_000, rows: 10_000 }],
  ['abandoned', { ms: 30 * 86_400_000, rows: 10_000 }],
] as const;
/** Nobody wants to know it more exactly. */
const COUNTED = 1_000;

/**
 * The table `webhook_deliveries`: what is on its way to an endpoint, and what became of it. In each lane of an endpoint one delivery at a
 * time has its turn. Changes of one endpoint must come one after the other.
 */
export class Deliveries {
  readonly #sql: SqlReader;
  readonly #subjects: string;

  /** @param subjects the table of the directory, schema-qualified where it must be */
  constructor(sql: SqlReader, subjects = 'subjects') {
    this.#sql = sql;
    this.#subjects = subjects;
  }

  /** Turns outcomes into deliveries and moves the endpoint's cursor: both or neither. @returns whether the cursor was at `from` */
  async take({ account, endpoint, kind, from, to, isLast, outcomes, held, strict, at }: Taken): Promise<boolean> {
    const lanes = new Set<string>();
    const rows = outcomes.map(({ sequence, id, type, userKey, otherKeys, timestamp }) => {
      const lane = strict ? '' : (userKey ?? '');
      const first = !lanes.has(lane);
      lanes.add(lane);
      const whose = { user_key: userKey, others: stored(otherKeys) };
      return { sequence, outcome: id, type, ...whose, outcome_at: formatInstant(timestamp), lane, first };
    });
    const [moved] = await this.#sql.query<{ moved: string }>(kind === 'new' ? TAKE_NEW : TAKE_REPLAY, [
      ...[account, endpoint, from, isLast && kind === 'replay' ? null : to],
      ...[JSON.stringify(rows), formatInstant(at), kind === 'replay'],
      JSON.stringify(held.map(heldRow)),
    ]);
    return moved?.moved === '1';
  }

  /** The bodies of what is held back in these lanes, by lane; null: that of the outcome. */
  async held(endpoint: string, lanes: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
    if (lanes.length === 0) return new Map();
    const rows = await this.#sql.query<{ lane: string; body: string | null }>(
      'select lane, body from webhook_deliveries where endpoint = $1 and lane = any($2::text[]) and finished_at is null',
      [endpoint, lanes],
    );
    return new Map(rows.map(({ lane, body }) => [lane, body]));
  }

  /** Gives what was held back for long enough its place behind others of its lane. @param all also what is to be held back longer */
  async release(endpoint: string, at: Instant, strict: boolean, all: boolean): Promise<void> {
    const until = all ? 'infinity' : formatInstant(at);
    const some = () => this.#sql.query(RELEASE, [endpoint, until, formatInstant(at), strict, RELEASED_AT_ONCE]);
    while ((await some()).length === RELEASED_AT_ONCE);
  }

  /** Releases the longest held of an endpoint before their time, so that no more than so many are held back. */
  async releaseOver(endpoint: string, most: number, at: Instant): Promise<void> {
    const [over] = await this.#sql.query<{ next_at: Date }>(OVER, [endpoint, most]);
    if (over === undefined) return;
    const until = formatInstant(over.next_at.getTime());
    const some = () => this.#sql.query(RELEASE, [endpoint, until, formatInstant(at), false, RELEASED_AT_ONCE]);
    while ((await some()).length === RELEASED_AT_ONCE);
  }

  /** Those whose turn has come, the longest waiting first, without those of `except`. */
  async due(endpoint: string, at: Instant, except: readonly string[], limit: number): Promise<readonly DueDelivery[]> {
    const rows = await this.#sql.query<Row>(DUE, [endpoint, formatInstant(at), except, limit]);
    return rows.map(({ id, sequence, outcome, attempts, replay, user_key: userKey, others: otherKeys, body }) => ({
      ...{ id, sequence: Number(sequence), outcome, attempts, replay, userKey, otherKeys, body },
    }));
  }

  /** When the next one behind `after` has its turn; null: none has. */
  async nextDueAt(endpoint: string, after: Instant): Promise<Instant | null> {
    const [row] = await this.#sql.query<{ next_at: Date | null }>(NEXT_DUE, [endpoint, formatInstant(after)]);
    return row?.next_at?.getTime() ?? null;
  }

  /**
   * Notes an attempt; behind one that is over, the next of its lane has its turn. The body of one that is given up stays with it, so that it
   * can be sent again once its outcome is kept no longer. Of an answer about a user who was erased meanwhile nothing is kept.
   */
  async finish(endpoint: string, due: DueDelivery, body: string, finished: FinishedAttempt): Promise<void> {
    const { id, userKey, otherKeys } = due;
    const { state, at, nextAt, status, tookMs, response, error } = finished;
    await this.#sql.query(FINISH, [
      ...[endpoint, id, state, nextAt === null ? null : formatInstant(nextAt), status, tookMs, response, error],
      ...[state === 'failed' ? null : formatInstant(at), formatInstant(at), userKey, otherKeys],
      state === 'abandoned' ? body : null,
    ]);
  }

  /** Forgets one whose outcome is not kept any more. */
  async drop(endpoint: string, id: string, at: Instant): Promise<void> {
    await this.#sql.query(DROP, [endpoint, id, formatInstant(at)]);
  }

  /** What is sent of one; null: there is none with this id. */
  async find(endpoint: string, id: string): Promise<Pick<DueDelivery, 'sequence' | 'outcome' | 'body'> | null> {
    const row = await this.#row(endpoint, id);
    return row && { sequence: Number(row.sequence), outcome: row.outcome, body: row.body };
  }

  /** Sends one again, with as many attempts as a new one. @returns null: there is none with this id */
  async resend(endpoint: string, id: string, at: Instant): Promise<WebhookDeliveryAnswer | null> {
    if (!isDeliveryId(id)) return null;
    await this.#sql.query(RESEND, [endpoint, id, formatInstant(at)]);
    const row = await this.#row(endpoint, id);
    return row && deliveryAnswer(row);
  }

  /** Has those that failed tried at once, whenever their next attempt would have been. */
  async hasten(endpoint: string, at: Instant): Promise<void> {
    await this.#sql.query(HASTEN, [endpoint, formatInstant(at)]);
  }

  /** The newest first, behind the id `before`. */
  async list(
    endpoint: string,
    state: DeliveryState | null,
    before: string | null,
    limit: number,
  ): Promise<readonly WebhookDeliveryAnswer[]> {
    const states = state === null ? STATES : [state];
    return (await this.#sql.query<Row>(LIST, [endpoint, states, before ?? LARGEST_ID, limit])).map(deliveryAnswer);
  }

  /** How far each of these endpoints has come, in one statement. */
  async progress(endpoints: readonly string[]): Promise<ReadonlyMap<string, DeliveryProgress>> {
    if (endpoints.length === 0) return new Map();
    const rows = await this.#sql.query<ProgressRow>(PROGRESS, [endpoints, COUNTED]);
    return new Map(rows.map((row) => [row.endpoint, progressOf(row)]));
  }

  /** Whether more than so many are unfinished, those that are held back aside. */
  async hasMoreThan(endpoint: string, most: number): Promise<boolean> {
    const [row] = await this.#sql.query<{ more: boolean }>(HAS_MORE, [endpoint, most]);
    return row?.more ?? false;
  }

  /** The smallest sequence, not below `from`, that an unfinished delivery of the account still needs; null: none does. */
  async oldestNeeded(account: string, from: number): Promise<number | null> {
    const [row] = await this.#sql.query<{ sequence: string | null }>(OLDEST_NEEDED, [account, from]);
    return row === undefined || row.sequence === null ? null : Number(row.sequence);
  }

  /**
   * Gives a turn to lanes in which every delivery waits: a statement that was given up as lost may still have put one behind another
   * that had ended by then.
   */
  async resume(endpoint: string, at: Instant): Promise<void> {
    await this.#sql.query(RESUME, [endpoint, formatInstant(at)]);
  }

  /** Deletes what is kept no longer. */
  async clean(endpoint: string, now: Instant): Promise<void> {
    for (const [state, { ms, rows }] of KEPT)
      await this.#sql.query(CLEAN, [endpoint, state, formatInstant(now - ms), rows]);
  }

  async #row(endpoint: string, id: string): Promise<Row | null> {
    if (!isDeliveryId(id)) return null;
    const [row] = await this.#sql.query<Row>('select * from webhook_deliveries where endpoint = $1 and id = $2', [
      ...[endpoint, id],
    ]);
    return row ?? null;
  }

  /** Takes away what tells something of a user. */
  async forgetUser(account: string, userKey: string): Promise<void> {
    await this.#sql.query(`delete from webhook_deliveries where ${HELD} and account = $1 and user_key = $2`, [
      ...[account, userKey],
    ]);
    await this.#sql.query(`${FORGET} where account = $1 and user_key = $2`, [account, userKey]);
    await this.#sql.query(`${FORGET_OTHERS} where account = $1 and others @> array[$2::text]`, [account, userKey]);
  }

  /** The same of all whom the directory does not know any more, 10,000 deliveries at a time. */
  async forgetErased(account: string): Promise<void> {
    for (let after = '0'; ;) {
      const [looked] = await this.#sql.query<{ last: string | null }>(LAST_LOOKED_AT, [after, LOOKED_AT_A_TIME]);
      const last = looked?.last ?? null;
      if (last === null) return;
      const some = [account, after, last];
      const isOfErased = `${LOOKED_AT} and ${ofErased(this.#subjects)}`;
      await this.#sql.query(`delete from webhook_deliveries where ${HELD} and ${isOfErased}`, some);
      await this.#sql.query(`${FORGET} where ${isOfErased}`, some);
      await this.#sql.query(`${FORGET_OTHERS} where ${LOOKED_AT} and ${namesErased(this.#subjects)}`, some);
      after = last;
    }
  }
}

export const isDeliveryId = (text: string): boolean => /^[1-9]\d{0,17}$/.test(text);

const LARGEST_ID = '9223372036854775807';
const STATES: readonly DeliveryState[] = ['waiting', 'pending', 'failed', 'delivered', 'abandoned'];

interface Row extends StoredDelivery {
  readonly user_key: string | null;
  readonly others: readonly string[] | null;
  readonly body: string | null;
}

interface ProgressRow {
  readonly endpoint: string;
  readonly unfinished: string;
  readonly held_back: string;
  readonly abandoned: string;
  readonly oldest_at: Date | null;
}

const progressOf = ({ unfinished, held_back, abandoned, oldest_at }: ProgressRow): DeliveryProgress => ({
  ...{ unfinished: Number(unfinished), heldBack: Number(held_back), abandoned: Number(abandoned) },
  oldestAt: oldest_at?.getTime() ?? null,
});

/** Most outcomes name nobody else: there is an entry in an index only of those that do. */
const stored = (otherKeys: readonly string[]): readonly string[] | null => (otherKeys.length === 0 ? null : otherKeys);

const heldRow = ({ lane, outcome, body, until }: HeldDelivery) => ({
  ...{ lane, sequence: outcome.sequence, outcome: outcome.id, type: outcome.type, user_key: outcome.userKey, body },
  others: stored(outcome.otherKeys),
  ...{ outcome_at: formatInstant(outcome.timestamp), next_at: formatInstant(until) },
});

/** Nothing that waits for others has a time. */
const HELD = "state = 'waiting' and next_at is not null";
const RELEASED_AT_ONCE = 200;

/** What the next one of a lane becomes when its turn comes. */
const HAS_TURN = `state = 'pending'`;

const take = (moved: string): string => `
with moved as (${moved}), rows as (
  select r.* from moved, json_to_recordset($5::json) as r (sequence bigint, outcome uuid, type text, user_key text, others text[],
    outcome_at timestamptz, lane text, first boolean)
), busy as (
  select distinct r.lane from rows r where exists (
    select from webhook_deliveries d where d.endpoint = $2 and d.lane = r.lane and d.finished_at is null
  )
), written as (
  insert into webhook_deliveries
    (account, endpoint, sequence, outcome, type, outcome_at, user_key, others, lane, replay, state, attempts, next_at, asked_at)
  select $1, $2, sequence, outcome, type, outcome_at, user_key, others, lane, $7::boolean,
    case when has_turn then 'pending' else 'waiting' end, 0, case when has_turn then $6::timestamptz end,
    case when $7::boolean then $6::timestamptz end
  from (select *, first and lane not in (select lane from busy) as has_turn from rows) r order by sequence
), held as (
  select h.* from moved, json_to_recordset($8::json) as h (lane text, sequence bigint, outcome uuid, type text, user_key text, others text[], body text,
    outcome_at timestamptz, next_at timestamptz)
), merged as (
  update webhook_deliveries d set sequence = h.sequence, outcome = h.outcome, outcome_at = h.outcome_at, others = h.others, body = h.body from held h
  where d.endpoint = $2 and d.lane = h.lane and d.finished_at is null returning d.lane
), begun as (
  insert into webhook_deliveries
    (account, endpoint, sequence, outcome, type, outcome_at, user_key, others, lane, replay, state, attempts, next_at, body)
  select $1, $2, sequence, outcome, type, outcome_at, user_key, others, lane, false, 'waiting', 0, next_at, body
  from held where lane not in (select lane from merged) order by sequence
)
select count(*) as moved from moved`;

const TAKE_NEW = take(
  `update webhook_endpoints set taken = $4::bigint where account = $1 and id = $2 and taken = $3::bigint returning 1`,
);
const TAKE_REPLAY = take(
  `update webhook_endpoints set replayed = $4::bigint where account = $1 and id = $2 and replayed = $3::bigint returning 1`,
);

const DUE = `
select * from webhook_deliveries
where endpoint = $1 and state in ('pending', 'failed') and next_at <= $2 and id <> all($3::bigint[])
order by next_at, id limit $4`;

const NEXT_DUE = `
select min(next_at) as next_at from (
  (select next_at from webhook_deliveries
    where endpoint = $1 and state in ('pending', 'failed') and next_at > $2 order by next_at limit 1)
  union all
  (select next_at from webhook_deliveries where endpoint = $1 and ${HELD} and next_at > $2 order by next_at limit 1)
) next`;

const RELEASE = `
with ready as (
  select id, next_at, sequence, case when $4::boolean then '' else coalesce(user_key, '') end as lane from webhook_deliveries
  where endpoint = $1 and ${HELD} and next_at <= $2::timestamptz order by next_at, id limit $5
), ranked as (
  select id, lane, row_number() over (partition by lane order by next_at, sequence) = 1 and not exists (
    select from webhook_deliveries d where d.endpoint = $1 and d.lane = ready.lane and d.finished_at is null
  ) as has_turn from ready
), released as (
  update webhook_deliveries d set lane = r.lane, state = case when has_turn then 'pending' else 'waiting' end,
    next_at = case when has_turn then $3::timestamptz end
  from ranked r where d.endpoint = $1 and d.id = r.id returning d.id
)
select id from released`;

/** When the newest of those that are too many would be sent. */
const OVER = `select next_at from webhook_deliveries where endpoint = $1 and ${HELD} order by next_at desc offset $2 limit 1`;

const HAS_MORE = `
select exists (
  select from webhook_deliveries where endpoint = $1 and finished_at is null and not (${HELD}) offset $2 limit 1
) as more`;

/** The next of the lane of those in \`over\`. */
const promoted = (at: string): string => `
update webhook_deliveries set ${HAS_TURN}, next_at = ${at}
where id in (
  select (select d.id from webhook_deliveries d
    where d.endpoint = $1 and d.lane = over.lane and d.finished_at is null and d.id <> over.id
    order by d.id limit 1)
  from over
) and state = 'waiting'`;

/** Nobody whom it tells of or names was erased since it was read. */
const IS_OF_ALL = '(user_key is not distinct from $11 and others is not distinct from $12::text[])';

const FINISH = `
with done as (
  update webhook_deliveries set state = $3, attempts = attempts + 1, next_at = $4, status = $5, took_ms = $6,
    response = case when ${IS_OF_ALL} then $7 end, error = case when ${IS_OF_ALL} then $8 end,
    body = case when ${IS_OF_ALL} and $3 = 'abandoned' then $13 else body end, finished_at = $9
  where endpoint = $1 and id = $2 and finished_at is null returning id, lane, finished_at
), over as (
  select id, lane from done where finished_at is not null
)
${promoted('$10')}`;

const RESUME = `
update webhook_deliveries set ${HAS_TURN}, next_at = $2
where id in (
  select min(id) from webhook_deliveries where endpoint = $1 and finished_at is null and not (${HELD})
  group by lane having every(state = 'waiting')
)`;

const DROP = `
with over as (
  delete from webhook_deliveries where endpoint = $1 and id = $2 returning id, lane
)
${promoted('$3')}`;

const RESEND = `
update webhook_deliveries r set attempts = 0, finished_at = null, asked_at = $3::timestamptz, (state, next_at) = (
  select case when busy then 'waiting' else 'pending' end, case when not busy then $3::timestamptz end
  from (select r.finished_at is not null and exists (
    select from webhook_deliveries d where d.endpoint = $1 and d.lane = r.lane and d.finished_at is null
  ) as busy) as lane
)
where endpoint = $1 and id = $2 and state <> 'waiting'`;

const HASTEN = `update webhook_deliveries set next_at = $2 where endpoint = $1 and state = 'failed' and next_at > $2`;

const LIST = `
select found.* from unnest($2::text[]) as asked (state) cross join lateral (
  select * from webhook_deliveries d where d.endpoint = $1 and d.state = asked.state and d.id < $3
  order by d.id desc limit $4
) found order by found.id desc limit $4`;

const counted = (name: string, condition: string): string => `
cross join lateral (select count(*) as ${name} from (
  select from webhook_deliveries where endpoint = asked.endpoint and ${condition} limit $2) counted) as ${name}`;

/**
 * Ids are given in the order in which outcomes come to an endpoint. The first of a state is found by the order of `webhook_deliveries_state`:
 * with equal endpoint and state asked for, the planner may walk the primary key instead, past all that have arrived.
 */
const PROGRESS = `
select asked.endpoint, unfinished, held_back, abandoned, (
  select min(coalesce(first.asked_at, first.outcome_at)) from unnest('{pending,failed}'::text[]) as due (state) cross join lateral (
    select endpoint, state, outcome_at, asked_at from webhook_deliveries where (endpoint, state, id) > (asked.endpoint, due.state, 0)
    order by endpoint, state, id limit 1
  ) first where first.endpoint = asked.endpoint and first.state = due.state
) as oldest_at
from unnest($1::uuid[]) as asked (endpoint)
${counted('unfinished', 'finished_at is null')}
${counted('held_back', HELD)}
${counted('abandoned', "state = 'abandoned'")}`;

const OLDEST_NEEDED = `
select min(d.sequence) as sequence from webhook_deliveries d
where d.account = $1 and d.finished_at is null and d.sequence >= $2`;

const CLEAN = `
delete from webhook_deliveries where endpoint = $1 and state = $2 and (finished_at < $3 or id <= (
  select id from webhook_deliveries where endpoint = $1 and state = $2 order by id desc offset $4 limit 1
))`;

const FORGET = 'update webhook_deliveries set user_key = null, response = null, error = null, body = null';

const FORGET_OTHERS = 'update webhook_deliveries set others = null, response = null, error = null, body = null';

/** Deliveries looked at in one statement, which then takes a fraction of the time that it has. */
const LOOKED_AT_A_TIME = 10_000;

const LAST_LOOKED_AT = `
select max(id) as last from (select id from webhook_deliveries where id > $1::bigint order by id limit $2) looked`;

const LOOKED_AT = 'account = $1 and id > $2::bigint and id <= $3::bigint';

/** Whether the directory does not know somebody: a probe of its key, which only a comparison of numbers can use. */
const isUnknown = (subjects: string, key: string): string => `not exists (
  select from ${subjects} s where s.account = $1 and s.subject = case when ${key} ~ '^[0-9]{1,18}$' then ${key}::bigint end
)`;

const namesErased = (subjects: string): string =>
  `others is not null and exists (select from unnest(others) as other (key) where ${isUnknown(subjects, 'other.key')})`;

const ofErased = (subjects: string): string => `user_key is not null and ${isUnknown(subjects, 'user_key')}`;
