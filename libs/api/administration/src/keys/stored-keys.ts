import { formatInstant, type Instant } from '@laurel/calendar';
import { StoreUnavailableError, type Attribution } from '@laurel/kernel';
import type { Clock } from '@laurel/ports';
import { type ApiKeyAnswer, type NewApiKeyAnswer, type NewKeyRequest, type Scope, SCOPES } from '@laurel/schemas';
import { ApiKeyEntity, whileReachable } from '@laurel/database';
import { generateApiKey, hashApiKey, type ApiKeys, type FoundKey, type Principal } from '@laurel/runtime';
import { In, IsNull, type DataSource, type Repository } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { KeyRing } from '../ports.ts';
import type { KeyEvents } from './key-events.ts';

/** All fields of a key except the key itself. */
interface StoredKey {
  readonly account: string;
  readonly id: string;
  readonly label: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: Instant;
  readonly expiresAt: Instant | null;
  readonly requestsPerMinute: number | null;
  readonly createdBy: string | null;
  revokedAt: Instant | null;
  revokedBy: string | null;
  readonly principal: Principal;
}

/**
 * The keys of the table `api_keys`, all in memory, so that requests need not wait. A change is stored first and applies
 * to every later look-up of a key; then it is recorded in the log.
 */
export class StoredKeys implements ApiKeys, KeyRing {
  readonly #repository: Repository<ApiKeyEntity>;
  readonly #clock: Clock;
  readonly #events: ChangeRecorder;
  readonly #byHash = new Map<string, StoredKey>();
  readonly #byId = new Map<string, StoredKey>();
  #writing: Promise<unknown> = Promise.resolve();
  /** Set after a creation that the database did not answer: the table may have a key that is not in memory. */
  #mayLackOne = false;

  private constructor(repository: Repository<ApiKeyEntity>, clock: Clock, events: ChangeRecorder) {
    this.#repository = repository;
    this.#clock = clock;
    this.#events = events;
  }

  /** @param events records changes; never rejects */
  static async open(
    dataSource: DataSource,
    accounts: readonly string[],
    clock: Clock,
    events: ChangeRecorder,
  ): Promise<StoredKeys> {
    const keys = new StoredKeys(dataSource.getRepository(ApiKeyEntity), clock, events);
    const order = { createdAt: 'ASC', id: 'ASC' } as const;
    for (const entity of await keys.#repository.find({ where: { account: In([...accounts]) }, order }))
      keys.#keep(entity);
    return keys;
  }

  find(hash: string): FoundKey {
    const key = this.#byHash.get(hash);
    if (key === undefined) return 'unknown';
    if (key.revokedAt !== null) return 'revoked';
    return key.expiresAt === null || this.#clock.now() < key.expiresAt ? key.principal : 'expired';
  }

  /** Whether a key is known. Revoked and expired keys are known too. */
  knows(hash: string): boolean {
    return this.#byHash.has(hash);
  }

  /** Reads changes of other processes. @throws StoreUnavailableError */
  refresh(): Promise<void> {
    return this.#write(async () => {
      for (const entity of await this.#repository.find()) this.#keep(entity);
    });
  }

  /**
   * All keys in order of creation, including a key that was stored although {@link create} failed.
   * @throws StoreUnavailableError if there may be such a key and the database cannot be reached.
   */
  async list(account: string): Promise<readonly ApiKeyAnswer[]> {
    if (this.#mayLackOne) await this.#write(() => this.#keepMissing(account));
    const keys = [...this.#byId.values()].filter((key) => key.account === account);
    return keys.sort((a, b) => a.createdAt - b.createdAt).map(answerOf);
  }

  async #keepMissing(account: string): Promise<void> {
    for (const entity of await this.#repository.find({ where: { account } }))
      if (!this.#byId.has(entity.id)) this.#keep(entity);
  }

  /**
   * @throws StoreUnavailableError if the database cannot be reached. The key may be stored; {@link list} shows it then.
   */
  async create(account: string, request: NewKeyRequest, attribution: Attribution): Promise<NewApiKeyAnswer> {
    const key = generateApiKey();
    const entity = this.#repository.create(
      entityOf({ account, hash: hashApiKey(key), now: this.#clock.now() }, request, attribution),
    );
    const stored = await this.#write(async () => {
      await this.#repository.insert(entity);
      return this.#keep(entity);
    }).catch((error: unknown) => {
      if (error instanceof StoreUnavailableError) this.#mayLackOne = true;
      throw error;
    });
    await this.#events.record({ type: 'ApiKeyCreated', id: stored.id });
    return { ...answerOf(stored), key };
  }

  async revoke(account: string, id: string, { by, reason }: Attribution): Promise<ApiKeyAnswer | null> {
    if (this.#byId.get(id)?.account !== account) return null;
    const { revoked, change } = await this.#write(async () => {
      // Look it up only now, because a refresh replaces the object.
      const key = this.#byId.get(id) as StoredKey;
      if (key.revokedAt !== null) return { revoked: key, change: null };
      const revokedAt = this.#clock.now();
      const revocation = { revokedBy: by ?? null, revocationReason: reason ?? null };
      const notYet = { account, id, revokedAt: IsNull() };
      const { affected } = await this.#repository.update(notYet, { revokedAt: new Date(revokedAt), ...revocation });
      if (affected === 0)
        return { revoked: this.#keep(await this.#repository.findOneByOrFail({ account, id })), change: null };
      key.revokedAt = revokedAt;
      key.revokedBy = revocation.revokedBy;
      return { revoked: key, change: { type: 'ApiKeyRevoked', id } as const };
    });
    await this.#events.record(change);
    return answerOf(revoked);
  }

  #keep(entity: ApiKeyEntity): StoredKey {
    const key = storedKeyOf(entity);
    this.#byHash.set(entity.hash, key);
    this.#byId.set(entity.id, key);
    return key;
  }

  /** Runs writes one after the other, so that table and memory see changes in one order. */
  #write<T>(work: () => Promise<T>): Promise<T> {
    const written = this.#writing.then(() => whileReachable(work));
    this.#writing = written.catch(() => undefined);
    return written;
  }
}

/** Records the changes that the log lacks; see `KeyEvents`. */
type ChangeRecorder = Pick<KeyEvents, 'record'>;

const entityOf = (
  { account, hash, now }: { readonly account: string; readonly hash: string; readonly now: Instant },
  request: NewKeyRequest,
  attribution: Attribution,
): ApiKeyEntity => ({
  account,
  id: uuidv7({ msecs: now }),
  hash,
  label: request.label,
  scopes: SCOPES.filter((scope) => request.scopes.includes(scope)),
  createdAt: new Date(now),
  expiresAt: typeof request.expiresAt === 'string' ? new Date(request.expiresAt) : null,
  revokedAt: null,
  requestsPerMinute: request.requestsPerMinute ?? null,
  createdBy: attribution.by ?? null,
  creationReason: attribution.reason ?? null,
  revokedBy: null,
  revocationReason: null,
  creationRecorded: false,
  revocationRecorded: false,
});

function storedKeyOf(entity: ApiKeyEntity): StoredKey {
  const { account, id, label, requestsPerMinute } = entity;
  const scopes = SCOPES.filter((scope) => entity.scopes.includes(scope));
  const rateLimit = requestsPerMinute === null ? {} : { rateLimit: { keyId: id, requestsPerMinute } };
  return {
    account,
    id,
    label,
    scopes,
    createdAt: entity.createdAt.getTime(),
    expiresAt: entity.expiresAt?.getTime() ?? null,
    requestsPerMinute,
    createdBy: entity.createdBy,
    revokedAt: entity.revokedAt?.getTime() ?? null,
    revokedBy: entity.revokedBy,
    principal: { account, by: id, scopes: new Set(scopes), ...rateLimit },
  };
}

const answerOf = ({
  id,
  label,
  scopes,
  createdAt,
  createdBy,
  expiresAt,
  revokedAt,
  revokedBy,
  requestsPerMinute,
}: StoredKey): ApiKeyAnswer => ({
  id,
  label,
  scopes: [...scopes],
  createdAt: formatInstant(createdAt),
  createdBy,
  expiresAt: expiresAt === null ? null : formatInstant(expiresAt),
  revokedAt: revokedAt === null ? null : formatInstant(revokedAt),
  revokedBy,
  requestsPerMinute,
});
