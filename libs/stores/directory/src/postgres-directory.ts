import { userKey, type SqlReader, type Subject, type UserRef } from '@laurel/kernel';
import type { Directory, DirectoryEntry } from '@laurel/ports';
import { LRUCache } from 'lru-cache';
import { AttributeHashing } from './attribute-hashing.ts';
import { behindPrefix } from './behind-prefix.ts';
import { newDataKey, newSubject } from './new-subject.ts';

export interface DirectoryOptions {
  /** The limit of each cache: subjects, ids and data keys. Least recently used entries are evicted. */
  readonly cachedBytes: number;
}

export const DEFAULT_DIRECTORY_OPTIONS: DirectoryOptions = { cachedBytes: 16 * 1024 * 1024 };

/** The most users in one statement. */
const MOST_USERS = 1_000;

/** Erased users whose entries may still arrive from the database, within seconds. */
const MOST_ERASED = 10_000;

/** The limit of the cache of hashed attributes of an account. */
const HASHED_BYTES = 4 * 1024 * 1024;

/** The size of a cache entry without its key. */
const ENTRY_BYTES = 100;

/** $1 accounts, $2 ids, in the order in which they are locked; $3 subjects, $4 data keys for those that have none yet. */
const ASSIGN = `
with asked as (
  select * from unnest($1::text[], $2::text[], $3::bigint[], $4::bytea[]) as a (account, user_id, subject, data_key)
), known as (
  select s.account, s.user_id, s.subject from asked join subjects s using (account, user_id)
), made as (
  insert into subjects (account, user_id, subject, data_key)
  select a.* from asked a where not exists (select from known k where k.account = a.account and k.user_id = a.user_id)
  on conflict do nothing returning account, user_id, subject
)
select * from known union all select * from made`;

/** $1 account, $2 a secret for the case that there is none. A concurrent process may insert its own first, so this is repeated until a row is read. */
const ATTRIBUTE_KEY = `
with made as (insert into attribute_keys (account, secret) values ($1, $2) on conflict do nothing returning secret)
select secret from attribute_keys where account = $1 union all select secret from made`;

/** A user who waits for a subject; all callers share the promise. */
interface Waiting {
  readonly account: string;
  readonly userId: string;
  readonly key: string;
  readonly resolve: (subject: Subject | Promise<Subject>) => void;
  readonly reject: (error: unknown) => void;
  readonly subject: Promise<Subject>;
}

/** The directory for readers, which assign no subject. */
export type ReadDirectory = Pick<Directory, 'find' | 'findAll' | 'idsOf' | 'page' | 'dataKeys'>;

/** The caches of recent entries. */
interface DirectoryMemory {
  readonly subjects: LRUCache<string, Subject>;
  /** By `userKey`. */
  readonly ids: LRUCache<string, string>;
  readonly dataKeys: LRUCache<string, Uint8Array>;
  /** By `userKey`. */
  readonly erased: LRUCache<string, true>;
}

const emptyMemory = ({ cachedBytes: maxSize }: DirectoryOptions): DirectoryMemory => ({
  subjects: new LRUCache({ maxSize, sizeCalculation: bytesOf<Subject> }),
  ids: new LRUCache({ maxSize, sizeCalculation: (id, key) => bytesOf(id, key) + Buffer.byteLength(id) }),
  dataKeys: new LRUCache({ maxSize, sizeCalculation: bytesOf<Uint8Array> }),
  erased: new LRUCache({ max: MOST_ERASED }),
});

/** The directory in Postgres, with a cache of recent entries. Assignments that arrive while a statement runs share the next one. */
export class PostgresDirectory implements Directory {
  readonly #sql: SqlReader;
  readonly #memory: DirectoryMemory;
  readonly #waiting = new Map<string, Waiting>();
  /** By account; each account has at most one. */
  readonly #hashing = new Map<string, Promise<AttributeHashing>>();
  #isRunning = false;

  /** @param sql reaches the schema of {@link directoryMigrations} */
  constructor(
    sql: SqlReader,
    options: DirectoryOptions = DEFAULT_DIRECTORY_OPTIONS,
    memory: DirectoryMemory = emptyMemory(options),
  ) {
    this.#sql = sql;
    this.#memory = memory;
  }

  /** The same directory and caches, read over other connections; {@link forget} applies to both. */
  readBy(sql: SqlReader): ReadDirectory {
    return new PostgresDirectory(sql, DEFAULT_DIRECTORY_OPTIONS, this.#memory);
  }

  async find(account: string, userId: string): Promise<Subject | null> {
    const cached = this.#memory.subjects.get(keyOf(account, userId));
    if (cached !== undefined) return cached;
    const found = await this.findAll(account, [userId]);
    return found.get(userId) ?? null;
  }

  async findAll(account: string, userIds: readonly string[]): Promise<ReadonlyMap<string, Subject>> {
    const found = new Map<string, Subject>();
    for (const userId of userIds) {
      const cached = this.#memory.subjects.get(keyOf(account, userId));
      if (cached !== undefined) found.set(userId, cached);
    }
    const absent = userIds.filter((userId) => !found.has(userId));
    if (absent.length === 0) return found;
    const rows = await this.#sql.query<{ user_id: string; subject: string }>(
      'select user_id, subject from subjects where account = $1 and user_id = any($2::text[])',
      [account, absent],
    );
    for (const { user_id: userId, subject } of rows) {
      this.#remember(account, userId, Number(subject));
      found.set(userId, Number(subject));
    }
    return found;
  }

  async assign(account: string, userId: string): Promise<Subject> {
    return this.#memory.subjects.get(keyOf(account, userId)) ?? this.#join(account, userId);
  }

  async assignAll(account: string, userIds: readonly string[]): Promise<ReadonlyMap<string, Subject>> {
    const assigned = await Promise.all(userIds.map((userId) => this.assign(account, userId)));
    return new Map(userIds.map((userId, index) => [userId, assigned[index] as Subject]));
  }

  forget({ account, subject }: UserRef): void {
    this.#memory.erased.set(userKey({ account, subject }), true);
    this.#memory.dataKeys.delete(userKey({ account, subject }));
    this.#memory.ids.delete(userKey({ account, subject }));
    const prefix = keyOf(account, '');
    for (const [key, cached] of this.#memory.subjects.entries())
      if (cached === subject && key.startsWith(prefix)) this.#memory.subjects.delete(key);
  }

  async idsOf(account: string, subjects: readonly Subject[]): Promise<ReadonlyMap<Subject, string>> {
    if (subjects.length === 0) return new Map();
    const rows = await this.#sql.query<{ subject: string; user_id: string }>(
      'select subject, user_id from subjects where account = $1 and subject = any($2::bigint[])',
      [account, subjects],
    );
    return new Map(rows.map((row) => [Number(row.subject), row.user_id]));
  }

  /**
   * Like {@link idsOf}, but reads only ids that are not cached: for a process that calls {@link forget} for every
   * erasure.
   */
  async idsInMemoryOf(account: string, subjects: readonly Subject[]): Promise<ReadonlyMap<Subject, string>> {
    const ids = new Map<Subject, string>();
    const absent = subjects.filter((subject) => {
      const cached = this.#memory.ids.get(userKey({ account, subject }));
      if (cached !== undefined) ids.set(subject, cached);
      return cached === undefined;
    });
    for (const [subject, userId] of await this.idsOf(account, absent)) {
      this.#rememberId(account, userId, subject);
      ids.set(subject, userId);
    }
    return ids;
  }

  async page(account: string, after: string, limit: number, prefix = ''): Promise<readonly DirectoryEntry[]> {
    const end = behindPrefix(prefix);
    const rows = await this.#sql.query<{ subject: string; user_id: string }>(
      `select subject, user_id from subjects
       where account = $1 and user_id > $2 and user_id >= $4 ${end === null ? '' : 'and user_id < $5'}
       order by user_id limit $3`,
      [account, after, limit, prefix, ...(end === null ? [] : [end])],
    );
    return rows.map((row) => ({ id: row.user_id, subject: Number(row.subject) }));
  }

  async dataKeys(users: readonly UserRef[]): Promise<ReadonlyMap<string, Uint8Array>> {
    const keys = new Map<string, Uint8Array>();
    const missing = new Map<string, UserRef>();
    for (const user of users) {
      const key = userKey(user);
      const cached = this.#memory.dataKeys.get(key);
      if (cached === undefined) missing.set(key, user);
      else keys.set(key, cached);
    }
    if (missing.size === 0) return keys;
    const asked = [...missing.values()];
    const rows = await this.#sql.query<{ account: string; subject: string; data_key: Buffer }>(
      `select s.account, s.subject, s.data_key
       from unnest($1::text[], $2::bigint[]) as u (account, subject) join subjects s using (account, subject)`,
      [asked.map(({ account }) => account), asked.map(({ subject }) => subject)],
    );
    for (const row of rows) {
      const key = userKey({ account: row.account, subject: Number(row.subject) });
      keys.set(key, row.data_key);
      if (!this.#memory.erased.has(key)) this.#memory.dataKeys.set(key, row.data_key);
    }
    return keys;
  }

  async attributeHashes<Value extends string | null>(
    account: string,
    attributes: Iterable<readonly [string, Value]>,
  ): Promise<readonly (readonly [string, Value])[]> {
    let hashing = this.#hashing.get(account);
    if (hashing === undefined) {
      hashing = this.#attributeHashing(account);
      this.#hashing.set(account, hashing);
      hashing.catch(() => this.#hashing.delete(account));
    }
    return (await hashing).all(attributes);
  }

  async #attributeHashing(account: string): Promise<AttributeHashing> {
    for (;;) {
      const [row] = await this.#sql.query<{ secret: Buffer }>(ATTRIBUTE_KEY, [account, newDataKey()]);
      if (row !== undefined) return new AttributeHashing(row.secret, HASHED_BYTES);
    }
  }

  /** A statement that began before an erasure may end after it, so erased users are not cached. */
  #remember(account: string, userId: string, subject: Subject): void {
    if (!this.#memory.erased.has(userKey({ account, subject })))
      this.#memory.subjects.set(keyOf(account, userId), subject);
  }

  #rememberId(account: string, userId: string, subject: Subject): void {
    const key = userKey({ account, subject });
    if (!this.#memory.erased.has(key)) this.#memory.ids.set(key, userId);
  }

  #join(account: string, userId: string): Promise<Subject> {
    const key = keyOf(account, userId);
    const present = this.#waiting.get(key);
    if (present) return present.subject;
    let settle = {} as Pick<Waiting, 'resolve' | 'reject'>;
    const subject = new Promise<Subject>((resolve, reject) => (settle = { resolve, reject }));
    this.#waiting.set(key, { account, userId, key, subject, ...settle });
    if (!this.#isRunning) void this.#run();
    return subject;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    // Callers in the same event loop tick share the statement.
    await Promise.resolve();
    while (this.#waiting.size > 0) {
      // Sorted, so that two processes never deadlock.
      const users = [...this.#waiting.values()].slice(0, MOST_USERS).sort((a, b) => (a.key < b.key ? -1 : 1));
      for (const { key } of users) this.#waiting.delete(key);
      try {
        await this.#assign(users);
      } catch (error) {
        for (const { reject } of [...users, ...this.#waiting.values()]) reject(error);
        this.#waiting.clear();
      }
    }
    this.#isRunning = false;
  }

  async #assign(users: readonly Waiting[]): Promise<void> {
    const rows = await this.#sql.query<{ account: string; user_id: string; subject: string }>(ASSIGN, [
      users.map(({ account }) => account),
      users.map(({ userId }) => userId),
      users.map(newSubject),
      users.map(newDataKey),
    ]);
    for (const row of rows) this.#remember(row.account, row.user_id, Number(row.subject));
    const made = new Map(rows.map((row) => [keyOf(row.account, row.user_id), Number(row.subject)]));
    for (const user of users) {
      const subject = made.get(user.key);
      if (subject !== undefined) user.resolve(subject);
      // Another process has assigned the subject since the statement began; the next statement sees it.
      else user.resolve(this.#join(user.account, user.userId));
    }
  }
}

const bytesOf = <Value>(_: Value, key: string): number => ENTRY_BYTES + Buffer.byteLength(key);

/** An account contains no NUL. */
const keyOf = (account: string, userId: string): string => `${account}\0${userId}`;
