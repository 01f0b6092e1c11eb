import {
  isAwaited,
  messageAfter,
  tablesOf,
  type ChainMessage,
  type Configuration,
  type AreaRange,
} from '@laurel/kernel';
import { AreaRows } from '../folding/area-rows.ts';
import type { ChangedUser } from '../folding/changed-user.ts';
import { ChangedUsers } from '../folding/changed-users.ts';
import { DocumentCache } from '../folding/document-cache.ts';
import { applyToDraft, type DraftingBatch } from '../folding/apply-to-draft.ts';
import {
  type AnyUserArea,
  decodeState,
  type Document,
  encodeDocument,
  userKey,
  type UserRef,
} from '../folding/document.ts';
import { dueAt, storableDueAt } from '../folding/due-at.ts';
import type { PartitionCheckpoint } from './checkpoint.ts';
import type { Given, PartitionProjection, ProjectionBatch, ProjectionChanges, StoredState } from './projection.ts';

/**
 * Reads the stored columns of these users, by `userKey`. Users without stored states are missing in the result.
 * @throws StaleCheckpointError if the partition is not at `before` in the snapshot from which the states are read
 */
export type ReadStates = (
  users: readonly UserRef[],
  before: PartitionCheckpoint,
) => Promise<ReadonlyMap<string, StoredColumns>>;

type StoredColumns = Readonly<Record<string, unknown>>;

export interface UserProjectionDependencies {
  /** Areas in the order of the chain, grouped by the schema of their tables. */
  readonly areasBySchema: readonly (readonly AnyUserArea[])[];
  readonly partition: number;
  readonly readStates: ReadStates;
  /** Limit of the users' states in memory, in stored bytes. */
  readonly cachedUserBytes: number;
}

/** A batch that applies records only. */
export interface RecordBatch extends ProjectionBatch {
  apply(given: Given, configuration: Configuration, current: Configuration): Promise<ChainMessage>;
}

/** Applies the areas of users. Each area works on the message as the areas before it left it. */
export class UserProjection implements PartitionProjection {
  readonly #dependencies: UserProjectionDependencies;
  readonly #committed: DocumentCache;

  constructor(dependencies: UserProjectionDependencies) {
    this.#dependencies = dependencies;
    this.#committed = new DocumentCache(dependencies.cachedUserBytes);
  }

  begin(before: PartitionCheckpoint): RecordBatch {
    return new UserBatch(this.#dependencies, this.#committed, before);
  }
}

class UserBatch implements RecordBatch, DraftingBatch {
  readonly users = new ChangedUsers();
  readonly #dependencies: UserProjectionDependencies;
  readonly #committed: DocumentCache;
  readonly #before: PartitionCheckpoint;
  readonly #range: AreaRange;
  readonly #cached = new Map<string, Document>();
  readonly #stored = new Map<string, StoredColumns>();
  readonly #areas: readonly AnyUserArea[];
  readonly #schemas: readonly SchemaPlace[];
  /** Stored size of each changed user's columns; known once they are encoded for the commit. */
  readonly #bytes = new Map<string, number>();

  constructor(dependencies: UserProjectionDependencies, committed: DocumentCache, before: PartitionCheckpoint) {
    this.#dependencies = dependencies;
    this.#committed = committed;
    this.#before = before;
    this.#areas = dependencies.areasBySchema.flat();
    this.#range = { first: 0, end: this.#areas.length };
    this.#schemas = placesOf(dependencies.areasBySchema);
  }

  get weight(): number {
    return this.#schemas.reduce((sum, { rows }) => sum + rows.count, 0);
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
    const stored = await this.#dependencies.readStates([...wanted.values()], this.#before);
    for (const [key, columns] of stored) this.#stored.set(key, columns);
  }

  /** @throws Error for contributions: they are for boards */
  apply(message: Given, configuration: Configuration, current: Configuration): Promise<ChainMessage> {
    if ('changes' in message) throw new Error('the message is for leaderboards: it has no record');
    const areas = this.#areas;
    const { record } = message;
    const options = { configuration, range: this.#range, before: message, wantsAnswer: isAwaited(message) };
    const step = applyToDraft(areas, this, record, options);
    const changed = this.users.byKey.get(userKey({ account: record.account, subject: record.fact.subject }));
    if (changed) changed.configuration = current;
    for (const { first, end, rows } of this.#schemas) for (const added of step.rows.slice(first, end)) rows.add(added);
    return Promise.resolve(messageAfter(step, areas));
  }

  changes(): readonly ProjectionChanges[] {
    this.#bytes.clear();
    return this.#schemas.map((place) => ({
      states: [...this.users.byKey].map(([key, changed]) => this.#stateIn(place, key, changed)),
      rows: place.rows.merged(tablesOf(place.areas), this.#dependencies.partition),
    }));
  }

  publish(): void {
    for (const [key, { document }] of this.users.byKey) this.#committed.keep(key, document, this.#bytes.get(key));
  }

  #stateIn({ areas, first, end }: SchemaPlace, key: string, changed: ChangedUser): StoredState {
    const states = changed.document.slice(first, end);
    const columns = encodeDocument(areas, states);
    this.#bytes.set(key, (this.#bytes.get(key) ?? 0) + Buffer.byteLength(columns));
    const { account, subject, configuration } = changed;
    return { account, subject, columns, dueAt: storableDueAt(dueAt(areas, changed, states, configuration)) };
  }

  /** Does nothing, because all changes are in the batch. */
  discard(): void {}

  /** Decodes the state only now, so that an unreadable state fails its own user's message and not the whole load. */
  documentOf(key: string, user: UserRef): Document {
    const inMemory = this.users.byKey.get(key)?.document ?? this.#cached.get(key);
    if (inMemory) return inMemory;
    const stored = this.#stored.get(key);
    return this.#areas.map((area) => decodeState(area, stored?.[area.name], user));
  }
}

/** The areas with tables in one schema, and the rows that a batch adds to them. */
interface SchemaPlace extends AreaRange {
  readonly areas: readonly AnyUserArea[];
  readonly rows: AreaRows;
}

function placesOf(areasBySchema: readonly (readonly AnyUserArea[])[]): readonly SchemaPlace[] {
  let end = 0;
  return areasBySchema.map((areas) => {
    const first = end;
    end += areas.length;
    return { areas, first, end, rows: new AreaRows() };
  });
}
