import { formatInstant, type Instant } from '@laurel/calendar';
import {
  StoreUnavailableError,
  type ApiKeyAnswer,
  type Clock,
  type NewApiKeyAnswer,
  type NewKeyRequest,
} from '@laurel/contracts';
import { ApiKeyEntity, whileReachable } from '@laurel/database';
import {
  SCOPES,
  generateApiKey,
  hashApiKey,
  type ApiKeys,
  type FoundKey,
  type Principal,
  type Scope,
} from '@laurel/runtime';
import { In, type DataSource, type Repository } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { KeyRing } from '../ports.ts';

/** A key as it is known here: everything but the key. */
interface StoredKey {
  readonly account: string;
  readonly id: string;
  readonly label: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: Instant;
  readonly expiresAt: Instant | null;
  readonly requestsPerMinute: number | null;
  revokedAt: Instant | null;
  readonly principal: Principal;
}

/**
 * The keys of the table `api_keys`, all of them in memory, so that a request need not wait to be known. A change
 * that is made here is stored first, and holds from then on for every request whose key is not yet looked up.
 */
export class StoredKeys implements ApiKeys, KeyRing {
  readonly #repository: Repository<ApiKeyEntity>;
  readonly #clock: Clock;
  readonly #byHash = new Map<string, StoredKey>();
  readonly #byId = new Map<string, StoredKey>();
  #writing: Promise<unknown> = Promise.resolve();
  /** Since a key was made without an answer of the database, the table may hold one that is not in memory. */
  #mayLackOne = false;

  private constructor(repository: Repository<ApiKeyEntity>, clock: Clock) {
    this.#repository = repository;
    this.#clock = clock;
  }

  static async open(dataSource: DataSource, accounts: readonly string[], clock: Clock): Promise<StoredKeys> {
    const keys = new StoredKeys(dataSource.getRepository(ApiKeyEntity), clock);
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

  /** True also for one that is refused by now. */
  knows(hash: string): boolean {
    return this.#byHash.has(hash);
  }

  /** Reads what other processes have changed. @throws StoreUnavailableError */
  refresh(): Promise<void> {
    return this.#write(async () => {
      for (const entity of await this.#repository.find()) this.#keep(entity);
    });
  }

  /**
   * In order of creation; also a key that was stored although {@link create} could not say so.
   * @throws StoreUnavailableError if there may be one and the database cannot be asked.
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

  /** @throws StoreUnavailableError if the database cannot be reached: the key may be stored, and {@link list} then shows it. */
  async create(account: string, request: NewKeyRequest): Promise<NewApiKeyAnswer> {
    const key = generateApiKey();
    const entity = this.#repository.create(entityOf(account, request, hashApiKey(key), this.#clock.now()));
    const stored = await this.#write(async () => {
      await this.#repository.insert(entity);
      return this.#keep(entity);
    }).catch((error: unknown) => {
      if (error instanceof StoreUnavailableError) this.#mayLackOne = true;
      throw error;
    });
    return { ...answerOf(stored), key };
  }

  async revoke(account: string, id: string): Promise<ApiKeyAnswer | null> {
    if (this.#byId.get(id)?.account !== account) return null;
    const revoked = await this.#write(async () => {
      // Only now, because a refresh puts another in its place.
      const key = this.#byId.get(id) as StoredKey;
      if (key.revokedAt !== null) return key;
      const revokedAt = this.#clock.now();
      await this.#repository.update({ account, id }, { revokedAt: new Date(revokedAt) });
      key.revokedAt = revokedAt;
      return key;
    });
    return answerOf(revoked);
  }

  #keep(entity: ApiKeyEntity): StoredKey {
    const key = storedKeyOf(entity);
    this.#byHash.set(entity.hash, key);
    this.#byId.set(entity.id, key);
    return key;
  }

  /** One after the other, so that the table and the memory see changes in one order. */
  #write<T>(work: () => Promise<T>): Promise<T> {
    const written = this.#writing.then(() => whileReachable(work));
    this.#writing = written.catch(() => undefined);
    return written;
  }
}

const entityOf = (account: string, request: NewKeyRequest, hash: string, now: Instant): ApiKeyEntity => ({
  account,
  id: uuidv7({ msecs: now }),
  hash,
  label: request.label,
  scopes: SCOPES.filter((scope) => request.scopes.includes(scope)),
  createdAt: new Date(now),
  expiresAt: typeof request.expiresAt === 'string' ? new Date(request.expiresAt) : null,
  revokedAt: null,
  requestsPerMinute: request.requestsPerMinute ?? null,
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
    revokedAt: entity.revokedAt?.getTime() ?? null,
    principal: { account, by: id, scopes: new Set(scopes), ...rateLimit },
  };
}

const answerOf = ({
  id,
  label,
  scopes,
  createdAt,
  expiresAt,
  revokedAt,
  requestsPerMinute,
}: StoredKey): ApiKeyAnswer => ({
  id,
  label,
  scopes: [...scopes],
  createdAt: formatInstant(createdAt),
  expiresAt: expiresAt === null ? null : formatInstant(expiresAt),
  revokedAt: revokedAt === null ? null : formatInstant(revokedAt),
  requestsPerMinute,
});
