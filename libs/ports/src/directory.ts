import type { Subject, UserRef } from '@laurel/kernel';

/**
 * Knows which user a subject stands for, as nothing else does. It translates the users in requests, and the other users in answers. Every
 * method throws StoreUnavailableError while the store cannot be reached.
 */
export interface Directory extends DataKeys, AttributeHashing {
  /** null if the user has no subject, so no event of theirs is recorded. */
  find(account: string, userId: string): Promise<Subject | null>;
  /** {@link find} for many users, in at most one statement. Users without a subject are absent. */
  findAll(account: string, userIds: readonly string[]): Promise<ReadonlyMap<string, Subject>>;
  /**
   * The user's subject, which is assigned if the user has none. All callers get the same one, whichever process asks
   * first.
   */
  assign(account: string, userId: string): Promise<Subject>;
  /** {@link assign} for many users, in as many statements as for one. */
  assignAll(account: string, userIds: readonly string[]): Promise<ReadonlyMap<string, Subject>>;
  /**
   * Forgets an erased user, whose row is gone: the next {@link assign} of the id gives a new subject. A concurrent call may remember the
   * old one again, so callers repeat this whenever something arrives under the subject later.
   */
  forget(user: UserRef): void;
  /** The ids of the users with these subjects. Erased users are absent. */
  idsOf(account: string, subjects: readonly Subject[]): Promise<ReadonlyMap<Subject, string>>;
  /** At most `limit` users after `after`, by id. @param prefix only users whose ids begin with it */
  page(account: string, after: string, limit: number, prefix?: string): Promise<readonly DirectoryEntry[]>;
}

/** Hashes attributes with the account's own secret. */
export interface AttributeHashing {
  /**
   * The hashes of pairs of key and value, in their order; null, which removes an attribute, stays null. Equal attributes of an account
   * have equal hashes, in every process.
   * @throws StoreUnavailableError
   */
  attributeHashes<Value extends string | null>(
    account: string,
    attributes: Iterable<readonly [string, Value]>,
  ): Promise<readonly (readonly [string, Value])[]>;
}

export interface DirectoryEntry {
  readonly id: string;
  readonly subject: Subject;
}

/** The keys under which the personal fields of users are sealed. */
export interface DataKeys {
  /** Keys of 32 bytes by `userKey`. Destroyed keys are missing. */
  dataKeys(users: readonly UserRef[]): Promise<ReadonlyMap<string, Uint8Array>>;
}
