import {
  isPointsRequest,
  type PointsRequest,
  type RecordedEvent,
  type RequestDecided,
  type SqlReader,
  type Verdict,
} from '@laurel/kernel';
import { decisionKeyOf } from '../key-hash.ts';
import type { LogTables } from './log-tables.ts';
import { typeNumberOf } from './type-numbers.ts';

/**
 * Finds how requests for points were decided that were recorded without a verdict (ADR 0061). Every read of the log adds the verdicts, so a
 * fold that meets a request obeys what was once decided, and only a request without a verdict is decided by the fold.
 */
export class RecordedVerdicts {
  readonly #sql: SqlReader;
  readonly #find: string;

  /** @param logs the tables of the log; several if the log may be in any of them */
  constructor(sql: SqlReader, logs: readonly LogTables[]) {
    this.#sql = sql;
    /** The index of the copied log holds this type alone, so the type must be a constant. */
    this.#find = logs
      .map(({ events }) => `select data from ${events} where type = ${DECIDED} and key_hash = any($1::uuid[])`)
      .join(' union all ');
  }

  /** The same records, with the verdicts that the log has. Takes one statement, and none without undecided requests. */
  async addedTo<Event>(records: readonly RecordedEvent<Event>[]): Promise<readonly RecordedEvent<Event>[]> {
    const undecided = records.filter((record) => lacksVerdict(record));
    if (undecided.length === 0) return records;
    const verdicts = await this.#verdictsOf(undecided);
    return records.map((record) => withVerdict(record, verdicts.get(record.eventId)));
  }

  async #verdictsOf(requests: readonly RecordedEvent<unknown>[]): Promise<ReadonlyMap<string, Verdict>> {
    const keys = requests.map((request) => decisionKeyOf(request.account, request));
    const rows = await this.#sql.query<{ data: Pick<RequestDecided, 'request' | 'verdict'> }>(this.#find, [keys]);
    return new Map(rows.map(({ data: { request, verdict } }) => [request.eventId, verdict]));
  }
}

const DECIDED = typeNumberOf('RequestDecided');

/** Whether a record is a request for points without a verdict. */
export function lacksVerdict(record: RecordedEvent<unknown>): record is RecordedEvent<PointsRequest> {
  const fact = record.fact as { readonly type: string };
  return isPointsRequest(fact) && fact.verdict === undefined;
}

const withVerdict = <Event>(record: RecordedEvent<Event>, verdict: Verdict | undefined): RecordedEvent<Event> =>
  verdict === undefined ? record : { ...record, fact: { ...record.fact, verdict } };
