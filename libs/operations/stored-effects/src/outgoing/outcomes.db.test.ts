import { dayAt, formatDay, formatInstant } from '@laurel/calendar';
import { compileHistory } from '@laurel/configuration';
import {
  ALWAYS_MADE,
  TYPES_OF_ALL,
  OUTCOME_TYPES,
  type ConfigurationHistory,
  type Effect,
  type RecordedEvent,
  type OutcomeType,
  type Row,
  type BoostEvent,
  type RunEvent,
  type Subject,
} from '@laurel/kernel';
import type { UserProfile } from '@laurel/ports';
import { OUTCOME_BODIES, type NarrowedPointsChanged } from '@laurel/schemas';
import {
  foldEvents,
  positionsInPostgres,
  publicationsIn,
  UserEvents,
  UserFold,
  type CommittedEvents,
} from '@laurel/engine';
import { OutcomeReader, PostgresOutcomes, type Outcome } from '@laurel/outgoing';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import { BEGINNING, clockAt, correctedLives, lesson, live, lives, type Step } from '@laurel/testing/histories';
import type { MemoryBatchStore } from '@laurel/testing/projections';
import { runHolding } from '@laurel/contributions';
import { UserQueries } from '@laurel/users';
import { assertCovering } from '@laurel/testing/laws';
import fc from 'fast-check';
import { MIGRATIONS, USER_AREAS } from '@laurel/all-areas';
import { causedEffects, type CausedDependencies } from './caused-effects.ts';
import { changedFinalRuns } from './changed-final-runs.ts';
import { runsOfRecords } from './runs-of-records.ts';

const MADE_BY_HAND: ReadonlySet<string> = new Set(['ConfigurationPublished', 'CorrectionRecorded', 'UserErased']);
const ACCOUNT = 'default';
/** So few that somebody is pushed out now and then. */
const ANNOUNCED = 2;

const announcingOnly =
  (events: Asked) =>
  (document: unknown): unknown => ({
    ...(document as object),
    outgoing: { events, keep: '7d', announceTop: ANNOUNCED },
  });
const announcing = announcingOnly(TYPES_OF_ALL);
/** Also second names, which `all` does not include. */
const announcingEverything = announcingOnly(OUTCOME_TYPES);

/** When outcomes are made. Not later than what is recorded, unless a test says so. */
let madeAt = BEGINNING;
afterEach(() => {
  madeAt = BEGINNING;
});

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase(MIGRATIONS);
});
afterAll(() => database.close());

type Asked = 'all' | readonly (OutcomeType | NarrowedPointsChanged)[];

interface LifeOptions {
  /** Absent: no version asks for any. */
  readonly events?: Asked;
  /** Whether imports are opened with `outgoing`. */
  readonly outgoing?: boolean;
}

/** The life whose rows the tables hold; reading leaves them as they are. */
let held: MemoryBatchStore | null = null;

async function keepRows(store: MemoryBatchStore): Promise<void> {
  if (store === held) return;
  held = null;
  const { sql } = database;
  const tables = ['effects', 'user_zones', 'board_standings', 'rank_changes', 'run_tops', 'final_run_changes'];
  await sql.query(`truncate ${tables.join(', ')}`, []);
  for (const table of tables) {
    const rows = JSON.stringify(store.rows.get(table) ?? []);
    await sql.query(`insert into ${table} select * from json_populate_recordset(null::${table}, $1::json)`, [rows]);
  }
  held = store;
}

/** A life as it is stored, with versions that ask for outcomes. */
async function stored(store: MemoryBatchStore, { events, outgoing = false }: LifeOptions) {
  const { sql } = database;
  await sql.query('truncate outcomes, outcome_cursors, subjects', []);
  await keepRows(store);
  const records = store.records.map((record): RecordedEvent => {
    const { fact } = record;
    return fact.type === 'ImportOpened' && outgoing ? { ...record, fact: { ...fact, outgoing } } : record;
  });
  const publications = publicationsIn(records).map((publication) => ({
    ...publication,
    document: {
      ...(publication.document as object),
      outgoing: events && { events: events === 'all' ? TYPES_OF_ALL : events, keep: '7d', announceTop: ANNOUNCED },
    },
  }));
  const history = compileHistory(ACCOUNT, publications);
  const erased = new Set(records.flatMap(({ fact }) => (fact.type === 'UserErased' ? [fact.subject] : [])));
  const known = [...store.documents.keys()]
    .map((user) => Number(user.split('\0')[1]))
    .filter((one) => !erased.has(one));
  await sql.query("insert into subjects select $1, subject, 'user ' || subject, '' from unnest($2::bigint[]) subject", [
    ACCOUNT,
    known,
  ]);
  return { records, history, known: new Set(known) };
}

const PROFILE = {
  email: null,
  name: null,
  tz: null,
  subscribeToEmails: true,
  attributes: new Map(),
  totals: new Map(),
  createdAt: BEGINNING,
  updatedAt: BEGINNING,
  deviceTokens: [],
  notifications: {},
};

function readerOf(
  { records, history, known }: Awaited<ReturnType<typeof stored>>,
  applied: () => number,
  reads = { log: 0, effects: 0 },
  notifications: UserProfile['notifications'] = {},
  recentEvents: CausedDependencies['recentEvents'] = { effectsOf: () => undefined },
) {
  const { sql } = database;
  const states = { read: () => Promise.reject(new Error('nobody asks')), readAll: async () => new Map() };
  const queries = new UserQueries(sql, states, () => history);
  const users = {
    zonesAt: queries.zonesAt.bind(queries),
    profiles: async (_: string, subjects: readonly Subject[]) =>
      new Map(subjects.map((one) => [one, { ...PROFILE, notifications }])),
  };
  const streaks = {
    lengths: async (_: string, subjects: readonly Subject[]) =>
      new Map(subjects.map((one) => [one, { length: 4, extendedAt: null }])),
  };
  const idsOf = async (_: string, subjects: readonly Subject[]) =>
    new Map(subjects.filter((one) => known.has(one)).map((one) => [one, `user ${one}`]));
  const store = new PostgresOutcomes(sql);
  const reader = new OutcomeReader(
    {
      store,
      configurations: () => history,
      applied,
      clock: clockAt(() => madeAt),
      oldestNeeded: async () => null,
      log: {
        read: async (after, limit) => {
          reads.log += 1;
          return records.filter(({ position }) => position > after).slice(0, limit);
        },
        readAccountEvents: async (_, types) => records.filter(({ fact }) => types.some((type) => type === fact.type)),
        readAdministrativeBehind: async (_, after, limit) =>
          records.filter(({ position, fact }) => position > after && MADE_BY_HAND.has(fact.type)).slice(0, limit),
        head: async () => records.at(-1)?.position ?? 0,
      },
      caused: (account, asked, ranks) => {
        reads.effects += 1;
        return causedEffects(
          { sqlOf: () => sql, directory: { idsOf }, users, streaks, configurations: () => history, recentEvents },
          account,
          asked,
          ranks,
        );
      },
      runs: (account, asked, most) =>
        runsOfRecords(
          { sqlOf: () => sql, directory: { idsOf }, users, configurations: () => history },
          account,
          asked,
          most,
        ),
      finalRuns: (account, query, goesOn) =>
        changedFinalRuns(
          { sqlOf: () => sql, configurations: () => history, log: memoryLog(records) },
          account,
          query,
          goesOn,
        ),
      onFailure: (error) => {
        throw error;
      },
    },
    ACCOUNT,
  );
  return { reader, store };
}

const memoryLog = (records: readonly RecordedEvent[]) => ({
  readAt: async (positions: readonly number[]) => records.filter(({ position }) => positions.includes(position)),
});

/** What every event of a life caused, as if nothing of it were ever let go. */
function everything() {
  const emitted = new Map<string, readonly Effect[]>();
  const add = ({ effects: all }: CommittedEvents): void => {
    for (const { position, subject, effects } of all) emitted.set(`${position} ${subject}`, effects);
  };
  return { add, effectsOf: (position: number, subject: Subject) => emitted.get(`${position} ${subject}`) };
}

const head = ({ records }: { readonly records: readonly RecordedEvent[] }): number => records.at(-1)?.position ?? 0;

/** What an answer to an event says of the streak. */
interface Answered {
  readonly started: string | null;
  readonly expires: string | null;
  readonly freezes?: number;
}

const inWords = ({ started, expires, freezes }: Answered): string =>
  `since ${started} until ${expires} with ${freezes ?? 'no'} freezes`;

const [STREAKS] = USER_AREAS.flatMap((area, place) => (area.name === 'streaks' ? [{ area, place }] : []));

/** The effects of each event of the log, and the streak in its answer, by folding every user again. */
async function foldedEffects(store: MemoryBatchStore, history: ConfigurationHistory) {
  const caused = new Map<string, { readonly effects: readonly Effect[]; readonly streak: string }>();
  const events = new UserEvents(positionsInPostgres(database.sql), store);
  for (const user of store.documents.keys()) {
    const subject = Number(user.split('\0')[1]);
    const fold = new UserFold(USER_AREAS, history);
    let latest = -Infinity;
    await foldEvents(
      fold,
      events,
      { account: ACCOUNT, subject },
      {
        reasons: null,
        applied: ({ record, effects, configuration }) => {
          if (record.fact.type === 'MetricEventRecorded') latest = Math.max(latest, record.occurredAt);
          const at = Math.max(latest, record.occurredAt);
          const request = { account: ACCOUNT, subject, at, metric: null, originalDate: formatDay(dayAt(at, 'UTC')) };
          const shown = STREAKS?.area.view(fold.document[STREAKS.place], request, configuration);
          const { streak } = shown as { readonly streak: Answered };
          caused.set(`${record.position} ${subject}`, { effects, streak: inWords(streak) });
        },
      },
    );
  }
  return caused;
}

/** What a receiver is to be told of, counted plainly: one line each, in the order of the log and sorted within an event. */
async function recounted(
  store: MemoryBatchStore,
  life: Awaited<ReturnType<typeof stored>>,
  { outgoing, wantsMails }: { readonly outgoing: boolean; readonly wantsMails: boolean },
) {
  const { records, history, known } = life;
  const caused = await foldedEffects(store, history);
  const lines: string[] = [];
  const boards = new PlainBoards(store.rows.get('rank_changes') ?? [], history, known);
  let silent = -Infinity;
  let opened = head(life);
  for (const record of records) {
    const { fact, position } = record;
    if (fact.type === 'ImportOpened' && !outgoing) silent = record.recordedAt;
    if (fact.type === 'ConfigurationPublished') lines.push(`${position} configuration.published ${fact.version}`);
    if (fact.type === 'ImportOpened') opened = position;
    if (fact.type === 'ImportClosed') {
      const changed = finalRunsChanged(store, life, record, ({ position: at }) => at > opened && at < position);
      lines.push(`${position} import.finished ${changed.join()} and 0 others`);
    }
    if (fact.type === 'UserErased') lines.push(`${position} user.erased`);
    if (fact.type === 'LeaderboardRunStarted' || fact.type === 'LeaderboardRunEnded')
      lines.push(`${position} ${RUNS[fact.type]} ${fact.board} ${fact.run}: ${boards.top(record, fact)}`);
    if (fact.type === 'BoostStarted' || fact.type === 'BoostFinished')
      lines.push(`${position} ${BOOSTS[fact.type]} ${fact.system} ${configuredBoost(record, fact, history)}`);
    if (fact.type === 'UserErased' || (fact.type === 'MetricEventRecorded' && fact.imported && !outgoing)) continue;
    const subjects = fact.type === 'UsersSwept' ? fact.subjects : 'subject' in fact ? [fact.subject] : [];
    for (const subject of subjects) {
      if (!known.has(subject)) continue;
      const tell = (text: string) => void lines.push(`${position} ${text} of ${subject}`);
      const points = new Map<string, { first: bigint; last: bigint; sum: bigint }>();
      const levels = new Map<string, [string | null, string | null]>();
      let [used, earned] = [0, 0];
      let held: number | undefined;
      const { effects = [], streak } = caused.get(`${position} ${subject}`) ?? {};
      for (const effect of effects) {
        if (effect.type === 'FreezeUsed' || effect.type === 'FreezeEarned' || effect.type === 'FreezesGranted')
          held = effect.held;
        if (effect.type === 'UserCreated') tell('user.created');
        if (effect.type === 'StreakStarted') tell(`streak.started 1 ${streak}`);
        if (effect.type === 'StreakExtended') tell(`streak.extended ${effect.length} ${streak}`);
        if (effect.type === 'StreakEnded' && effect.at >= silent)
          tell(`streak.lost ${effect.length} ${formatInstant(effect.at)}`);
        if (effect.type === 'StreakAtRisk' && effect.at >= silent && record.recordedAt - effect.at <= HOUR)
          for (const name of ['streak.at_risk', 'emails.streak_reminder_due'])
            tell(`${name} ${effect.length} until ${formatInstant(effect.expiresAt)}`);
        if (effect.type === 'RecapDue' && effect.at >= silent && record.recordedAt - effect.at <= HOUR)
          tell(`emails.recap_due ${formatDay(effect.periodStart)} ${effect.totals.length}`);
        if (effect.type === 'ReactivationDue' && effect.at >= silent && record.recordedAt - effect.at <= HOUR)
          tell(`emails.reactivation_due ${effect.message} after ${effect.days}`);
        if (effect.type === 'FreezeUsed' && effect.at >= silent) used += 1;
        if (effect.type === 'FreezeEarned' && (effect.earnedAt ?? record.occurredAt) >= silent) earned += effect.earned;
        if (effect.type === 'FreezesGranted') earned += effect.granted;
        if (effect.type === 'AchievementCompleted') {
          tell(`achievement.completed ${effect.achievement}`);
          if (wantsMails) tell(`emails.achievement_due ${effect.achievement}`);
        }
        if (effect.type === 'BoostGiven') tell(`points.boost_started ${effect.system} ${effect.boost.name}`);
        if (effect.type === 'BoostEnded' && effect.at >= silent)
          tell(`points.boost_finished ${effect.system} ${effect.boost.name}`);
        if (effect.type === 'LevelChanged')
          levels.set(effect.system, [levels.get(effect.system)?.[0] ?? effect.from, effect.to]);
        if (effect.type === 'PointsAwarded' && effect.at >= silent) {
          const before = BigInt(effect.total) - BigInt(effect.awarded);
          const { first, sum } = points.get(effect.system) ?? { first: before, sum: 0n };
          points.set(effect.system, { first, last: BigInt(effect.total), sum: sum + BigInt(effect.awarded) });
        }
      }
      if (used > 0) tell(`streak.freeze_consumed ${used} leaves ${held}`);
      if (earned > 0) tell(`streak.freeze_earned ${earned}`);
      for (const [system, { first, last, sum }] of points) {
        if (!history.at(record.configurationVersion).pointsSystemByKey.has(system)) continue;
        if (first !== last) tell(`points.changed ${system} ${sum} to ${last}`);
        const isSpent = fact.type === 'SpendRequested' && fact.system === system;
        if (isSpent && effects.some(({ type }) => type === 'RequestAccepted'))
          tell(`points.spent ${system} ${fact.amount} to ${last}`);
        const [from, to] = levels.get(system) ?? [null, null];
        if (from !== to) tell(`points.level_changed ${system} to ${to}`);
      }
      for (const line of ranksMoved(store, { position, subject, silent, history })) tell(line);
      lines.push(...boards.met(record, subject, silent));
    }
  }
  return lines;
}

/** The runs that these records changed when they were final, as a record shows them; the newest first, then as the version of the record has their boards. */
function finalRunsChanged(
  { rows }: MemoryBatchStore,
  { records, history }: Awaited<ReturnType<typeof stored>>,
  { configurationVersion }: RecordedEvent,
  isOfIt: (change: { readonly position: number; readonly subject: Subject }) => boolean,
): readonly string[] {
  const { leaderboards } = history.at(configurationVersion);
  const runs = leaderboards.flatMap((board, place) =>
    (rows.get('rank_changes') ?? []).flatMap((row) => {
      const { position, subject, run_start: start } = row as unknown as StoredChange & { readonly run_start: string };
      if (!isOfIt({ position, subject }) || history.current.names.boards.numberOf(board.key) !== row['board'])
        return [];
      const end = runHolding(board, start)?.end ?? null;
      const { recordedAt = 0 } = records.find((one) => one.position === position) ?? {};
      const isFinal = end !== null && recordedAt >= Date.parse(end) + DAY + 12 * HOUR;
      return isFinal ? [{ start, place, text: `${board.key} ${start} ${end}` }] : [];
    }),
  );
  const sorted = runs.sort((a, b) => Date.parse(b.start) - Date.parse(a.start) || a.place - b.place);
  return [...new Set(sorted.map(({ text }) => text))];
}

const inFinalRuns = (runs: readonly { leaderboard: string; run: string; runEnd: string }[] | undefined) =>
  runs?.map(({ leaderboard, run, runEnd }) => `${leaderboard} ${run} ${runEnd}`);

const BOOSTS = { BoostStarted: 'points.boost_started', BoostFinished: 'points.boost_finished' };

/** The name of a boost in the version of the record, which may have removed it. */
function configuredBoost(
  { configurationVersion }: RecordedEvent,
  { system, boost }: BoostEvent,
  history: ConfigurationHistory,
): string | undefined {
  const { boosts, removedBoosts } = history.at(configurationVersion).pointsSystemByKey.get(system)!;
  return [...boosts, ...removedBoosts].find(({ key }) => key === boost)?.name;
}

const RUNS = { LeaderboardRunStarted: 'leaderboard.started', LeaderboardRunEnded: 'leaderboard.finished' };

interface PlainStanding {
  readonly subject: Subject;
  readonly value: number;
  readonly order: readonly number[];
}

interface StoredChange {
  readonly subject: Subject;
  readonly timestamp: string;
  readonly position: number;
  readonly ordinal: number;
  readonly value: string;
}

/** Every run of every board, sorted anew after each change of a value. */
class PlainBoards {
  readonly #changes: readonly Row[];
  readonly #history: ConfigurationHistory;
  readonly #known: ReadonlySet<Subject>;
  readonly #runs = new Map<string, Map<Subject, PlainStanding>>();
  #place = 0;

  constructor(changes: readonly Row[], history: ConfigurationHistory, known: ReadonlySet<Subject>) {
    this.#changes = changes;
    this.#history = history;
    this.#known = known;
  }

  /** Whom a user met on boards, by one event: a line for each who lost a rank to them, and for each run whose first are others. */
  met({ position, configurationVersion }: RecordedEvent, subject: Subject, silent: number): readonly string[] {
    this.#skipTo(position, subject);
    const before = new Map<string, readonly PlainStanding[]>();
    const moved = new Set<string>();
    for (; this.#isOf(position, subject); this.#place++) {
      const change = this.#changes[this.#place] as Row;
      const run = this.#runOf(change);
      if (Date.parse(change['timestamp'] as string) >= silent && !moved.has(run)) {
        before.set(run, this.#order(run));
        moved.add(run);
      }
      this.#put(run, change);
    }
    return [...moved].flatMap((run) => {
      const board = this.#history.at(configurationVersion).leaderboardByKey.get(run.split(' ')[0] as string);
      if (board === undefined) return [];
      const ranked = (order: readonly PlainStanding[]) => order.slice(0, board.maxParticipants);
      const [was, is] = [ranked(before.get(run) ?? []), this.#order(run)];
      const lost = was.slice(0, ANNOUNCED).flatMap((one, place) => {
        const now = is.findIndex((other) => other.subject === one.subject);
        if (one.subject === subject || now <= place || !this.#known.has(one.subject)) return [];
        const rank = now < board.maxParticipants ? now + 1 : 0;
        return [
          `${position} leaderboard.rank_lost ${run} ${place + 1} to ${rank} with ${one.value} by user ${subject} of ${one.subject}`,
        ];
      });
      const first = (order: readonly PlainStanding[]) => ranked(order).slice(0, ANNOUNCED);
      const [from, to] = [first(was), first(is)].map((order) => order.map((one) => one.subject).join());
      return from === to ? lost : [...lost, `${position} leaderboard.changed ${run}: ${this.#shown(first(is))}`];
    });
  }

  /** Who is ranked in a run as of a record. */
  top({ position, configurationVersion }: RecordedEvent, { board, run }: RunEvent): string {
    const isBefore = () => Number(this.#changes[this.#place]?.['position'] ?? Infinity) < position;
    for (; isBefore(); this.#place++)
      this.#put(this.#runOf(this.#changes[this.#place] as Row), this.#changes[this.#place] as Row);
    const { maxParticipants = 0 } = this.#history.at(configurationVersion).leaderboardByKey.get(board) ?? {};
    return this.#shown(this.#order(`${board} ${run}`).slice(0, maxParticipants));
  }

  #shown(standings: readonly PlainStanding[]): string {
    return standings.map((one) => `${this.#known.has(one.subject) ? `user ${one.subject}` : ''} ${one.value}`).join();
  }

  /** What nobody is told of still counts. */
  #skipTo(position: number, subject: Subject): void {
    const until = this.#changes.findIndex((one) => one['position'] === position && one['subject'] === subject);
    for (; this.#place < until; this.#place++) {
      const change = this.#changes[this.#place] as Row;
      this.#put(this.#runOf(change), change);
    }
  }

  #isOf(position: number, subject: Subject): boolean {
    const change = this.#changes[this.#place];
    return change?.['position'] === position && change['subject'] === subject;
  }

  #runOf(change: Row): string {
    return `${this.#history.current.names.boards.nameOf(change['board'] as number)} ${change['run_start'] as string}`;
  }

  #put(run: string, change: Row): void {
    const { subject, timestamp, position, ordinal, value } = change as unknown as StoredChange;
    const standings = this.#runs.get(run) ?? new Map<Subject, PlainStanding>();
    this.#runs.set(run, standings);
    const order = [Date.parse(timestamp), position, ordinal, subject];
    standings.set(subject, { subject, value: Number(value), order });
  }

  #order(run: string): readonly PlainStanding[] {
    const standings = [...(this.#runs.get(run)?.values() ?? [])].filter(({ value }) => value > 0);
    return standings.sort(
      (a, b) => b.value - a.value || a.order.map((one, at) => one - (b.order[at] ?? 0)).find(Boolean) || 0,
    );
  }
}

interface Moved {
  readonly position: number;
  readonly subject: Subject;
  readonly silent: number;
  readonly history: ConfigurationHistory;
}

function ranksMoved({ rows }: MemoryBatchStore, { position, subject, silent, history }: Moved): readonly string[] {
  const runs = new Map<string, [number, number, unknown]>();
  for (const row of rows.get('rank_changes') ?? []) {
    if (row['position'] !== position || row['subject'] !== subject) continue;
    if (Date.parse(row['timestamp'] as string) < silent) continue;
    const run = `${history.current.names.boards.nameOf(row['board'] as number)} ${row['run_start'] as string}`;
    const before = runs.get(run)?.[0] ?? (row['previous_rank'] as number);
    runs.set(run, [before, row['rank'] as number, row['value']]);
  }
  return [...runs].flatMap(([run, [from, to, value]]) =>
    from === to ? [] : [`leaderboard.rank_changed ${run} ${from} to ${to} with ${Number(value)}`],
  );
}

/** An outcome as a line of the recount, from its body. */
function lineOf({ type, body, userKey }: Outcome, position: number): string {
  const json = JSON.parse(body);
  const whose = userKey === null ? '' : ` of ${userKey}`;
  switch (type as OutcomeType) {
    case 'configuration.published':
      return `${position} ${type} ${json.version}`;
    case 'import.finished':
      return `${position} ${type} ${inFinalRuns(json.finalRuns)?.join()} and ${json.finalRunsLeftOut} others`;
    case 'streak.started':
    case 'streak.extended':
      return `${position} ${type} ${json.streak.length} ${inWords(json.streak)}${whose}`;
    case 'streak.lost':
      return `${position} ${type} ${json.length} ${json.endedAt}${whose}`;
    case 'streak.at_risk':
    case 'emails.streak_reminder_due':
      return `${position} ${type} ${json.streak.length} until ${json.expiresAt}${whose}`;
    case 'emails.recap_due':
      return `${position} ${type} ${json.recap.periodStart} ${Object.keys(json.recap.totals).length}${whose}`;
    case 'emails.reactivation_due': {
      const { messageNumber, daysSinceLastActive } = json.reactivation;
      return `${position} ${type} ${messageNumber} after ${daysSinceLastActive}${whose}`;
    }
    case 'streak.freeze_consumed':
      return `${position} ${type} ${json.consumed} leaves ${json.freezes}${whose}`;
    case 'streak.freeze_earned':
      return `${position} ${type} ${json.earned}${whose}`;
    case 'achievement.completed':
    case 'emails.achievement_due':
      return `${position} ${type} ${json.achievement.key}${whose}`;
    case 'points.changed':
      return `${position} ${type} ${json.points.key} ${json.points.added} to ${json.points.total}${whose}`;
    case 'points.spent':
      return `${position} ${type} ${json.points.key} ${json.amount} to ${json.points.total}${whose}`;
    case 'points.level_changed':
      return `${position} ${type} ${json.points.key} to ${json.newLevel?.key ?? null}${whose}`;
    case 'points.boost_started':
    case 'points.boost_finished': {
      const { pointsSystemKey, name, userId } = json.boost;
      expect(userId).toBe(json.user?.id ?? null);
      return `${position} ${type} ${pointsSystemKey} ${name}${whose}`;
    }
    case 'leaderboard.rank_changed': {
      const { key, runStart, rank, value } = json.leaderboard;
      return `${position} ${type} ${key} ${runStart} ${json.previousRank ?? 0} to ${rank ?? 0} with ${value}${whose}`;
    }
    case 'leaderboard.rank_lost': {
      const { leaderboard, rank, previousRank, by } = json;
      const run = `${leaderboard.key} ${leaderboard.runStart}`;
      return `${position} ${type} ${run} ${previousRank} to ${rank ?? 0} with ${leaderboard.value} by ${by}${whose}`;
    }
    case 'leaderboard.started':
    case 'leaderboard.finished':
    case 'leaderboard.changed': {
      const { key, runStart, rankings } = json.leaderboard;
      const shown = rankings.map(({ userId, value }: { userId: string; value: number }) => `${userId} ${value}`);
      return `${position} ${type} ${key} ${runStart}: ${shown.join()}${whose}`;
    }
    default:
      return `${position} ${type}${whose}`;
  }
}

async function linesIn(store: PostgresOutcomes): Promise<readonly string[]> {
  const rows = await database.sql.query<{ position: string }>('select position from outcomes order by sequence', []);
  const all = await store.read(ACCOUNT, { after: 0, limit: 100_000 });
  return all.map((outcome, index) => lineOf(outcome, Number(rows[index]?.position)));
}

const byPosition = (lines: readonly string[]): readonly string[] =>
  lines
    .map((line) => [Number(line.split(' ')[0]), line] as const)
    .sort(([a, one], [b, other]) => a - b || (one < other ? -1 : 1))
    .map(([, line]) => line);

/** No life corrects anybody or has a webhook. */
const OF_OTHER_CALLS: ReadonlySet<string> = new Set(['user.corrected', 'endpoint.disabled']);

describe('outcomes, for any sequence of events', () => {
  it('equal a plain recount of the event store, in order, however often the reader restarts', async () => {
    const notified = new Set<string>();
    let changedByImports = 0;
    const ofTheDocument = new Set<string>();
    const asked = fc.record({ outgoing: fc.boolean(), wantsMails: fc.boolean() });
    const cuts = fc.array(fc.nat(40), { maxLength: 3 });
    const expected = OUTCOME_TYPES.filter((type) => !REMINDERS.has(type) && !OF_OTHER_CALLS.has(type));
    await assertCovering(
      fc.asyncProperty(lives, asked, cuts, async (steps, { outgoing, wantsMails }, stops) => {
        const memory = await live(steps, 7, announcingEverything);
        const life = await stored(memory, { events: OUTCOME_TYPES, outgoing });
        const notifications = wantsMails ? {} : { achievement_completed: [] };
        for (const stop of [...stops.toSorted((a, b) => a - b), Infinity])
          await readerOf(life, () => Math.min(stop, head(life)), undefined, notifications).reader.catchUp();
        const { store } = readerOf(life, () => head(life));
        const lines = await linesIn(store);
        const positions = lines.map((line) => Number(line.split(' ')[0]));
        expect(positions).toEqual(positions.toSorted((a, b) => a - b));
        expect(byPosition(lines)).toEqual(byPosition(await recounted(memory, life, { outgoing, wantsMails })));
        const all = await store.read(ACCOUNT, { after: 0, limit: 100_000 });
        expect(all.map(({ sequence }) => sequence)).toEqual(all.map((_, index) => index + 1));
        expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
        for (const { id, type, sequence, timestamp, body } of all) {
          const parsed = OUTCOME_BODIES[type as OutcomeType].strict().safeParse(JSON.parse(body));
          expect(parsed.error).toBeUndefined();
          expect(parsed.data).toMatchObject({ id, type, sequence, timestamp: formatInstant(timestamp) });
          notified.add(type);
          if (type === 'import.finished') changedByImports += JSON.parse(body).finalRuns.length;
          if (type.startsWith('points.boost_') && JSON.parse(body).user === undefined) ofTheDocument.add(type);
        }
      }),
      { numRuns: 40 },
      () => ({
        changedByImports: changedByImports > 5,
        boostsOfTheDocument: ofTheDocument.size === 2,
        ...Object.fromEntries(expected.map((type) => [type, notified.has(type)])),
      }),
    );
    expect([...OF_OTHER_CALLS].filter((type) => notified.has(type))).toEqual([]);
  }, 300_000);

  it('include one `user.corrected` per correction, and none for what it changes', async () => {
    let [corrections, changed, finalRuns] = [0, 0, 0];
    await assertCovering(
      fc.asyncProperty(correctedLives, async (steps) => {
        const memory = await live(steps, 7, announcing);
        const life = await stored(memory, { events: 'all' });
        const { reader, store } = readerOf(life, () => head(life));
        await reader.catchUp();
        const rows = await database.sql.query<{ position: string }>(
          'select position from outcomes order by sequence',
          [],
        );
        const all = await store.read(ACCOUNT, { after: 0, limit: 100_000 });
        for (const record of life.records) {
          const { position, fact, occurredAt } = record;
          if (fact.type !== 'CorrectionRecorded') continue;
          const notified = all.filter((_, index) => Number(rows[index]?.position) === position);
          if (!life.known.has(fact.subject)) {
            expect(notified).toEqual([]);
            continue;
          }
          const body = OUTCOME_BODIES['user.corrected'].strict().parse(JSON.parse(notified[0]?.body ?? ''));
          expect(notified).toHaveLength(1);
          expect(body).toMatchObject({ timestamp: formatInstant(occurredAt), user: { id: `user ${fact.subject}` } });
          expect(body.corrections.map(({ eventId, retracted }) => [eventId, retracted])).toEqual(
            fact.corrections.map(({ eventId, retract }) => [eventId, retract === true]),
          );
          const isOfIt = (change: { position: number; subject: Subject }) =>
            change.position === position && change.subject === fact.subject;
          const expected = finalRunsChanged(memory, life, record, isOfIt);
          expect([inFinalRuns(body.finalRuns), body.finalRunsLeftOut]).toEqual([expected, 0]);
          finalRuns += expected.length;
          corrections += 1;
          const effects = await database.sql.query('select from effects where position = $1', [position]);
          changed += effects.length;
        }
      }),
      { numRuns: 60 },
      () => ({ corrections: corrections > 20, changed: changed > 20, finalRuns: finalRuns > 5 }),
    );
  }, 300_000);

  it('have the same ids and bodies if the effects are still in memory', async () => {
    let compared = 0;
    await assertCovering(
      fc.asyncProperty(lives, fc.boolean(), fc.nat(40), async (steps, outgoing, cut) => {
        const recent = everything();
        const life = await stored(await live(steps, 7, announcing, recent), { events: 'all', outgoing });
        const store = new PostgresOutcomes(database.sql);
        const made = async (from: number) => {
          await database.sql.query('truncate outcomes, outcome_cursors', []);
          const inMemory: CausedDependencies['recentEvents'] = {
            effectsOf: (position, subject) => (position > from ? recent.effectsOf(position, subject) : undefined),
          };
          await readerOf(life, () => head(life), undefined, undefined, inMemory).reader.catchUp();
          return store.read(ACCOUNT, { after: 0, limit: 100_000 });
        };
        const fromTables = await made(Infinity);
        expect(await made(0)).toEqual(fromTables);
        expect(await made(cut)).toEqual(fromTables);
        compared += fromTables.length;
      }),
      { numRuns: 30 },
      () => ({ compared: compared > 100 }),
    );
  }, 300_000);

  it('of one type are the same alone as among all types, from tables and from memory', async () => {
    const seen = new Set<string>();
    const made = async (life: Awaited<ReturnType<typeof stored>>, recent?: CausedDependencies['recentEvents']) => {
      await database.sql.query('truncate outcomes, outcome_cursors', []);
      const { reader, store } = readerOf(life, () => head(life), undefined, undefined, recent);
      await reader.catchUp();
      const outcomes = await store.read(ACCOUNT, { after: 0, limit: 100_000 });
      return outcomes.map(({ id, type, body }) => ({ id, type, body: body.replace(/"sequence":\d+/, '') }));
    };
    await assertCovering(
      fc.asyncProperty(lives, fc.constantFrom(...OUTCOME_TYPES), async (steps, one) => {
        const ofAll = await live(steps, 7, announcingEverything);
        const all = await made(await stored(ofAll, { events: OUTCOME_TYPES }));
        for (const asked of new Set(all.map(({ type }) => type as OutcomeType))) {
          const expected = all.filter(({ type }) => type === asked || ALWAYS_MADE.some((always) => always === type));
          expect(await made(await stored(ofAll, { events: [asked] }))).toEqual(expected);
          seen.add(asked);
        }
        const recent = everything();
        const ofOne = await stored(await live(steps, 7, announcingOnly([one]), recent), { events: [one] });
        expect(await made(ofOne, recent)).toEqual(await made(ofOne));
      }),
      { numRuns: 30 },
      () => ({ seen: seen.size > 10 }),
    );
  }, 300_000);

  it('of a narrowed points.changed are those with an award of the named systems and triggers', async () => {
    const seen = { kept: 0, dropped: 0 };
    // Some versions of these lives lack `energy`, so that only `xp` can be named.
    const systems = fc.constant<string[]>(['xp']);
    // What fell due is not in the body: `time` alone cannot be judged by it.
    const triggers = fc.uniqueArray(fc.constantFrom('metric', 'streak', 'achievement', 'user_creation', 'grant'), {
      minLength: 1,
    });
    const narrowed = fc.record(
      { type: fc.constant('points.changed' as const), pointsSystems: systems, triggers },
      { requiredKeys: ['type', 'triggers'] },
    );
    const distinct = {
      minLength: 1,
      maxLength: 2,
      selector: ({ pointsSystems = [], triggers }: { pointsSystems?: string[]; triggers: string[] }) =>
        JSON.stringify([pointsSystems.toSorted(), triggers.toSorted()]),
    };
    const made = async (life: Awaited<ReturnType<typeof stored>>) => {
      await database.sql.query('truncate outcomes, outcome_cursors', []);
      const { reader, store } = readerOf(life, () => head(life));
      await reader.catchUp();
      const outcomes = await store.read(ACCOUNT, { after: 0, limit: 100_000 });
      return outcomes
        .filter(({ type }) => type === 'points.changed')
        .map(({ id, body }) => ({ id, body: body.replace(/"sequence":\d+,/, '') }));
    };
    await assertCovering(
      fc.asyncProperty(lives, fc.uniqueArray(narrowed, distinct), async (steps, entries) => {
        const life = await live(steps, 7, announcing);
        const all = await made(await stored(life, { events: ['points.changed'] }));
        const expected = all.filter(({ body }) => {
          const { points } = JSON.parse(body) as { points: { key: string; awards: { trigger: { type: string } }[] } };
          return entries.some(
            (entry) =>
              (entry.pointsSystems?.includes(points.key) ?? true) &&
              points.awards.some(({ trigger }) => entry.triggers.includes(trigger.type as never)),
          );
        });
        expect(await made(await stored(life, { events: entries }))).toEqual(expected);
        seen.kept += expected.length;
        seen.dropped += all.length - expected.length;
      }),
      { numRuns: 20 },
      () => ({ kept: seen.kept > 50, dropped: seen.dropped > 50 }),
    );
  }, 300_000);

  it('have the same ids and bodies if the cursor is moved back', async () => {
    const life = await stored(await live(LIFE, 7, announcing), { events: 'all' });
    const { reader, store } = readerOf(life, () => head(life));
    await reader.catchUp();
    const before = await store.read(ACCOUNT, { after: 0, limit: 1_000 });
    expect(before.length).toBeGreaterThan(10);
    await reader.catchUp();
    await readerOf(life, () => head(life)).reader.catchUp();
    expect(await store.newest(ACCOUNT)).toBe(before.length);
    await database.sql.query('update outcome_cursors set position = 0', []);
    await readerOf(life, () => head(life)).reader.catchUp();
    const again = await store.read(ACCOUNT, { after: before.length, limit: 1_000 });
    const texts = ({ id, body, sequence }: Outcome) => [id, body.replace(`"sequence":${sequence}`, '')];
    expect(again.map(texts)).toEqual(before.map(texts));
  });

  it('are made for the named types, and always for corrections and erasures', async () => {
    const life = await stored(await live(LIFE, 7), { events: ['streak.started'] });
    const { reader, store } = readerOf(life, () => head(life));
    await reader.catchUp();
    const types = (await store.read(ACCOUNT, { after: 0, limit: 1_000 })).map(({ type }) => type);
    expect(types).toEqual(['streak.started', 'user.erased']);
  });

  it('are not made, and nothing is read, for a past in which no version names any', async () => {
    const life = await stored(await live(LIFE, 7), {});
    const reads = { log: 0, effects: 0 };
    const { reader, store } = readerOf(life, () => head(life), reads);
    await reader.catchUp();
    expect(reads).toEqual({ log: 0, effects: 0 });
    expect(await store.cursor(ACCOUNT)).toEqual({ position: head(life), sequence: 0 });
  });

  it('are made for corrections and erasures without reading the event store if no version names any', async () => {
    const life = await stored(await live(LIFE, 7), {});
    const reads = { log: 0, effects: 0 };
    const { reader, store } = readerOf(life, () => head(life), reads);
    await store.begin(ACCOUNT, 0);
    await reader.catchUp();
    const types = (await store.read(ACCOUNT, { after: 0, limit: 1_000 })).map(({ type }) => type);
    expect([types, reads.log]).toEqual([['user.erased'], 0]);
  });

  it('include reminders of a streak at risk with what is missing, under each requested name', async () => {
    const first = (18 * HOUR - (BEGINNING % DAY)) / HOUR;
    const steps: readonly Step[] = [
      { type: 'submit', afterMs: 0, commands: [lesson('ada')] },
      { type: 'sweep', afterMs: DAY + first * HOUR + 7_000 },
      { type: 'sweep', afterMs: 60_000 },
    ];
    const reminders = ['streak.at_risk', 'emails.streak_reminder_due'] as const;
    const life = await stored(await live(steps, 7), { events: reminders });
    const { reader, store } = readerOf(life, () => head(life));
    await reader.catchUp();
    const notified = (await store.read(ACCOUNT, { after: 0, limit: 1_000 })).map(({ body }) => JSON.parse(body));
    await database.sql.query('truncate outcomes, outcome_cursors', []);
    const unwanted = readerOf(
      life,
      () => head(life),
      { log: 0, effects: 0 },
      { streak_reminder: [], recap: ['email'] },
    );
    await unwanted.reader.catchUp();
    expect(await unwanted.store.newest(ACCOUNT)).toBe(0);
    const date = (days: number) => new Date(BEGINNING + days * DAY).toISOString().slice(0, 10);
    expect(notified.map(({ type }) => type)).toEqual(reminders);
    expect(new Set(notified.map(({ id }) => id)).size).toBe(2);
    for (const body of notified) {
      expect(OUTCOME_BODIES[body.type as OutcomeType].strict().safeParse(body).error).toBeUndefined();
      expect(body).toMatchObject({
        timestamp: `${date(1)}T18:00:00.000Z`,
        expiresAt: `${date(2)}T00:00:00.000Z`,
        missing: [
          { metric: 'lessons', missing: 1 },
          { metric: '__proto__', missing: 2.5 },
        ],
        streak: {
          length: 1,
          frequency: 'daily',
          started: date(0),
          periodStart: date(1),
          periodEnd: date(1),
          expires: date(1),
          extended: formatInstant(BEGINNING),
          freezes: 1,
          maxFreezes: 2,
        },
      });
    }
  });

  it('exclude reminders that would be more than an hour late', async () => {
    const dueAt = BEGINNING + DAY + 18 * HOUR - (BEGINNING % DAY);
    const steps: readonly Step[] = [
      { type: 'submit', afterMs: 0, commands: [lesson('ada')] },
      { type: 'sweep', afterMs: dueAt + 7_000 - BEGINNING },
    ];
    const life = await stored(await live(steps, 7), { events: ['streak.started', 'streak.at_risk'] });
    const toldAt = async (at: number) => {
      madeAt = at;
      await database.sql.query('truncate outcomes, outcome_cursors', []);
      const { reader, store } = readerOf(life, () => head(life));
      await reader.catchUp();
      expect((await store.cursor(ACCOUNT))?.position).toBe(head(life));
      return (await store.read(ACCOUNT, { after: 0, limit: 10 })).map(({ type, id, sequence }) => [type, id, sequence]);
    };
    const inTime = await toldAt(dueAt + HOUR);
    expect(inTime).toEqual([
      ['streak.started', expect.any(String), 1],
      ['streak.at_risk', expect.any(String), 2],
    ]);
    expect(await toldAt(dueAt + HOUR + 1)).toEqual(inTime.slice(0, 1));
    expect(await toldAt(dueAt + 3 * DAY)).toEqual(inTime.slice(0, 1));
  });

  it('include one recap per week and one reactivation message per absence', async () => {
    const monday = (date: number) => ((new Date(date).getUTCDay() + 6) % 7) * DAY;
    const recapAt = BEGINNING - (BEGINNING % DAY) - monday(BEGINNING) + 7 * DAY + 9 * HOUR;
    const steps: readonly Step[] = [
      { type: 'submit', afterMs: 0, commands: [lesson('ada'), lesson('ada')] },
      { type: 'sweep', afterMs: 3 * DAY + 1_000 },
      { type: 'sweep', afterMs: 1_000 },
      { type: 'sweep', afterMs: recapAt - BEGINNING - 3 * DAY },
    ];
    const types = ['emails.recap_due', 'emails.reactivation_due'] as const;
    const life = await stored(await live(steps, 7), { events: types });
    const { reader, store } = readerOf(life, () => head(life));
    await reader.catchUp();
    const notified = (await store.read(ACCOUNT, { after: 0, limit: 1_000 })).map(({ body }) => JSON.parse(body));
    for (const body of notified)
      expect(OUTCOME_BODIES[body.type as OutcomeType].strict().safeParse(body).error).toBeUndefined();
    const day = (at: number) => new Date(at).toISOString().slice(0, 10);
    expect(
      notified.map(({ type, timestamp, reactivation, recap }) => [type, timestamp, reactivation ?? recap]),
    ).toEqual([
      ['emails.reactivation_due', formatInstant(BEGINNING + 3 * DAY), { messageNumber: 1, daysSinceLastActive: 3 }],
      [
        'emails.recap_due',
        formatInstant(recapAt),
        {
          periodStart: day(recapAt - 7 * DAY),
          periodEnd: day(recapAt - DAY),
          totals: { lessons: 2 },
          points: { xp: 0, energy: 0 },
          streakLength: 4,
        },
      ],
    ]);
  });

  it('are made only once every area has applied the event', async () => {
    const life = await stored(await live(LIFE, 7), { events: 'all' });
    let applied = 1;
    const { reader, store } = readerOf(life, () => applied);
    await reader.catchUp();
    expect(await store.newest(ACCOUNT)).toBe(1);
    applied = head(life);
    await reader.catchUp();
    expect(await store.newest(ACCOUNT)).toBeGreaterThan(10);
  });
});

const DAY = 86_400_000;
const HOUR = 3_600_000;
/** Whether a life has any depends on when it is swept. */
const REMINDERS: ReadonlySet<OutcomeType> = new Set([
  ...(['streak.at_risk', 'emails.streak_reminder_due', 'emails.recap_due', 'emails.reactivation_due'] as const),
]);

/** Ada begins a streak, extends it and loses it; Bob is erased. */
const LIFE: readonly Step[] = [
  { type: 'submit', afterMs: 0, commands: [lesson('ada'), lesson('bob')] },
  { type: 'submit', afterMs: DAY, commands: [lesson('ada')] },
  {
    type: 'submit',
    afterMs: 0,
    commands: [
      { type: 'EraseUser', account: ACCOUNT, subject: lesson('bob').subject, boards: 'remove', attribution: {} },
    ],
  },
  { type: 'sweep', afterMs: 5 * DAY },
];
