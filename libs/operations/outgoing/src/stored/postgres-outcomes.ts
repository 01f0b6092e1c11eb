import { formatInstant, type Instant } from '@laurel/calendar';
import type { SqlReader, Subject } from '@laurel/kernel';
import { concerns, ERASED_OUTCOMES } from './migrations.ts';
import type { Outcome, Outcomes, OutcomesQuery } from '../ports.ts';

/** An outcome to be written. */
export interface NewOutcome extends Omit<Outcome, 'userKey' | 'otherKeys'> {
  /** null if it concerns no user. */
  readonly subject: Subject | null;
  /** Other users that the body names; the outcome is deleted with any of them. */
  readonly others: readonly Subject[];
  /** The position of the recorded event. */
  readonly position: number;
  /** Index of the user among the users of a sweep. */
  readonly place: number;
  /** Index among the outcomes of one user and event. */
  readonly ordinal: number;
}

/** How far the outcomes of an account have been made. */
export interface OutcomeCursor {
  /** Every record up to here has been looked at. */
  readonly position: number;
  /** The sequence assigned last. */
  readonly sequence: number;
}

export interface OutcomeStep {
  readonly from: OutcomeCursor;
  readonly to: OutcomeCursor;
  readonly outcomes: readonly NewOutcome[];
  /** Users who were erased between `from` and `to`. */
  readonly erased: readonly Subject[];
  readonly writtenAt: Instant;
}

interface Row {
  readonly sequence: string;
  readonly id: string;
  readonly type: string;
  readonly subject: string | null;
  readonly others: readonly string[] | null;
  readonly occurred_at: Date;
  readonly body: string;
}

export interface PostgresOutcomesOptions {
  /** The table of the directory, schema-qualified if necessary. */
  readonly subjects?: string;
  /** Whether to keep the ids of outcomes that are deleted with an erased user, in {@link ERASED_OUTCOMES}. */
  readonly keepsErasedIds?: boolean;
}

export class PostgresOutcomes implements Outcomes {
  readonly #sql: SqlReader;
  readonly #statements: ReturnType<typeof statementsOf>;
  readonly #listeners = new Set<() => void>();

  constructor(sql: SqlReader, { subjects = 'subjects', keepsErasedIds = false }: PostgresOutcomesOptions = {}) {
    this.#sql = sql;
    this.#statements = statementsOf(subjects, keepsErasedIds);
  }

  async read(account: string, { after, limit, types }: OutcomesQuery): Promise<readonly Outcome[]> {
    const asked = [account, after, limit];
    const [one, ...others] = [...new Set(types)];
    const rows =
      types === undefined
        ? await this.#sql.query<Row>(READ, asked)
        : others.length === 0 && one !== undefined
          ? await this.#sql.query<Row>(READ_TYPE, [...asked, one])
          : await this.#sql.query<Row>(READ_TYPES, [...asked, [...new Set(types)]]);
    return rows.map(({ sequence, id, type, subject, others, occurred_at, body }) => ({
      sequence: Number(sequence),
      id,
      type,
      userKey: subject,
      otherKeys: others ?? [],
      timestamp: occurred_at.getTime(),
      body,
    }));
  }

  async oldest(account: string): Promise<number> {
    const [row] = await this.#sql.query<{ deleted_to: string }>(
      'select deleted_to from outcome_cursors where account = $1',
      [account],
    );
    return Number(row?.deleted_to ?? 0) + 1;
  }

  async newest(account: string): Promise<number> {
    return (await this.cursor(account))?.sequence ?? 0;
  }

  onWritten(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Reads the same outcomes over another connection. Listeners are still called for outcomes written here. */
  readBy(sql: SqlReader): Outcomes {
    const others = new PostgresOutcomes(sql);
    return {
      read: (account, query) => others.read(account, query),
      oldest: (account) => others.oldest(account),
      newest: (account) => others.newest(account),
      onWritten: (listener) => this.onWritten(listener),
    };
  }

  /** null if no outcomes were ever made. */
  async cursor(account: string): Promise<OutcomeCursor | null> {
    const [row] = await this.#sql.query<{ position: string; sequence: string }>(
      'select position, sequence from outcome_cursors where account = $1',
      [account],
    );
    return row === undefined ? null : { position: Number(row.position), sequence: Number(row.sequence) };
  }

  /** Sets the cursor of an account that has none. */
  async begin(account: string, position: number): Promise<void> {
    await this.#sql.query('insert into outcome_cursors values ($1, $2, 0, 0) on conflict do nothing', [
      account,
      position,
    ]);
  }

  /**
   * Writes the outcomes, moves the cursor and deletes the outcomes of erased users, atomically.
   * @returns false if the cursor is no longer at `from`; then nothing was written
   */
  async write(account: string, { from, to, outcomes, erased, writtenAt }: OutcomeStep): Promise<boolean> {
    const [moved] = await this.#sql.query<{ cursors: string }>(this.#statements.write, [
      ...[account, from.position, from.sequence, to.position, to.sequence],
      ...[erased, formatInstant(writtenAt)],
      ...columnsOf(outcomes),
    ]);
    if (moved?.cursors !== '1') return false;
    if (outcomes.length > 0) for (const listener of this.#listeners) listener();
    return true;
  }

  /**
   * Deletes at most `limit` outcomes that were written before an instant, the oldest first.
   * @param needed deletes only outcomes below this sequence; null for no such limit
   * @returns the number of deleted outcomes
   */
  async deleteOld(account: string, before: Instant, limit: number, needed: number | null = null): Promise<number> {
    const [deleted] = await this.#sql.query<{ outcomes: string }>(DELETE_OLD, [
      ...[account, formatInstant(before), limit, needed],
    ]);
    return Number(deleted?.outcomes ?? 0);
  }

  /** Deletes the outcomes that belong to a user or name them. */
  async forget(subject: Subject): Promise<void> {
    await this.#sql.query(this.#statements.forget, [subject]);
  }

  /**
   * Deletes the outcomes of erased users, 10,000 at a time, as long as `goesOn` returns true.
   * @returns whether it has looked at all outcomes
   */
  async forgetErased(account: string, goesOn: () => boolean = () => true): Promise<boolean> {
    for (let after = 0; goesOn();) {
      const asked = [account, after, LOOKED_AT_A_TIME];
      const [looked] = await this.#sql.query<{ last: string | null }>(this.#statements.forgetErased, asked);
      if (looked === undefined || looked.last === null) return true;
      after = Number(looked.last);
    }
    return false;
  }
}

/** The columns as array texts. No value needs escaping, but the driver would examine each one. */
function columnsOf(outcomes: readonly NewOutcome[]): readonly string[] {
  const columns = COLUMNS_WRITTEN.map(() => '');
  let bodies = '';
  let between = '';
  for (const outcome of outcomes) {
    for (const [place, valueOf] of COLUMNS_WRITTEN.entries())
      columns[place] += `${between}${valueOf(outcome) ?? 'NULL'}`;
    bodies += between === '' ? outcome.body : `${BETWEEN_BODIES}${outcome.body}`;
    between = ',';
  }
  return [...columns.map((column) => `{${column}}`), bodies];
}

/** In the order in which `WRITE` takes them. */
const COLUMNS_WRITTEN: readonly ((outcome: NewOutcome) => number | string | null)[] = [
  ({ sequence }) => sequence,
  ({ position }) => position,
  ({ subject }) => subject,
  ({ timestamp }) => timestamp,
  ({ id }) => id,
  ({ place }) => place,
  ({ ordinal }) => ordinal,
  ({ type }) => type,
  ({ others }) => (others.length === 0 ? null : `"{${others.join(',')}}"`),
];

/** `chr(30)`, which no JSON text contains. In an array each quote of a body would have to be escaped. */
const BETWEEN_BODIES = '\u001e';

const COLUMNS = 'sequence, id, type, subject, others::text[] as others, occurred_at, body';

const READ = `select ${COLUMNS} from outcomes where account = $1 and sequence > $2 order by sequence limit $3`;

/** Uses the index `outcomes_type`, which has the outcomes of each type in order. */
const READ_TYPE = `
select ${COLUMNS} from outcomes where account = $1 and type = $4 and sequence > $2 order by sequence limit $3`;

/** Takes the first of each type by `outcomes_type`, then the first of all. The array makes it one scan of the primary key, not a probe for each. */
const READ_TYPES = `
select ${COLUMNS} from outcomes where account = $1 and sequence = any(array(
  select first.sequence from unnest($4::text[]) as asked (type) cross join lateral (
    select o.sequence from outcomes o
    where o.account = $1 and o.type = asked.type and o.sequence > $2 order by o.sequence limit $3
  ) first order by first.sequence limit $3
)) order by sequence`;

/** The statements that delete outcomes of erased users. */
function statementsOf(subjects: string, keepsErasedIds: boolean) {
  const deleted = (from: string): string => `delete from outcomes t ${from} returning t.account, t.id, t.subject`;
  const kept = keepsErasedIds
    ? `, kept as (insert into ${ERASED_OUTCOMES} (account, id, subject) select * from gone on conflict do nothing)`
    : '';
  const alone = (from: string): string => `with gone as (${deleted(from)})${kept} select count(*) from gone`;
  return {
    write: write(`gone as (${deleted(`using moved where ${concerns('$6::bigint[]')}`)})${kept}`),
    forget: alone(`where ${concerns('array[$1::bigint]')}`),
    forgetErased: `
with looked as materialized (
  select sequence, subject, others from outcomes where account = $1 and sequence > $2 order by sequence limit $3
), gone as (${deleted(`using looked l where t.account = $1 and t.sequence = l.sequence and ${isOfNobody('l', subjects)}`)})${kept}
select max(sequence) as last from looked`,
  };
}

/** @param gone the part of the statement that deletes the outcomes of erased users */
const write = (gone: string): string => `
with moved as (
  update outcome_cursors set position = $4, sequence = $5 where account = $1 and position = $2 and sequence = $3 returning 1
), ${gone}, written as (
  insert into outcomes (account, sequence, position, subject, occurred_at, written_at, id, place, ordinal, type, body, others)
  select $1, r.sequence, r.position, r.subject, to_timestamp(r.occurred_ms / 1000.0), $7, r.id, r.place, r.ordinal, r.type, r.body, r.others::bigint[]
  from moved, unnest($8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::uuid[], $13::integer[], $14::integer[],
    $15::text[], $16::text[], string_to_array($17, chr(30)))
    as r (sequence, position, subject, occurred_ms, id, place, ordinal, type, others, body)
)
select count(*) as cursors from moved`;

/** Outcomes are written in the order of their sequence, so the oldest come first. */
const DELETE_OLD = `
with old as (
  select sequence from (
    select sequence, written_at from outcomes where account = $1 order by sequence limit $3
  ) first where written_at < $2 and ($4::bigint is null or sequence < $4)
), gone as (
  delete from outcomes o using old where o.account = $1 and o.sequence = old.sequence
), noted as (
  update outcome_cursors set deleted_to = greatest(deleted_to, (select max(sequence) from old))
  where account = $1 and exists (select from old)
)
select count(*) as outcomes from old`;

/** Outcomes that one statement looks at, so that it stays far below its timeout. */
const LOOKED_AT_A_TIME = 10_000;

/** Whether an outcome belongs to an erased user or names one. @param row alias of the outcome's row */
const isOfNobody = (row: string, subjects: string): string => `exists (
  select from unnest(array_append(${row}.others, ${row}.subject)) as one (subject) where one.subject is not null and not exists (
    select from ${subjects} s where s.account = $1 and s.subject = one.subject
  )
)`;
