import type {
  ConfigurationHistory,
  Directory,
  LiveEntry,
  LiveReads,
  LogRecord,
  SqlReader,
  UserRecord,
} from '@laurel/contracts';
import { userRecordOf } from '@laurel/engine';
import type { EventLog, NewestLog } from '@laurel/event-store';
import { effectsByArea, type EffectsRow } from './stored-effects.ts';

export interface LiveLogParts {
  readonly sql: SqlReader;
  readonly log: Pick<EventLog, 'read'> & NewestLog;
  readonly directory: Pick<Directory, 'idsOf'>;
  readonly configurations: (account: string) => ConfigurationHistory;
  /** The position up to which the read models hold what the log holds. */
  readonly applied: () => number;
}

/** By the primary key of `effects`, a probe for each. */
const EFFECTS_OF = `
select asked.position, occurred_at, users, streaks, achievements, points
from unnest($1::bigint[], $2::bigint[]) as asked (subject, position)
join effects on effects.subject = asked.subject and effects.position = asked.position`;

/** The log and the read models, as watchers see them. */
export class LiveLog implements LiveReads {
  readonly #parts: LiveLogParts;

  constructor(parts: LiveLogParts) {
    this.#parts = parts;
  }

  applied(): number {
    return this.#parts.applied();
  }

  async behind(
    account: string,
    after: number,
    limit: number,
  ): Promise<{ readonly records: readonly UserRecord[]; readonly position: number }> {
    const applied = this.applied();
    if (applied <= after) return { records: [], position: after };
    const read = await this.#parts.log.read(after, limit);
    const known = read.filter(({ position }) => position <= applied);
    const last = known.at(-1);
    const isAll = known.length < read.length || read.length < limit;
    const records = known.flatMap((record) => (record.account === account ? ofUser(record) : []));
    return { records, position: isAll || last === undefined ? applied : last.position };
  }

  async newest(account: string, after: number, limit: number): ReturnType<LiveReads['newest']> {
    const position = Math.max(after, this.applied());
    const { records, others } = await this.#parts.log.readNewestOfUsers(account, { after, upTo: position, limit });
    return { records: records.flatMap(ofUser), skipped: others, position };
  }

  async entries(account: string, records: readonly UserRecord[]): Promise<readonly LiveEntry[]> {
    if (records.length === 0) return [];
    const { sql, directory, configurations } = this.#parts;
    const subjects = records.map(({ fact }) => fact.subject);
    const [rows, ids] = await Promise.all([
      sql.query<EffectsRow & { readonly position: string }>(EFFECTS_OF, [
        subjects,
        records.map(({ position }) => position),
      ]),
      directory.idsOf(account, [...new Set(subjects)]),
    ]);
    const history = configurations(account);
    const stored = new Map(rows.map((row) => [Number(row.position), row]));
    return records.map((record) => {
      const row = stored.get(record.position) ?? NOTHING;
      const effects = effectsByArea(row, history.at(record.configurationVersion));
      return { userId: ids.get(record.fact.subject) ?? null, record, effects };
    });
  }
}

/** An erased user has no row. */
const NOTHING: EffectsRow = {
  occurred_at: new Date(0),
  users: null,
  streaks: null,
  achievements: null,
  points: null,
};

const ofUser = (record: LogRecord): readonly UserRecord[] =>
  'subject' in record.fact ? [userRecordOf(record, record.fact.subject)] : [];
