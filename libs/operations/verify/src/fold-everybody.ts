import {
  AREAS,
  tablesOf,
  type AnyUserArea,
  type AreaTable,
  type ConfigurationHistory,
  type LogRecord,
  type Row,
  type Rows,
  type SqlReader,
  type Subject,
} from '@laurel/kernel';
import { EFFECTS, effectColumnsOf } from '@laurel/ports';
import { PostgresDirectory } from '@laurel/directory';
import {
  foldEvent,
  positionsInPostgres,
  turnOfTheLoop,
  UserEvents,
  UserFold,
  userRecordOf,
  type FoldedEvent,
} from '@laurel/engine';
import { PostgresLogReader } from '@laurel/event-store';
import {
  BoardsOfUser,
  FINAL_RUN_CHANGES,
  leaderboardTables,
  RANK_HISTORY,
  RANKS,
  RUN_COUNTS,
  STANDINGS,
} from '@laurel/leaderboards';
import { USER_AREAS } from '@laurel/all-areas';
import { compareCounters, RecountedTable } from './recounted-table.ts';
import { compareStates, type FoldedStates } from './states-of-users.ts';
import { TableOfUsers, type Hearer, type RowFinding } from './table-of-users.ts';

export interface FoldEverybody {
  readonly account: string;
  readonly configurations: (account: string) => ConfigurationHistory;
  readonly onProgress: (folded: number, users: number) => void;
  /** @param table that does not fit */
  readonly onFinding: (check: 'fold' | 'counters', table: string, finding: RowFinding | CounterFinding) => void;
  readonly onMore: () => void;
}

/** A counter is nobody’s. */
export type CounterFinding = Omit<RowFinding, 'subject'> & { readonly subject: null };

/** Effects and their events in memory at a time. */
const PAGE = 1_000;
/** Events and effects that are applied before other work of the process gets its turn. */
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
 * Folds the events of every user (ADR 0030), and compares all that comes of it with every stored row: states, effects, the rows of users
 * in each table of an area, boards but for ranks, and the counters, which must be the sum over all users. Reads page by page, so
 * that memory grows with the number of counters, not of users or events.
 * @param sql everything it reads must be as of one moment, in one transaction
 */
export async function foldEverybody(sql: SqlReader, asked: FoldEverybody): Promise<void> {
  const folding = new Folding(sql, asked, await spansOf(sql));
  await folding.open();
  await folding.run();
}

/** Areas that have applied the log up to the same record, with those before them: what they store is compared as of it. */
interface AppliedSpan {
  /** Nothing behind it was applied. */
  readonly upTo: number;
  /** All that must be folded. */
  readonly areas: readonly AnyUserArea[];
  /** Of those, the ones that are compared, from this place on. */
  readonly first: number;
  readonly hasBoards: boolean;
}

/** One, unless an area has stopped: neither it nor those behind it have seen what is recorded since. */
async function spansOf(sql: SqlReader): Promise<readonly AppliedSpan[]> {
  const rows = await sql.query<{ area: string; position: string }>(
    'select area, position from area_checkpoints where failure is not null',
    [],
  );
  const stops = new Map(rows.map(({ area, position }) => [area, Number(position)]));
  let upTo = Infinity;
  const reached = AREAS.map((area) => (upTo = Math.min(upTo, stops.get(area) ?? Infinity)));
  return [...new Set(reached)].map((position) => {
    const end = reached.lastIndexOf(position) + 1;
    return {
      upTo: position,
      areas: USER_AREAS.slice(0, end),
      first: reached.indexOf(position),
      hasBoards: end === AREAS.length,
    };
  });
}

class FoldedSpan {
  readonly span: AppliedSpan;
  readonly fold: UserFold;
  readonly boards: BoardsOfUser | null;

  constructor(span: AppliedSpan, configurations: Pick<ConfigurationHistory, 'at'>) {
    this.span = span;
    this.fold = new UserFold(span.areas, configurations, null, BoardsOfUser);
    this.boards = span.hasBoards ? new BoardsOfUser() : null;
  }

  /** Only those of the areas that are compared. */
  rowsOf({ rows }: FoldedEvent): readonly Rows[] {
    return rows.slice(this.span.first);
  }

  /** Of a correction; likewise. */
  removedBy({ corrected }: FoldedEvent): readonly Rows[] {
    return corrected?.removed.slice(this.span.first) ?? [];
  }

  /** Rows of rank changes. */
  moveOnBoards({ record, occasion, configuration, effects, corrected }: FoldedEvent): readonly Row[] {
    if (this.boards === null) return [];
    const { fact } = record;
    if (corrected === undefined || fact.type !== 'CorrectionRecorded')
      return this.boards.apply(occasion, configuration, effects);
    const { before, after } = corrected;
    return this.boards.correct(
      { occasion, before, after, changesFinalRuns: fact.finalRuns === 'change' },
      configuration,
    );
  }
}

interface UserUnderWay {
  readonly subject: Subject;
  readonly account: string;
  readonly spans: readonly FoldedSpan[];
}

class Folding {
  readonly #sql: SqlReader;
  readonly #asked: FoldEverybody;
  readonly #spans: readonly AppliedSpan[];
  readonly #log: PostgresLogReader;
  readonly #events: UserEvents;
  readonly #ofUsers = new Map<string, TableOfUsers>();
  readonly #counters = new Map<string, RecountedTable>();
  /** Users whose events cannot be applied: what must be stored of them is not known. */
  readonly #unknown = new Set<Subject>();
  #isCountKnown = true;
  #user: UserUnderWay | null = null;
  #states: FoldedStates[] = [];
  #folded = 0;
  #users = 0;
  #work = 0;

  constructor(sql: SqlReader, asked: FoldEverybody, spans: readonly AppliedSpan[]) {
    this.#sql = sql;
    this.#asked = asked;
    this.#spans = spans;
    this.#log = new PostgresLogReader(sql, new PostgresDirectory(sql));
    this.#events = new UserEvents(positionsInPostgres(sql), this.#log);
  }

  async open(): Promise<void> {
    for (const table of TABLES) {
      if (table.name === EFFECTS) continue;
      if (table.counter !== undefined) this.#counters.set(table.name, new RecountedTable(table));
      else this.#ofUsers.set(table.name, await this.#openTable(table));
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
        if (this.#work >= WORK_PER_TURN) await this.#takeTurn();
      }
      read = rows.length;
      if (read < PAGE) this.#endUser();
      await this.#compare(read < PAGE ? null : { subject, position });
      this.#asked.onProgress(this.#folded, Math.max(this.#users, this.#folded));
    }
    if (this.#isCountKnown) await this.#compareCounters();
    else this.#asked.onMore();
  }

  #openTable(table: AreaTable): Promise<TableOfUsers> {
    return TableOfUsers.open(this.#sql, table, table.name === RANK_HISTORY ? RANKS : []);
  }

  async #recordsAt(rows: readonly EffectsRow[]): Promise<ReadonlyMap<number, LogRecord>> {
    const positions = [...new Set(rows.map((row) => Number(row.position)))];
    const records = positions.length === 0 ? [] : await this.#readable(positions);
    return new Map(records.map((record) => [record.position, record]));
  }

  /** Those that can be read; the check of the log has named the others. */
  async #readable(positions: readonly number[]): Promise<readonly LogRecord[]> {
    try {
      return await this.#log.readAt(positions);
    } catch {
      if (positions.length === 1) return [];
      const half = Math.ceil(positions.length / 2);
      return [...(await this.#readable(positions.slice(0, half))), ...(await this.#readable(positions.slice(half)))];
    }
  }

  async #applyRow(row: EffectsRow, subject: Subject, record: LogRecord | null): Promise<void> {
    if (this.#user?.subject !== subject) this.#endUser();
    if (this.#unknown.has(subject)) return;
    if (record === null) return this.#loseUser(subject);
    this.#user ??= this.#openUser(subject, record.account);
    for (const one of this.#user.spans)
      if (record.position <= one.span.upTo && !(await this.#apply(one, row, subject, record))) return;
  }

  #openUser(subject: Subject, account: string): UserUnderWay {
    const history: Pick<ConfigurationHistory, 'at'> = {
      at: (version) => this.#asked.configurations(account).at(version),
    };
    return { subject, account, spans: this.#spans.map((span) => new FoldedSpan(span, history)) };
  }

  /** Whether it could be applied. */
  async #apply(one: FoldedSpan, row: EffectsRow, subject: Subject, record: LogRecord): Promise<boolean> {
    const { account } = record;
    try {
      const folded = await foldEvent(one.fold, this.#events, { account, subject }, userRecordOf(record, subject));
      this.#work += 1 + folded.effects.length;
      this.#takeRows(one, row, folded);
      return true;
    } catch (error) {
      this.#found('events', {
        subject,
        position: record.position,
        what: 'the event',
        stored: 'in the log',
        expected: `one that the rules can apply (${(error as Error).message})`,
      });
      this.#loseUser(subject);
      return false;
    }
  }

  #takeRows(one: FoldedSpan, row: EffectsRow, folded: FoldedEvent): void {
    const { position } = folded.record;
    const effects: Row = {};
    for (const gone of one.removedBy(folded)) for (const [table, rows] of gone) this.#tableOf(table).drop(rows);
    for (const rows of one.rowsOf(folded))
      for (const [table, added] of rows) {
        if (table === EFFECTS) Object.assign(effects, ...added);
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

  #compareEffects({ span }: FoldedSpan, row: EffectsRow, effects: Row): void {
    for (const { name } of span.areas.slice(span.first))
      for (const column of effectColumnsOf(name)) {
        const [stored, expected] = [row[column] ?? null, (effects[column] as string | undefined) ?? null];
        if (stored === expected) continue;
        const [subject, position] = [Number(row.subject), Number(row.position)];
        this.#found(EFFECTS, { subject, position, what: `the column ${column}`, stored, expected });
      }
  }

  #endUser(): void {
    const user = this.#user;
    this.#user = null;
    if (user === null) return;
    this.#folded++;
    for (const { span, fold, boards } of user.spans) {
      if (fold.position > 0) this.#states.push(statesOf(user, span, fold));
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

  /** @param bound null: all that is left */
  async #compare(bound: { readonly subject: Subject; readonly position: number } | null): Promise<void> {
    const states = this.#states;
    this.#states = [];
    await compareStates(this.#sql, states, (finding) => this.#found('user_states', finding));
    const { names } = this.#asked.configurations(this.#asked.account).current;
    for (const [name, table] of this.#ofUsers)
      await table.compare(bound, names, (subject) => this.#unknown.has(subject), this.#hearerOf(name));
    for (const subject of this.#unknown) if (bound === null || subject < bound.subject) this.#unknown.delete(subject);
  }

  async #compareCounters(): Promise<void> {
    const { onFinding, onMore } = this.#asked;
    for (const [name, counter] of this.#counters)
      await compareCounters(this.#sql, counter, {
        onFinding: (finding) => onFinding('counters', name, { ...finding, subject: null, position: null }),
        onMore,
      });
  }

  #tableOf(name: string): TableOfUsers {
    const table = this.#ofUsers.get(name);
    if (table === undefined) throw new Error(`no area has a table ${name}`);
    return table;
  }

  #hearerOf(table: string): Hearer {
    return { onFinding: (finding) => this.#found(table, finding), onMore: this.#asked.onMore };
  }

  #found(table: string, finding: RowFinding): void {
    this.#asked.onFinding('fold', table, finding);
  }

  async #takeTurn(): Promise<void> {
    this.#work = 0;
    await turnOfTheLoop();
  }
}

function statesOf({ subject, account }: UserUnderWay, { areas, first }: AppliedSpan, fold: UserFold): FoldedStates {
  const states = areas.flatMap((area, place) =>
    place < first ? [] : [[area.name, area.encode(fold.document[place])] as const],
  );
  return { account, subject, position: fold.position, states: Object.fromEntries(states) };
}
