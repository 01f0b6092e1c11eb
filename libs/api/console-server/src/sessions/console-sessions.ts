import { formatInstant, type Instant } from '@laurel/calendar';
import type { SqlReader } from '@laurel/kernel';
import type { Clock } from '@laurel/ports';
import { type ConsoleSession, type Scope, SCOPES } from '@laurel/schemas';
import { ConsoleLinkEntity, ConsoleSessionEntity, sqlReader, whileReachable } from '@laurel/database';
import { type ApiKeys, type Credential, hashApiKey, type Principal, type Sessions } from '@laurel/runtime';
import { In, LessThan, type DataSource, type Repository } from 'typeorm';
import { v4 as uuid } from 'uuid';
import { hashToken, newToken, revealKey, sealKey } from './tokens.ts';

/** A session ends this long after its last use. */
const IDLE_MS = 60 * 60_000;
/** A session ends this long after it was opened. */
export const LONGEST_MS = 12 * 60 * 60_000;
const LINK_MS = 30 * 60_000;
/** How late the last use may be stored, so that most reads do not write. */
const NOTED_EVERY_MS = 60_000;
/** Most sessions of an account; beyond it, the least recently used ones end. */
const MOST_SESSIONS = 1_000;
const MOST_LINKS = 100;

export interface ConsoleSessionsDependencies {
  readonly dataSource: DataSource;
  /** Looks up the session of each request in the same tables. Default: over the pool of the data source. */
  readonly sql?: SqlReader;
  readonly keys: ApiKeys;
  readonly clock: Pick<Clock, 'now'>;
}

const COLUMNS =
  'account, id, hash, sealed_key as "sealedKey", "by", scopes, created_at as "createdAt", used_at as "usedAt"';
const FIND = `select ${COLUMNS} from console_sessions where hash = $1`;
const LIST = `select ${COLUMNS} from console_sessions where account = $1 order by created_at, id`;

/** A new link; its token is not stored. */
export interface IssuedLink {
  readonly token: string;
  readonly expiresAt: string;
}

/** A new session; its token goes into the cookie. */
export interface OpenedSession {
  readonly token: string;
  readonly session: ConsoleSession;
}

/**
 * Sessions of browsers, in the tables `console_sessions` and `console_links`, so that every gateway knows them. A
 * session opened with a key has the key's scopes, one opened by a link has the link's scopes. Both end with the key
 * that they come from; only links of the local socket come from no key. Each session ends an hour after its last use,
 * and at the latest twelve hours after it was opened.
 */
export class ConsoleSessions implements Sessions {
  readonly #sessions: Repository<ConsoleSessionEntity>;
  readonly #links: Repository<ConsoleLinkEntity>;
  readonly #sql: SqlReader;
  readonly #keys: ApiKeys;
  readonly #clock: Pick<Clock, 'now'>;
  /** Ids of sessions whose use is being written. */
  readonly #noting = new Set<string>();

  constructor({ dataSource, sql = sqlReader(dataSource), keys, clock }: ConsoleSessionsDependencies) {
    this.#sessions = dataSource.getRepository(ConsoleSessionEntity);
    this.#links = dataSource.getRepository(ConsoleLinkEntity);
    this.#sql = sql;
    this.#keys = keys;
    this.#clock = clock;
  }

  async find(token: string): Promise<Principal | null> {
    return (await this.#open(token, 'noted'))?.principal ?? null;
  }

  async isOpen(token: string): Promise<boolean> {
    return (await this.#open(token, 'not noted')) !== null;
  }

  /** The open session, or null if it has ended or never existed. @throws StoreUnavailableError */
  async show(token: string): Promise<ConsoleSession | null> {
    const open = await this.#open(token, 'noted');
    return open === null ? null : answerOf(open.entity, open.principal.scopes);
  }

  /** @returns null if the key is refused. @throws StoreUnavailableError */
  async openWithKey(key: string): Promise<OpenedSession | null> {
    const keyHash = hashApiKey(key);
    const found = await this.#keys.find(keyHash);
    if (typeof found === 'string') return null;
    const token = newToken();
    return this.#store(token, found, sealKey(keyHash, token));
  }

  /**
   * Uses a link, which works only once. @returns null if the link does not exist, was used, is too old, or its key is
   * refused. @throws StoreUnavailableError
   */
  async openWithLink(linkToken: string): Promise<OpenedSession | null> {
    const hash = hashToken(linkToken);
    const link = await whileReachable(async () => {
      const entity = await this.#links.findOneBy({ hash });
      const { affected } = await this.#links.delete({ hash });
      return affected === 1 ? entity : null;
    });
    if (link === null || link.expiresAt.getTime() <= this.#clock.now()) return null;
    const principal = await this.#principalOf(link, linkToken);
    if (principal === null) return null;
    const token = newToken();
    const { sealedKey } = link;
    return this.#store(token, principal, sealedKey && sealKey(revealKey(sealedKey, linkToken), token));
  }

  /**
   * Creates a link that signs in once. The link and its session end with the key of its maker, or with the key that the
   * maker's session depends on.
   *
   * @returns null if the maker's session depends on no key: such sessions could extend themselves for ever by links.
   * @throws StoreUnavailableError
   */
  async link({ account, by }: Principal, scopes: readonly Scope[], maker: Credential): Promise<IssuedLink | null> {
    const keyHash = await this.#keyOf(maker);
    if (keyHash === null && maker.kind === 'session') return null;
    const now = this.#clock.now();
    const token = newToken();
    const expiresAt = now + LINK_MS;
    await whileReachable(async () => {
      await this.#links.delete({ expiresAt: LessThan(new Date(now)) });
      const kept = await this.#links.find({ where: { account }, order: { expiresAt: 'DESC' }, skip: MOST_LINKS - 1 });
      await this.#links.remove(kept);
      await this.#links.insert({
        account,
        by,
        scopes: [...scopes],
        hash: hashToken(token),
        sealedKey: keyHash && sealKey(keyHash, token),
        expiresAt: new Date(expiresAt),
      });
    });
    return { token, expiresAt: formatInstant(expiresAt) };
  }

  /** Sessions that have not timed out, oldest first. @throws StoreUnavailableError */
  async list(account: string): Promise<readonly ConsoleSession[]> {
    const entities = await this.#sql.query<ConsoleSessionEntity>(LIST, [account]);
    const now = this.#clock.now();
    return entities
      .filter((entity) => now < endOf(entity))
      .map((entity) => answerOf(entity, new Set(scopesOf(entity))));
  }

  /** @returns the ended session, or null if there is none with this id. @throws StoreUnavailableError */
  async end(account: string, id: string): Promise<ConsoleSession | null> {
    return whileReachable(async () => {
      const entity = await this.#sessions.findOneBy({ account, id });
      if (entity === null) return null;
      await this.#sessions.delete({ account, id });
      return answerOf(entity, new Set(scopesOf(entity)));
    });
  }

  /** Ends the session with this token, if there is one. @throws StoreUnavailableError */
  async endOf(token: string): Promise<void> {
    await whileReachable(() => this.#sessions.delete({ hash: hashToken(token) }));
  }

  async #open(
    token: string,
    use: 'noted' | 'not noted',
  ): Promise<{ readonly entity: ConsoleSessionEntity; readonly principal: Principal } | null> {
    const [entity] = await this.#sql.query<ConsoleSessionEntity>(FIND, [hashToken(token)]);
    const now = this.#clock.now();
    if (entity === undefined || now >= endOf(entity)) return null;
    const principal = await this.#principalOf(entity, token);
    if (principal === null) return null;
    if (use === 'noted' && now - entity.usedAt.getTime() >= NOTED_EVERY_MS) await this.#noteUse(entity, now);
    return { entity, principal };
  }

  /** The requests of one page arrive together; only one of them writes the use. */
  async #noteUse(entity: ConsoleSessionEntity, now: Instant): Promise<void> {
    const { account, id } = entity;
    entity.usedAt = new Date(now);
    if (this.#noting.has(id)) return;
    this.#noting.add(id);
    try {
      await whileReachable(() => this.#sessions.update({ account, id }, { usedAt: new Date(now) }));
    } finally {
      this.#noting.delete(id);
    }
  }

  async #principalOf(entity: ConsoleSessionEntity | ConsoleLinkEntity, token: string): Promise<Principal | null> {
    const { account, by, sealedKey } = entity;
    const scopes = scopesOf(entity);
    if (sealedKey === null) return { account, by, scopes: new Set(scopes) };
    const found = await this.#keys.find(revealKey(sealedKey, token));
    if (typeof found === 'string') return null;
    return { ...found, scopes: new Set(scopes.filter((scope) => found.scopes.has(scope))) };
  }

  /** The hash of the key that a caller depends on, or null if there is none. */
  async #keyOf(caller: Credential): Promise<string | null> {
    if (caller.kind !== 'session') return caller.kind === 'key' ? caller.hash : null;
    const entity = await whileReachable(() => this.#sessions.findOneBy({ hash: hashToken(caller.token) }));
    return entity?.sealedKey ? revealKey(entity.sealedKey, caller.token) : null;
  }

  async #store(token: string, { account, by, scopes }: Principal, sealedKey: string | null): Promise<OpenedSession> {
    const at = new Date(this.#clock.now());
    const entity: ConsoleSessionEntity = {
      account,
      id: uuid(),
      hash: hashToken(token),
      sealedKey,
      by,
      scopes: SCOPES.filter((scope) => scopes.has(scope)),
      createdAt: at,
      usedAt: at,
    };
    await whileReachable(async () => {
      await this.#sessions.delete({ account, usedAt: LessThan(new Date(at.getTime() - IDLE_MS)) });
      const order = { usedAt: 'DESC', id: 'ASC' } as const;
      const excess = await this.#sessions.find({ where: { account }, order, skip: MOST_SESSIONS - 1 });
      if (excess.length > 0) await this.#sessions.delete({ account, id: In(excess.map(({ id }) => id)) });
      await this.#sessions.insert(entity);
    });
    return { token, session: answerOf(entity, scopes) };
  }
}

const scopesOf = ({ scopes }: { readonly scopes: readonly string[] }): readonly Scope[] =>
  SCOPES.filter((scope) => scopes.includes(scope));

const endOf = ({ createdAt, usedAt }: ConsoleSessionEntity): Instant =>
  Math.min(usedAt.getTime() + IDLE_MS, createdAt.getTime() + LONGEST_MS);

const answerOf = (entity: ConsoleSessionEntity, scopes: ReadonlySet<Scope>): ConsoleSession => ({
  id: entity.id,
  by: entity.by,
  scopes: SCOPES.filter((scope) => scopes.has(scope)),
  createdAt: formatInstant(entity.createdAt.getTime()),
  usedAt: formatInstant(entity.usedAt.getTime()),
  expiresAt: formatInstant(endOf(entity)),
});
