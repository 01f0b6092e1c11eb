import type { Instant } from '@laurel/calendar';
import { tablesOf, type ChainMessage, type Configuration, type Rows } from '@laurel/contracts';
import {
  AreaRows,
  decodeState,
  encodeDocument,
  storableDueAt,
  userKey,
  type AnyUserArea,
  type UserRef,
} from '@laurel/projections';
import { LRUCache } from 'lru-cache';
import type { Checkpoint } from './checkpoint.ts';
import type { PartitionProjection, ProjectionBatch, ProjectionChanges } from './projection.ts';

/**
 * Reads the stored columns of these users, by `userKey`; a user of whom nothing is stored is absent.
 * @throws StaleCheckpointError if the partition is not at `before`, at the very moment of which the states are
 */
export type ReadStates = (users: readonly UserRef[], before: Checkpoint) => Promise<ReadonlyMap<string, StoredColumns>>;

type StoredColumns = Readonly<Record<string, unknown>>;

export interface UserProjectionParts {
  /** In the order of the chain. */
  readonly areas: readonly AnyUserArea[];
  readonly partition: number;
  readonly readStates: ReadStates;
  /** Of the users' states in memory, as they are stored. */
  readonly cachedUserBytes: number;
}

type States = readonly unknown[];

/** The areas whose state belongs to a user. */
export class UserProjection implements PartitionProjection {
  readonly #parts: UserProjectionParts;
  readonly #committed: LRUCache<string, States>;

  constructor(parts: UserProjectionParts) {
    this.#parts = parts;
    this.#committed = new LRUCache({ maxSize: parts.cachedUserBytes });
  }

  begin(before: Checkpoint): ProjectionBatch {
    return new UserBatch(this.#parts, this.#committed, before);
  }
}

class UserBatch implements ProjectionBatch {
  readonly #parts: UserProjectionParts;
  readonly #committed: LRUCache<string, States>;
  readonly #before: Checkpoint;
  readonly #cached = new Map<string, States>();
  readonly #stored = new Map<string, StoredColumns>();
  readonly #changed = new Map<string, UserRef & { readonly states: States; readonly dueAt: Instant | null }>();
  readonly #rows = new AreaRows();
  /** How long each changed user's columns are as they are stored; known once they were encoded for the commit. */
  readonly #bytes = new Map<string, number>();

  constructor(parts: UserProjectionParts, committed: LRUCache<string, States>, before: Checkpoint) {
    this.#parts = parts;
    this.#committed = committed;
    this.#before = before;
  }

  get weight(): number {
    return this.#rows.count;
  }

  async load(messages: readonly ChainMessage[]): Promise<void> {
    const wanted = new Map<string, UserRef>();
    for (const { record } of messages) {
      const user = { account: record.account, subject: record.fact.subject };
      const key = userKey(user);
      const cached = this.#committed.get(key);
      if (cached) this.#cached.set(key, cached);
      else wanted.set(key, user);
    }
    if (wanted.size === 0) return;
    const stored = await this.#parts.readStates([...wanted.values()], this.#before);
    for (const [key, columns] of stored) this.#stored.set(key, columns);
  }

  apply(message: ChainMessage, configuration: Configuration, current: Configuration): Promise<ChainMessage> {
    const { account, fact } = message.record;
    const user = { account, subject: fact.subject };
    const states = [...this.#statesOf(user)];
    let applied = message;
    const added: Rows[] = [];
    for (const [index, area] of this.#parts.areas.entries()) {
      const { state, section, rows } = area.project(states[index], applied, configuration);
      states[index] = state;
      applied = { ...applied, [area.name]: section };
      added.push(rows);
    }
    const dueAt = earliest(this.#parts.areas.map((area, index) => area.dueAt?.(states[index], current) ?? null));
    this.#changed.set(userKey(user), { ...user, states, dueAt });
    for (const rows of added) this.#rows.add(rows);
    return Promise.resolve(applied);
  }

  changes(): ProjectionChanges {
    const { areas, partition } = this.#parts;
    return {
      states: [...this.#changed].map(([key, { account, subject, states, dueAt }]) => ({
        account,
        subject,
        columns: this.#encode(key, states),
        dueAt: storableDueAt(dueAt),
      })),
      rows: this.#rows.merged(tablesOf(areas), partition),
    };
  }

  publish(): void {
    for (const [key, { states }] of this.#changed) this.#keep(key, states, this.#bytes.get(key));
  }

  /** States larger than the bound are not kept, nor are those before them. */
  #keep(key: string, states: States, bytes: number | undefined): void {
    if (bytes === undefined) this.#committed.delete(key);
    else this.#committed.set(key, states, { size: bytes + Buffer.byteLength(key) });
  }

  #encode(key: string, states: States): string {
    const { areas } = this.#parts;
    const columns = encodeDocument(areas, states);
    this.#bytes.set(key, Buffer.byteLength(columns));
    return columns;
  }

  discard(): void {
    this.#changed.clear();
  }

  /** Decoded here and not when they are loaded: a state that cannot be read is the trouble of its user's message. */
  #statesOf(user: UserRef): States {
    const key = userKey(user);
    const inMemory = this.#changed.get(key)?.states ?? this.#cached.get(key);
    if (inMemory) return inMemory;
    const stored = this.#stored.get(key);
    return this.#parts.areas.map((area) => decodeState(area, stored?.[area.name], user));
  }
}

function earliest(instants: readonly (Instant | null)[]): Instant | null {
  return instants.reduce((first, at) => (at === null || (first !== null && first <= at) ? first : at), null);
}
