import type { ConfigurationHistory, RecordedEvent, RecordedUserEvent } from '@laurel/kernel';
import type { Directory, LiveEntry, LiveReads } from '@laurel/ports';
import { recordedUserEventOf } from '@laurel/engine';
import type { EventLog, NewestLog } from '@laurel/event-store';
import { effectsByArea, readersOfEffects, storedEffects, type EffectsRow, type SqlOfArea } from './stored-effects.ts';

export interface LiveLogDependencies {
  readonly sqlOf: SqlOfArea;
  readonly log: Pick<EventLog, 'read' | 'head'> & NewestLog;
  readonly directory: Pick<Directory, 'idsOf'>;
  readonly configurations: (account: string) => ConfigurationHistory;
  /** The position up to which all areas with user states have applied the log. */
  readonly applied: () => Promise<number>;
}

/** The log and the read models for live views. */
export class LiveLog implements LiveReads {
  readonly #dependencies: LiveLogDependencies;

  constructor(dependencies: LiveLogDependencies) {
    this.#dependencies = dependencies;
  }

  applied(): Promise<number> {
    return this.#dependencies.applied();
  }

  head(): Promise<number> {
    return this.#dependencies.log.head();
  }

  async behind(
    account: string,
    after: number,
    limit: number,
  ): Promise<{ readonly records: readonly RecordedUserEvent[]; readonly position: number }> {
    const applied = await this.applied();
    if (applied <= after) return { records: [], position: after };
    const read = await this.#dependencies.log.read(after, limit);
    const known = read.filter(({ position }) => position <= applied);
    const last = known.at(-1);
    const isAll = known.length < read.length || read.length < limit;
    const records = known.flatMap((record) => (record.account === account ? ofUser(record) : []));
    return { records, position: isAll || last === undefined ? applied : last.position };
  }

  async newest(account: string, after: number, limit: number): ReturnType<LiveReads['newest']> {
    const position = Math.max(after, await this.applied());
    const { records, others } = await this.#dependencies.log.readNewestOfUsers(account, {
      after,
      upTo: position,
      limit,
    });
    return { records: records.flatMap(ofUser), skipped: others, position };
  }

  count(after: number, upTo: number, most: number): Promise<number> {
    return this.#dependencies.log.count(after, upTo, most);
  }

  before(upTo: number, records: number): Promise<number> {
    return this.#dependencies.log.before(upTo, records);
  }

  async entries(account: string, records: readonly RecordedUserEvent[]): Promise<readonly LiveEntry[]> {
    if (records.length === 0) return [];
    const { sqlOf, directory, configurations } = this.#dependencies;
    const asked = records.map(({ fact: { subject }, position }) => ({ subject, position }));
    const [stored, ids] = await Promise.all([
      storedEffects(readersOfEffects(sqlOf), asked),
      directory.idsOf(account, [...new Set(asked.map(({ subject }) => subject))]),
    ]);
    const history = configurations(account);
    return records.map((record, place) => {
      const effects = effectsByArea(stored[place] ?? NOTHING, history.at(record.configurationVersion));
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

const ofUser = (record: RecordedEvent): readonly RecordedUserEvent[] =>
  'subject' in record.fact ? [recordedUserEventOf(record, record.fact.subject)] : [];
