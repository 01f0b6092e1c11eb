import type { Subject, UserRef } from '@laurel/kernel';

/**
 * Which user a subject stands for. The only place that knows; requests are translated by it where they come in, answers where they
 * name users other than the one asked about. Every method throws StoreUnavailableError while the store cannot be reached.
 */
export interface Directory extends DataKeys {
  /** null: the user has no subject, so nothing is recorded of them. */
  find(account: string, userId: string): Promise<Subject | null>;
  /** {@link find} for many users, in at most one statement. Absent: nothing is recorded of them. */
  findAll(account: string, userIds: readonly string[]): Promise<ReadonlyMap<string, Subject>>;
  /** The user's subject, made if they have none. The same for all callers, whichever process asks first. */
  assign(account: string, userId: string): Promise<Subject>;
  /** {@link assign} for many users, in as many statements as for one. */
  assignAll(account: string, userIds: readonly string[]): Promise<ReadonlyMap<string, Subject>>;
  /**
   * Forgets what is in memory of an erased user, whose row is gone: the next {@link assign} of the id gives a new subject. What was
   * under way meanwhile may remember it again, so it is called again for whatever comes under the subject later.
   */
  forget(user: UserRef): void;
  /** The users for whom these subjects stand. Absent: erased. */
  idsOf(account: string, subjects: readonly Subject[]): Promise<ReadonlyMap<Subject, string>>;
  /** Users by id, at most `limit` of those behind `after` whose ids begin with `prefix` (absent: of all). */
  page(account: string, after: string, limit: number, prefix?: string): Promise<readonly DirectoryEntry[]>;
}

export interface DirectoryEntry {
  readonly id: string;
  readonly subject: Subject;
}

/** The keys under which the personal fields of users are sealed. */
export interface DataKeys {
  /** 32 bytes each, by `userKey`. Absent: destroyed, and with it what was sealed under it. */
  dataKeys(users: readonly UserRef[]): Promise<ReadonlyMap<string, Uint8Array>>;
}
