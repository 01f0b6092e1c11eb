import { userKey, type Subject, type UserRef } from '@laurel/kernel';
import type { Directory, DirectoryEntry } from '@laurel/ports';
import { MemoryDataKeys } from '@laurel/event-store/fixtures';
import { hashesOf, subjectOf } from '@laurel/ports/fixtures';

/** A directory in memory: an assigned user's subject is the {@link subjectOf} the id. */
export class MemoryDirectory implements Directory {
  readonly #users = new Map<string, string>();

  /** @param assigned ids of users in the account `default` */
  constructor(...assigned: readonly string[]) {
    for (const id of assigned) this.#keep('default', id);
  }

  async find(account: string, userId: string): Promise<Subject | null> {
    const subject = subjectOf(userId);
    return this.#users.has(userKey({ account, subject })) ? subject : null;
  }

  async findAll(account: string, userIds: readonly string[]): Promise<ReadonlyMap<string, Subject>> {
    const known = userIds.filter((id) => this.#users.has(userKey({ account, subject: subjectOf(id) })));
    return new Map(known.map((id) => [id, subjectOf(id)]));
  }

  async assign(account: string, userId: string): Promise<Subject> {
    return this.#keep(account, userId);
  }

  async assignAll(account: string, userIds: readonly string[]): Promise<ReadonlyMap<string, Subject>> {
    return new Map(userIds.map((id) => [id, this.#keep(account, id)]));
  }

  forget({ account, subject }: UserRef): void {
    this.#users.delete(userKey({ account, subject }));
  }

  async idsOf(account: string, subjects: readonly Subject[]): Promise<ReadonlyMap<Subject, string>> {
    return new Map(
      subjects.flatMap((subject) => {
        const id = this.#users.get(userKey({ account, subject }));
        return id === undefined ? [] : [[subject, id] as const];
      }),
    );
  }

  async page(account: string, after: string, limit: number): Promise<readonly DirectoryEntry[]> {
    const ids = [...this.#users].flatMap(([key, id]) => (key.startsWith(`${account}\0`) && id > after ? [id] : []));
    return ids
      .sort()
      .slice(0, limit)
      .map((id) => ({ id, subject: subjectOf(id) }));
  }

  async dataKeys(users: readonly UserRef[]): Promise<ReadonlyMap<string, Uint8Array>> {
    return new MemoryDataKeys().dataKeys(users);
  }

  async attributeHashes<Value extends string | null>(
    _: string,
    attributes: Iterable<readonly [string, Value]>,
  ): Promise<readonly (readonly [string, Value])[]> {
    return hashesOf(attributes);
  }

  #keep(account: string, userId: string): Subject {
    const subject = subjectOf(userId);
    this.#users.set(userKey({ account, subject }), userId);
    return subject;
  }
}
