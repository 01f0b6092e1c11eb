import { NO_NAMES, tablesOf, type ConfigurationHistory, type ConfiguredNames, type SqlReader } from '@laurel/kernel';
import type { Clock } from '@laurel/ports';
import type { VerificationProgress } from '@laurel/schemas';
import { clientConfig, SessionClient, tableExists, type ConnectionOptions } from '@laurel/database';
import { endSession, verifyLog, type LogFinding } from '@laurel/event-store';
import { leaderboardTables } from '@laurel/leaderboards';
import pg from 'pg';
import { USER_AREAS } from '@laurel/all-areas';
import type { Conservation } from './comparison.ts';
import { CONSERVATION_OF_ACHIEVEMENTS } from './conservation-of-achievements.ts';
import { CONSERVATION_OF_EFFECTS } from './conservation-of-effects.ts';
import { CONSERVATION_OF_LEADERBOARDS } from './conservation-of-leaderboards.ts';
import { CONSERVATION_OF_POINTS } from './conservation-of-points.ts';
import { CONSERVATION_OF_USERS } from './conservation-of-users.ts';
import { Findings, MOST_OF_ONE, NOBODY, type ConflictRow } from './findings.ts';
import { foldEverybody, type CounterFinding } from './fold-everybody.ts';
import type { RowFinding } from './table-of-users.ts';

/** In the order of `VERIFIED`, behind the log. */
const CONSERVATION: readonly Conservation[] = [
  ...CONSERVATION_OF_EFFECTS,
  ...CONSERVATION_OF_USERS,
  ...CONSERVATION_OF_ACHIEVEMENTS,
  ...CONSERVATION_OF_POINTS,
  ...CONSERVATION_OF_LEADERBOARDS,
];

/** A server that takes longer for one comparison is taken for unreachable. */
const LONGEST_STATEMENT_MS = 15 * 60_000;

/** A value that cannot even be read as what it should be. */
const DATA_EXCEPTION = /^22/;

const LOCKED = [
  ...['events', 'log_head', 'log_chain', 'log_checkpoints', 'subjects', 'user_states', 'area_checkpoints'],
  ...tablesOf([...USER_AREAS, { tables: leaderboardTables }]).map(({ name }) => name),
];

/** Tables in several schemas, of several processes, as a session can see them like those of one. */
export interface ScatteredTables {
  /** SQL that shows them to the session under the names that they have in one process. */
  readonly gather: string;
  /** What must hold between the schemas. */
  readonly conservation: readonly Conservation[];
  /** Has the snapshot taken at a moment at which every area has applied the whole log. */
  readonly atRest: (takeSnapshot: () => Promise<void>) => Promise<void>;
}

export interface StoredVerification {
  readonly account: string;
  /** Absent: all tables are in the schema of the connection. */
  readonly scattered?: ScatteredTables;
  readonly clock: Pick<Clock, 'after'>;
  /** Whether every user is folded as well. */
  readonly full: boolean;
  /** True: nothing but the log is verified. */
  readonly onlyLog?: boolean;
  /** Verifies a log that no SQL reaches, before the snapshot is taken, since it may take long; absent: it is in `events`. */
  readonly verifyLog?: typeof verifyLog;
  /** Asked after the snapshot is taken: with every version that the rows may have been written under. */
  readonly configurations: (account: string) => ConfigurationHistory;
  readonly onProgress: (progress: VerificationProgress) => void;
  /** Ends it at once: it rejects then. */
  readonly stopped: AbortSignal;
}

/**
 * Verifies the log against its hash, and the read models against the log and each other (specification, section 11), as of
 * one moment and without writing anything; if it is full, also against a fold of every user. Differences are reported as progress.
 * @throws Error of the driver if the database cannot be read
 */
export async function verifyStored(connection: ConnectionOptions, asked: StoredVerification): Promise<void> {
  const client = new SessionClient({
    ...clientConfig(connection),
    application_name: 'laurel-verify',
    connectionTimeoutMillis: 5_000,
    query_timeout: LONGEST_STATEMENT_MS,
    keepAlive: true,
  });
  client.on('error', () => undefined);
  asked.stopped.throwIfAborted();
  await client.connect();
  const stop = () => void endSession(client, asked.clock);
  asked.stopped.addEventListener('abort', stop);
  try {
    asked.stopped.throwIfAborted();
    const { scattered } = asked;
    if (scattered) await client.query(scattered.gather);
    const verification = new Verification(client, asked);
    if (asked.verifyLog) await verification.verifyLog(asked.verifyLog);
    const takeSnapshot = async (): Promise<void> => {
      await client.query('begin isolation level repeatable read read only');
      // Before anything is read: a rebuild that takes over in between would leave this moment's tables empty.
      await client.query(`lock table ${[...new Set(LOCKED)].sort().join(', ')} in access share mode`);
      // The lock takes no snapshot yet.
      await client.query('select from log_head');
    };
    await (scattered ? scattered.atRest(takeSnapshot) : takeSnapshot());
    await verification.run();
  } finally {
    asked.stopped.removeEventListener('abort', stop);
    await endSession(client, asked.clock);
  }
}

class Verification {
  readonly #client: pg.Client;
  readonly #asked: StoredVerification;
  readonly #findings: Findings;

  constructor(client: pg.Client, asked: StoredVerification) {
    this.#client = client;
    this.#asked = asked;
    this.#findings = new Findings(asked.onProgress);
  }

  async run(): Promise<void> {
    const { onProgress, configurations, account, full, scattered, onlyLog } = this.#asked;
    if (!this.#asked.verifyLog) await this.verifyLog(verifyLog);
    if (onlyLog) return;
    const given = [account, JSON.stringify(listed(configurations(account).current.names))];
    for (const one of [...(scattered?.conservation ?? []), ...CONSERVATION]) {
      onProgress({ check: one.check });
      await this.#compare(one, given);
    }
    if (full) await this.#fold();
  }

  async #fold(): Promise<void> {
    const { onProgress, account, configurations } = this.#asked;
    onProgress({ check: 'fold' });
    const isAmongFirst = this.#findings.firstOfEach();
    const kept: (readonly ['fold' | 'counters', string, RowFinding | CounterFinding])[] = [];
    await foldEverybody(this.#sql, {
      account,
      configurations,
      onMore: () => onProgress({ more: true }),
      onProgress: (folded, users) => onProgress({ folded, users }),
      onFinding: (check, table, finding) => {
        if (isAmongFirst(table)) kept.push([check, table, finding]);
      },
    });
    for (const [check, table, { subject, position, ...finding }] of kept) {
      const [row] = await this.#sql.query<Pick<ConflictRow, 'user_id' | 'event_id'>>(WHO_AND_WHEN, [
        ...[account, subject, position],
      ]);
      const at = { subject: subject?.toString() ?? null, position: position?.toString() ?? null };
      this.#findings.add(check, table, { ...NOBODY, ...row, ...at, ...finding });
    }
  }

  get #sql(): SqlReader {
    return {
      query: async <R extends object>(text: string, parameters: readonly unknown[]) =>
        (await this.#client.query<R>(text, [...parameters])).rows,
    };
  }

  async verifyLog(verify: typeof verifyLog): Promise<void> {
    const { onProgress } = this.#asked;
    onProgress({ check: 'log' });
    const sql = this.#sql;
    const isAmongFirst = this.#findings.firstOfEach();
    const kept: LogFinding[] = [];
    await verify(sql, {
      onProgress: (verified, head) => onProgress({ verified, head }),
      onFinding: (finding) => {
        if (isAmongFirst(finding.table)) kept.push(finding);
      },
    });
    for (const { position, ...finding } of kept) {
      const [row] = await sql.query<ConflictRow>(WHOSE, [this.#asked.account, position]);
      this.#findings.add('log', finding.table, {
        ...NOBODY,
        ...row,
        ...finding,
        position: position?.toString() ?? null,
      });
    }
  }

  async #compare({ check, table, isOptional, rows: sql }: Conservation, given: readonly string[]): Promise<void> {
    if (isOptional && !(await tableExists(this.#sql, table))) return;
    await this.#client.query('savepoint comparison');
    try {
      const { rows } = await this.#client.query<ConflictRow>(withNames(sql), [...given]);
      for (const row of rows.slice(0, MOST_OF_ONE)) this.#findings.add(check, table, row);
      if (rows.length > MOST_OF_ONE) this.#asked.onProgress({ more: true });
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || !DATA_EXCEPTION.test(error.code ?? '')) throw error;
      await this.#client.query('rollback to savepoint comparison');
      const what = `a value that ${check} must be compared with`;
      this.#findings.add(check, table, {
        ...NOBODY,
        what,
        stored: `unreadable (${error.message})`,
        expected: 'readable',
      });
    }
  }
}

/** $1: the account; $2: a position. */
const WHOSE = `
  select v.subject, u.user_id, v.event_id
  from events v left join subjects u on u.account = $1 and u.subject = v.subject where v.position = $2`;

/** $1: the account; $2: a subject; $3: a position. */
const WHO_AND_WHEN = `
  select (select user_id from subjects where account = $1 and subject = $2) as user_id,
    (select event_id from events where position = $3) as event_id`;

const withNames = (rows: string): string => `
  with given as (select $1::text, $2::jsonb)
  select f.subject, u.user_id, f.position, v.event_id, f.what, f.stored, f.expected
  from (select * from (${rows}) every order by position, subject, what limit ${MOST_OF_ONE + 1}) f
  left join subjects u on u.account = $1::text and u.subject = f.subject
  left join events v on v.position = f.position
  order by f.position, f.subject, f.what`;

/** By number, from 1: what the number stands for. */
const listed = ({ metrics, systems, achievements, boards, triggers, systemOfTrigger }: ConfiguredNames = NO_NAMES) => ({
  metrics: metrics.all,
  systems: systems.all,
  achievements: achievements.all,
  boards: boards.all,
  triggerSystems: triggers.all.map((id) => systems.numberOf(systemOfTrigger.get(id) as string)),
});
