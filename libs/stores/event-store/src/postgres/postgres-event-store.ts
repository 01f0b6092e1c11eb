import type { NewRecord, SqlReader, UserRef } from '@laurel/kernel';
import type { Clock, DataKeys } from '@laurel/ports';
import type { AppendOutcome, EventStore } from '../event-store.ts';
import { AppendQueue, DEFAULT_APPEND_QUEUE_OPTIONS, type AppendQueueOptions } from './append-queue.ts';
import { AppendNotifications } from './append-notifications.ts';
import { LogWriter } from './log-writer.ts';
import { PostgresLogReader } from './postgres-log-reader.ts';
import { PostgresRecorder, type OpenedHead } from './postgres-recorder.ts';
import type { LogSessionConfig } from './session-config.ts';

export interface PostgresEventStoreDependencies {
  readonly config: LogSessionConfig;
  /** Reads the tables of the log. */
  readonly sql: SqlReader;
  /** Keys for the personal fields of records. */
  readonly keys: DataKeys;
  readonly clock: Clock;
  /**
   * Called with erased users: those whom this process erases, those whom another process has erased since the last append, and those for
   * whom a batch brings a record later. Erasures need the tables of the directory beside those of the log.
   */
  readonly onErased?: (users: readonly UserRef[]) => void;
  /** Migrates the schema, once no process can have the log for itself. Several processes may run it at once. */
  readonly prepare?: () => Promise<void>;
}

/** The log in Postgres, for processes that share it. */
export class PostgresEventStore extends PostgresLogReader implements EventStore {
  readonly #writer: LogWriter;
  readonly #lane: AppendQueue;
  readonly #notifications: AppendNotifications;

  private constructor(
    dependencies: PostgresEventStoreDependencies,
    options: AppendQueueOptions,
    writer: LogWriter,
    head: OpenedHead,
  ) {
    super(dependencies.sql, dependencies.keys);
    const recorder = new PostgresRecorder(writer, dependencies.keys, head, (users) => dependencies.onErased?.(users));
    this.#writer = writer;
    this.#lane = new AppendQueue(recorder, dependencies.clock, options);
    this.#notifications = new AppendNotifications(dependencies.config, dependencies.clock, (position) =>
      recorder.passed(position),
    );
  }

  /** @throws LogInUseError while a process has the log for itself. */
  static async open(
    dependencies: PostgresEventStoreDependencies,
    options: AppendQueueOptions = DEFAULT_APPEND_QUEUE_OPTIONS,
  ): Promise<PostgresEventStore> {
    const writer = await LogWriter.share(dependencies.config, dependencies.prepare);
    try {
      const head = await openedHead(dependencies.sql);
      return new PostgresEventStore(dependencies, options, writer, head);
    } catch (error) {
      await writer.close();
      throw error;
    }
  }

  append(records: readonly NewRecord[]): Promise<readonly AppendOutcome[]> {
    return this.#lane.append(records);
  }

  onAppend(listener: () => void): () => void {
    return this.#notifications.add(listener);
  }

  /** A read is enough: the connections were opened with all rights. */
  async checkAccess(): Promise<void> {
    await this.head();
  }

  async close(): Promise<void> {
    await this.#lane.close();
    await this.#notifications.close();
    await this.#writer.close();
  }
}

async function openedHead(sql: SqlReader): Promise<OpenedHead> {
  const [row] = await sql.query<{ position: string; erased_to: string }>(
    'select position, erased_to from log_head',
    [],
  );
  return { position: Number(row?.position ?? 0), erasedTo: Number(row?.erased_to ?? 0) };
}
