import type { ApiKeyCreated, ApiKeyRevoked, ApiKeyEvent, RecordedEvent } from '@laurel/kernel';
import type { CancelTimer, Clock } from '@laurel/ports';
import { SCOPES } from '@laurel/schemas';
import type { Instant } from '@laurel/calendar';
import { ApiKeyEntity, whileReachable } from '@laurel/database';
import { ENVIRONMENT_KEY } from '@laurel/runtime';
import type { DataSource, EntityManager } from 'typeorm';

/** The log's operations for events of keys. */
export interface KeyLog {
  /** The events in the order of the log. */
  readAccountEvents(account: string, types: readonly ApiKeyEvent['type'][]): Promise<readonly RecordedEvent[]>;
  /** @param at when it happened. @throws StoreUnavailableError if recording failed or its outcome is unknown. */
  recordKeyEvent(account: string, fact: ApiKeyEvent, at: Instant): Promise<void>;
}

export interface KeyEventsDependencies {
  readonly dataSource: DataSource;
  readonly account: string;
  readonly log: KeyLog;
  readonly clock: Clock;
  /** Called when an event could not be recorded; it is retried. */
  readonly onTrouble: (error: unknown) => void;
}

const RETRY_MS = 5_000;

/** Locks the keys whose events are missing in the log. Other processes that look for them wait. */
const UNRECORDED = 'not (creation_recorded and (revoked_at is null or revocation_recorded))';

/**
 * Records the creation and revocation of keys. A change is stored in the table of keys first, because the table alone
 * decides who gets in. Its event follows, and the row shows whether it is recorded. An event may be missing because the
 * process ended in between, the log could not be written, or an earlier release created the key. The next start, or the
 * next change by any process, then records it.
 */
export class KeyEvents {
  readonly #dependencies: KeyEventsDependencies;
  #recording: Promise<void> = Promise.resolve();
  #cancelRetry: CancelTimer | null = null;
  #lacksEnvironmentKey = false;
  #stopped = false;

  constructor(dependencies: KeyEventsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Records all missing events, or retries later.
   * @param change the change just made: if only its event is missing, the log need not be read
   */
  record(change: KeyChange | null = null): Promise<void> {
    const { dataSource, onTrouble } = this.#dependencies;
    this.#recording = this.#recording
      .then(() => whileReachable(() => dataSource.transaction((table) => this.#recordAll(table, change))))
      .then(() => void (this.#lacksEnvironmentKey = false))
      .catch((error: unknown) => {
        onTrouble(error);
        this.#tryAgain();
      });
    return this.#recording;
  }

  /**
   * Records missing events. At the first start with a key in the environment, also records the creation of that key.
   */
  recordStart(hasEnvironmentKey: boolean): Promise<void> {
    this.#lacksEnvironmentKey = hasEnvironmentKey;
    return this.record();
  }

  /** Waits for the running recording, and retries nothing any more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#recording;
    this.#cancelRetry?.();
  }

  #tryAgain(): void {
    if (this.#stopped || this.#cancelRetry !== null) return;
    this.#cancelRetry = this.#dependencies.clock.after(RETRY_MS, () => {
      this.#cancelRetry = null;
      void this.record();
    });
  }

  async #recordAll(table: EntityManager, change: KeyChange | null): Promise<void> {
    if (this.#lacksEnvironmentKey) await this.#recordEnvironment(table);
    await this.#recordMissing(table, change);
  }

  async #recordMissing(table: EntityManager, change: KeyChange | null): Promise<void> {
    const { account } = this.#dependencies;
    const keys = await table
      .createQueryBuilder(ApiKeyEntity, 'key')
      .where('account = :account', { account })
      .andWhere(UNRECORDED)
      .orderBy({ created_at: 'ASC', id: 'ASC' })
      .setLock('pessimistic_write')
      .getMany();
    const missing = keys.flatMap(missingEvents);
    if (missing.length === 0) return;
    const isNew = change !== null && missing.every(({ fact }) => nameOf(fact) === nameOf(change));
    const recorded = isNew ? new Set<string>() : await this.#recorded();
    for (const { fact, at } of missing) await this.#append(fact, at, recorded);
    for (const { id, revokedAt } of keys) {
      const done = { creationRecorded: true, revocationRecorded: revokedAt !== null };
      await table.update(ApiKeyEntity, { account, id }, done);
    }
  }

  async #recordEnvironment(table: EntityManager): Promise<void> {
    const { account, clock } = this.#dependencies;
    const claim = 'insert into environment_keys values ($1) on conflict do nothing returning account';
    const claimed = (await table.query(claim, [account])) as readonly unknown[];
    if (claimed.length > 0) await this.#append(ENVIRONMENT_CREATED, new Date(clock.now()), await this.#recorded());
  }

  async #recorded(): Promise<ReadonlySet<string>> {
    const { log, account } = this.#dependencies;
    const records = await log.readAccountEvents(account, ['ApiKeyCreated', 'ApiKeyRevoked']);
    return new Set(records.map(({ fact }) => nameOf(fact as ApiKeyEvent)));
  }

  async #append(fact: ApiKeyEvent, at: Date, recorded: ReadonlySet<string>): Promise<void> {
    if (!recorded.has(nameOf(fact)))
      await this.#dependencies.log.recordKeyEvent(this.#dependencies.account, fact, at.getTime());
  }
}

/** A key is created once and revoked at most once. */
type KeyChange = Pick<ApiKeyEvent, 'type' | 'id'>;
const nameOf = ({ type, id }: KeyChange): string => `${type} ${id}`;

function missingEvents(key: ApiKeyEntity): readonly { readonly fact: ApiKeyEvent; readonly at: Date }[] {
  const { creationRecorded, createdAt, revocationRecorded, revokedAt } = key;
  return [
    ...(creationRecorded ? [] : [{ fact: createdEvent(key), at: createdAt }]),
    ...(revocationRecorded || revokedAt === null ? [] : [{ fact: revokedEvent(key), at: revokedAt }]),
  ];
}

const createdEvent = (key: ApiKeyEntity): ApiKeyCreated => ({
  type: 'ApiKeyCreated',
  id: key.id,
  label: key.label,
  scopes: key.scopes,
  expiresAt: key.expiresAt?.getTime() ?? null,
  requestsPerMinute: key.requestsPerMinute,
  ...attributed(key.createdBy, key.creationReason),
});

const revokedEvent = (key: ApiKeyEntity): ApiKeyRevoked => ({
  type: 'ApiKeyRevoked',
  id: key.id,
  ...attributed(key.revokedBy, key.revocationReason),
});

const ENVIRONMENT_CREATED: ApiKeyCreated = {
  type: 'ApiKeyCreated',
  id: ENVIRONMENT_KEY,
  label: 'LAUREL_API_KEY',
  scopes: SCOPES,
  expiresAt: null,
  requestsPerMinute: null,
  by: 'start',
};

const attributed = (by: string | null, reason: string | null) => ({
  ...(by !== null && { by }),
  ...(reason !== null && { reason }),
});
