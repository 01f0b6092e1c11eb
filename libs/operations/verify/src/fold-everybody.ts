import {
  tablesOf,
  type ConfigurationHistory,
  type RecordedEvent,
  type Row,
  type SqlReader,
  type Subject,
} from '@laurel/kernel';
import { EFFECTS_TABLE, effectColumnsOf } from '@laurel/ports';
import { PostgresDirectory } from '@laurel/directory';
import {
  foldEvent,
  positionsInPostgres,
  turnOfTheLoop,
  UserEvents,
  recordedUserEventOf,
  type FoldedEvent,
} from '@laurel/engine';
import { PostgresLogReader } from '@laurel/event-store';
import { FINAL_RUN_CHANGES, leaderboardTables, RANK_HISTORY, RANKS, RUN_COUNTS, STANDINGS } from '@laurel/leaderboards';
import { USER_AREAS } from '@laurel/all-areas';
import { FoldedRange, rangesOf, type AppliedRange } from './applied-range.ts';
import { compareCounters, RecountedTable } from './recounted-table.ts';
import { compareStates, type FoldedStates } from './states-of-users.ts';
import { TableOfUsers, type RowFinding } from './table-of-users.ts';

export interface FoldEverybody {
  readonly account: string;
  readonly configurations: (account: string) => ConfigurationHistory;
  readonly onProgress: (folded: number, users: number) => void;
  readonly onFinding: (check: 'fold' | 'counters', table: string, finding: RowFinding) => void;
  readonly onMore: () => void;
}

/** Effects and their events in memory. */
const PAGE = 1_000;
/** Events and effects that are applied before the process yields to other work. */
const WORK_PER_TURN = 64;

const TABLES = tablesOf([...USER_AREAS, { tables: leaderboardTables }]).filter(({ isTransient }) => !isTransient);

interface EffectsRow {
  readonly subject: string;
  readonly position: string;
  readonly [column: string]: string | null;
}

const READ_EFFECTS = `
  select subject, position, event_id, users, streaks, achievements, points, systems from effects
  where (subject, position) > ($1::bigint, $2::bigint) order by subject, position limit ${PAGE}`;

/**
 * Folds the events of every user (ADR 0030), and compares the result with every stored row: states, effects, the rows of users in each
 * table of an area, boards except for ranks, and the counters, which must be the sums over all users. Reads page by page, so memory grows
 * with the number of counters, not of users or events.
 * @param sql one transaction with one snapshot
 */
export async function foldEverybody(sql: SqlReader, asked: FoldEverybody): Promise<void> {
  const folding = new Folding(sql, asked, await rangesOf(sql));
  await folding.open();
  await folding.run();
}

interface UserUnderWay {
  readonly subject: Subject;
  readonly account: string;
  readonly ranges: readonly FoldedRange[];
}

class Folding {
  readonly #sql: SqlReader;
  readonly #asked: FoldEverybody;
  readonly #ranges: readonly AppliedRange[];
  readonly #log: PostgresLogReader;
  readonly #events: UserEvents;
  readonly #ofUsers = new Map<string, TableOfUsers>();
  readonly #counters = new Map<string, RecountedTable>();
  /** Users whose events cannot be applied, so nothing is known about their rows. */
  readonly #unknown = new Set<Subject>();
  #isCountKnown = true;
  #user: UserUnderWay | null = null;
  #states: FoldedStates[] = [];
  #folded = 0;
  #users = 0;
  #work = 0;

  constructor(sql: SqlReader, asked: FoldEverybody, ranges: readonly AppliedRange[]) {
    this.#sql = sql;
    this.#asked = asked;
    this.#ranges = ranges;
    this.#log = new PostgresLogReader(sql, new PostgresDirectory(sql));
    this.#events = new UserEvents(positionsInPostgres(sql), this.#log);
  }

  async open(): Promise<void> {
    for (const table of TABLES) {
      const { name, counter } = table;
      if (name === EFFECTS_TABLE) continue;
      if (counter !== undefined) this.#counters.set(name, new RecountedTable(table));
      else this.#ofUsers.set(name, await TableOfUsers.open(this.#sql, table, name === RANK_HISTORY ? RANKS : []));
    }
    const [row] = await this.#sql.query<{ users: string }>('select count(*) as users from user_states', []);
    this.#users = Number(row?.users ?? 0);
  }

  async run(): Promise<void> {
    let [subject, position] = [-1, -1];
    for (let read = PAGE; read === PAGE;) {
      const rows = await this.#sql.query<EffectsRow>(READ_EFFECTS, [subject, position]);
      const records = await this.#recordsAt(rows);
      for (const row of rows) {
        [subject, position] = [Number(row.subject), Number(row.position)];
        await this.#applyRow(row, subject, records.get(position) ?? null);
        if (this.#work < WORK_PER_TURN) continue;
        this.#work = 0;
        await turnOfTheLoop();
      }
      read = rows.length;
      if (read < PAGE) this.#endUser();
      await this.#compare(read < PAGE ? null : { subject, position });
      this.#asked.onProgress(this.#folded, Math.max(this.#users, this.#folded));
    }
    if (this.#isCountKnown) await this.#compareCounters();
    else this.#asked.onMore();
  }

  async #recordsAt(rows: readonly EffectsRow[]): Promise<ReadonlyMap<number, RecordedEvent>> {
    const positions = [...new Set(rows.map((row) => Number(row.position)))];
    const records = positions.length === 0 ? [] : await this.#readable(positions);
    return new Map(records.map((record) => [record.position, record]));
  }

  /** Reads the readable records; the check of the log has reported the others. */
  async #readable(positions: readonly number[]): Promise<readonly RecordedEvent[]> {
    try {
      return await this.#log.readAt(positions);
    } catch {
      if (positions.length === 1) return [];
      const half = Math.ceil(positions.length / 2);
      return [...(await this.#readable(positions.slice(0, half))), ...(await this.#readable(positions.slice(half)))];
    }
  }

  async #applyRow(row: EffectsRow, subject: Subject, record: RecordedEvent | null): Promise<void> {
    if (this.#user?.subject !== subject) this.#endUser();
    if (this.#unknown.has(subject)) return;
    if (record === null) return this.#loseUser(subject);
    this.#user ??= this.#openUser(subject, record.account);
    for (const one of this.#user.ranges)
      if (record.position <= one.range.upTo && !(await this.#apply(one, row, subject, record))) return;
  }

  #openUser(subject: Subject, account: string): UserUnderWay {
    const history: Pick<ConfigurationHistory, 'at'> = {
      at: (version) => this.#asked.configurations(account).at(version),
    };
    return { subject, account, ranges: this.#ranges.map((range) => new FoldedRange(range, history)) };
  }

  /** @returns whether the event could be applied */
  async #apply(one: FoldedRange, row: EffectsRow, subject: Subject, record: RecordedEvent): Promise<boolean> {
    const followed = { fold: one.fold, events: this.#events, user: { account: record.account, subject } };
    try {
      const folded = await foldEvent(followed, recordedUserEventOf(record, subject));
      this.#work += 1 + folded.effects.length;
      this.#takeRows(one, row, folded);
      return true;
    } catch (error) {
      const { position } = record;
      const expected = `one that the rules can apply (${(error as Error).message})`;
      this.#found('events', { subject, position, what: 'the event', stored: 'in the log', expected });
      this.#loseUser(subject);
      return false;
    }
  }

  #takeRows(one: FoldedRange, row: EffectsRow, folded: FoldedEvent): void {
    const { position } = folded.record;
    const effects: Row = {};
    for (const gone of one.removedBy(folded)) for (const [table, rows] of gone) this.#tableOf(table).drop(rows);
    for (const rows of one.rowsOf(folded))
      for (const [table, added] of rows) {
        if (table === EFFECTS_TABLE) Object.assign(effects, ...added);
        else this.#expect(table, added, position);
      }
    this.#compareEffects(one, row, effects);
    this.#expect(RANK_HISTORY, one.moveOnBoards(folded), position);
  }

  #expect(table: string, rows: readonly Row[], position: number): void {
    const counter = this.#counters.get(table);
    if (counter !== undefined) counter.add(rows);
    else this.#tableOf(table).expect(rows, position);
  }

  #compareEffects({ range }: FoldedRange, row: EffectsRow, effects: Row): void {
    for (const { name } of range.areas.slice(range.first))
      for (const column of effectColumnsOf(name)) {
        const [stored, expected] = [row[column] ?? null, (effects[column] as string | undefined) ?? null];
        if (stored === expected) continue;
        const [subject, position] = [Number(row.subject), Number(row.position)];
        this.#found(EFFECTS_TABLE, { subject, position, what: `the column ${column}`, stored, expected });
      }
  }

  #endUser(): void {
    const user = this.#user;
    this.#user = null;
    if (user === null) return;
    this.#folded++;
    for (const range of user.ranges) {
      const { fold, boards } = range;
      if (fold.position > 0) this.#states.push(range.statesOf(user));
      for (const row of boards?.standings() ?? [])
        this.#tableOf(STANDINGS).expect([row], row['reached_position'] as number);
      this.#counters.get(RUN_COUNTS)?.add(boards?.runCounts() ?? []);
      this.#counters.get(FINAL_RUN_CHANGES)?.add(boards?.finalRunChanges() ?? []);
    }
    for (const table of this.#ofUsers.values()) table.endUser();
  }

  #loseUser(subject: Subject): void {
    this.#user = null;
    this.#isCountKnown = false;
    this.#unknown.add(subject);
    for (const table of this.#ofUsers.values()) table.forgetUser(subject);
  }

  /** @param bound null for all remaining rows */
  async #compare(bound: Parameters<TableOfUsers['compare']>[0]): Promise<void> {
    const states = this.#states;
    this.#states = [];
    await compareStates(this.#sql, states, (finding) => this.#found('user_states', finding));
    const { names } = this.#asked.configurations(this.#asked.account).current;
    const { onMore } = this.#asked;
    for (const [name, table] of this.#ofUsers) {
      const onFinding = (finding: RowFinding): void => this.#found(name, finding);
      await table.compare(bound, names, (subject) => this.#unknown.has(subject), { onFinding, onMore });
    }
    for (const subject of this.#unknown) if (bound === null || subject < bound.subject) this.#unknown.delete(subject);
  }

  async #compareCounters(): Promise<void> {
    const { onFinding, onMore } = this.#asked;
    for (const [name, counter] of this.#counters)
      await compareCounters(this.#sql, counter, {
        onFinding: (finding) => onFinding('counters', name, finding),
        onMore,
      });
  }

  #tableOf(name: string): TableOfUsers {
    const table = this.#ofUsers.get(name);
    if (table === undefined) throw new Error(`no area has a table ${name}`);
    return table;
  }

  #found(table: string, finding: RowFinding): void {
    this.#asked.onFinding('fold', table, finding);
  }
}
