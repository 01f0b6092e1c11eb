import { tablesOf, type ConfigurationHistory, type ConfiguredNames, type SqlReader } from '@laurel/kernel';
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
import { Findings, MOST_OF_ONE, type ConflictRow } from './findings.ts';
import { foldEverybody } from './fold-everybody.ts';
import type { RowFinding } from './table-of-users.ts';

/** In the order of `VERIFIED`, after the log. */
const CONSERVATION: readonly Conservation[] = [
  ...CONSERVATION_OF_EFFECTS,
  ...CONSERVATION_OF_USERS,
  ...CONSERVATION_OF_ACHIEVEMENTS,
  ...CONSERVATION_OF_POINTS,
  ...CONSERVATION_OF_LEADERBOARDS,
];

/** After this time for one comparison, the server counts as unreachable. */
const LONGEST_STATEMENT_MS = 15 * 60_000;

/** SQLSTATE class of values that cannot be read as the type that they should have. */
const DATA_EXCEPTION = /^22/;

const LOCKED = [
  ...['events', 'log_head', 'log_chain', 'log_checkpoints', 'subjects', 'user_states', 'area_checkpoints'],
  ...tablesOf([...USER_AREAS, { tables: leaderboardTables }]).map(({ name }) => name),
];

/** Tables that lie in the schemas of several processes. */
export interface ScatteredTables {
  /** SQL that gives the session the tables under the names that they have in a single process. */
  readonly gather: string;
  /** Conditions that must hold between the schemas. */
  readonly conservation: readonly Conservation[];
  /** Calls `takeSnapshot` at a moment at which every area has applied the whole log. */
  readonly atRest: (takeSnapshot: () => Promise<void>) => Promise<void>;
}

export interface StoredVerification {
  readonly account: string;
  /** Absent if all tables are in the schema of the connection. */
  readonly scattered?: ScatteredTables;
  readonly clock: Pick<Clock, 'after'>;
  /** Also folds every user. */
  readonly full: boolean;
  /** Verifies nothing but the log. */
  readonly onlyLog?: boolean;
  /** Verifies a log outside the database, before the snapshot is taken because it may take long; absent if the log is in `events`. */
  readonly verifyLog?: typeof verifyLog;
  /** Called after the snapshot is taken, so it has every version under which rows may have been written. */
  readonly configurations: (account: string) => ConfigurationHistory;
  readonly onProgress: (progress: VerificationProgress) => void;
  /** Ends the verification at once; it then rejects. */
  readonly stopped: AbortSignal;
}

/**
 * Verifies the log against its hash, and the read models against the log and each other (specification, section 11); a full verification
 * also folds every user. Reads one snapshot and writes nothing. Differences are reported as progress.
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
      // Lock before reading: after a rebuild takes over, the tables of an older snapshot would be empty.
      await client.query(`lock table ${[...new Set(LOCKED)].sort().join(', ')} in access share mode`);
      // A lock takes no snapshot; a query does.
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
    const kept: (readonly ['fold' | 'counters', string, RowFinding])[] = [];
    await foldEverybody(this.#sql, {
      account,
      configurations,
      onMore: () => onProgress({ more: true }),
      onProgress: (folded, users) => onProgress({ folded, users }),
      onFinding: (check, table, finding) => {
        if (isAmongFirst(table)) kept.push([check, table, finding]);
      },
    });
    for (const [check, table, finding] of kept) {
      const place = [account, finding.subject, finding.position];
      const [row] = await this.#sql.query<Pick<ConflictRow, 'user_id' | 'event_id'>>(WHO_AND_WHEN, place);
      this.#findings.add(check, table, { ...row, ...finding });
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
    for (const { table, ...finding } of kept) {
      const [row] = await sql.query<ConflictRow>(WHOSE, [this.#asked.account, finding.position]);
      this.#findings.add('log', table, { ...row, ...finding });
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
      this.#findings.add(check, table, { what, stored: `unreadable (${error.message})`, expected: 'readable' });
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

/** Lists of names: number 1 is the first. */
const listed = ({ metrics, systems, achievements, boards, triggers, systemOfTrigger }: ConfiguredNames) => ({
  metrics: metrics.all,
  systems: systems.all,
  achievements: achievements.all,
  boards: boards.all,
  triggerSystems: triggers.all.map((id) => systems.numberOf(systemOfTrigger.get(id) as string)),
});
