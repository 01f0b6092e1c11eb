import { parseDocument } from '@laurel/configuration';
import { ACCOUNT, type RecordMetricEvent, type SqlReader } from '@laurel/kernel';
import type { Clock } from '@laurel/ports';
import type { VerificationFinding } from '@laurel/schemas';
import type { ConnectionOptions } from '@laurel/database';
import { createClock } from '@laurel/runtime';
import { startService, type Service } from '../start-service.ts';
import { QUIET } from './quiet.ts';

const HOUR = 3_600_000;

/** The commands for the service. */
export interface Past {
  /** The configuration file that is published first. */
  readonly configuration: string;
  /** Before the days, these users get events until the log has this many records. */
  readonly crowd: { readonly records: number; readonly lesson: (user: string) => RecordMetricEvent };
  /** Commands of each day, which are sent in parallel. */
  readonly days: readonly (readonly object[])[];
  /** Imported at the end. */
  readonly late: readonly RecordMetricEvent[];
}

export interface ServiceWithPast {
  readonly service: Service;
  query(sql: string): Promise<Record<string, unknown>[]>;
  /** All findings of a verification. */
  findings(full?: boolean): Promise<readonly VerificationFinding[]>;
  /** The findings after a change to each named table. Restores the rows. */
  foundAfter(changes: Readonly<Record<string, string>>, full?: boolean): Promise<readonly VerificationFinding[]>;
  /** Restores the rows of the tables after the work. */
  keeping<Result>(tables: readonly string[], work: () => Promise<Result>): Promise<Result>;
  /** Number of rows that the work of {@link keeping} has added to a table. */
  growthOf(table: string): Promise<number>;
  close(): Promise<void>;
}

/**
 * A service with a past in an initially empty database: sweeps at the end of each day, a late import, and achievements
 * granted and revoked by hand.
 */
export async function openServiceWithPast(
  database: {
    readonly sql: SqlReader;
    readonly connection: ConnectionOptions;
    readonly close: () => Promise<void>;
  },
  { configuration, crowd, days, late }: Past,
): Promise<ServiceWithPast> {
  let now = Date.parse('2026-03-06T08:00:00Z');
  const clock: Clock = { ...createClock({ type: 'system' }), now: () => now };
  const service = await startService(database.connection, clock, QUIET);
  const query = (sql: string) => database.sql.query<Record<string, unknown>>(sql, []);
  const findings = async (full = false) => {
    let found: readonly VerificationFinding[] = [];
    await service.verify(ACCOUNT, full, (progress) => (found = progress.findings ?? found));
    return found;
  };
  await service.engine.publishConfiguration(ACCOUNT, parseDocument(configuration, 'test').document);
  while (service.engine.status().head < crowd.records)
    await Promise.all(Array.from({ length: 60 }, (_, n) => service.engine.submit([crowd.lesson(`user ${n}`)])));
  for (const commands of days) {
    await Promise.all(
      commands.map((command) => service.engine.submit([{ ...command, occurredAt: null } as RecordMetricEvent])),
    );
    now += 25 * HOUR;
    await service.engine.sweep();
  }
  await service.engine.submit(late.map((command) => ({ ...command, idempotencyKey: null })));
  await service.engine.finishImport(ACCOUNT);
  await service.engine.sweep();
  const byHand = (user: string, kind: 'achievement' | 'revocation') =>
    service.engine.submit([
      {
        type: 'GiveGrant',
        ...{ account: ACCOUNT, subject: crowd.lesson(user).subject, keyHash: null },
        ...{ grant: { kind, achievement: 'first' }, attribution: { by: 'local', reason: 'because' } },
      },
    ]);
  await byHand('user 1', 'revocation');
  await byHand('user 2', 'revocation');
  await byHand('user 2', 'achievement');
  // The engine gets subjects, which the HTTP modules look up in the directory.
  await query(
    `insert into subjects select '${ACCOUNT}', subject, 'user ' || subject, ''::bytea from user_states on conflict do nothing`,
  );
  const keptOf = (table: string): string => `kept_${table}`;
  const keeping = async <Result>(tables: readonly string[], work: () => Promise<Result>): Promise<Result> => {
    for (const table of tables) await query(`create table ${keptOf(table)} as table ${table}`);
    try {
      return await work();
    } finally {
      for (const table of tables) {
        await query(`truncate ${table}`);
        await query(`insert into ${table} table ${keptOf(table)}`);
        await query(`drop table ${keptOf(table)}`);
      }
    }
  };
  return {
    service,
    query,
    findings,
    keeping,
    growthOf: async (table) => {
      const counts = `(select count(*) from ${table}) - (select count(*) from ${keptOf(table)})`;
      return Number((await query(`select ${counts} as growth`))[0]?.['growth']);
    },
    foundAfter: (changes, full) =>
      keeping(Object.keys(changes), async () => {
        for (const change of Object.values(changes)) {
          const changed = await query(`${change} returning 1`);
          if (changed.flat().length === 0) throw new Error(`nothing was changed: ${change}`);
        }
        return findings(full);
      }),
    close: async () => {
      await service.close();
      await database.close();
    },
  };
}
