import type { Row } from '@laurel/kernel';
import { userKey, type UserRef } from '../folding/document.ts';
import { START, type PartitionCheckpoint } from './checkpoint.ts';
import { StaleCheckpointError, type PartitionCommit, type PartitionStore } from './partition-store.ts';

/** The stored data of a service at one moment. Immutable, so a test can return to a moment. */
export interface StoredData {
  readonly checkpoints: ReadonlyMap<number, PartitionCheckpoint>;
  readonly states: ReadonlyMap<string, string>;
  readonly rows: readonly Row[];
}

export const NOTHING_STORED: StoredData = { checkpoints: new Map(), states: new Map(), rows: [] };

/** Holds back a call to the store or the stream: the test decides when it completes, and with which fault. */
export type FaultPoint = <T>(call: 'read' | 'commit' | 'send', work: () => T) => Promise<T>;

const AT_ONCE: FaultPoint = (_call, work) => Promise.resolve().then(work);

/** A partition store with the semantics of the real one, over data that several stores may share. */
export class MemoryPartitionStore implements PartitionStore {
  readonly #database: { data: StoredData };
  readonly #pass: FaultPoint;
  readonly #scope: string;

  /** @param scope prefix of the states. Leaderboard states exist once per partition, states of users only once. */
  constructor(database: { data: StoredData } = { data: NOTHING_STORED }, pass: FaultPoint = AT_ONCE, scope = '') {
    this.#database = database;
    this.#pass = pass;
    this.#scope = scope;
  }

  read(partition: number): Promise<PartitionCheckpoint> {
    return this.#pass('read', () => this.#checkpoint(partition));
  }

  commit(commit: PartitionCommit): Promise<void> {
    return this.#pass('commit', () => this.#commit(commit));
  }

  readPlaces() {
    return this.#pass('read', () => this.#database.data.checkpoints);
  }

  readStates(
    partition: number,
    users: readonly UserRef[],
    before: PartitionCheckpoint,
  ): Promise<ReadonlyMap<string, Readonly<Record<string, unknown>>>> {
    return this.#pass('read', () => {
      this.#assertAt(partition, before);
      const { states } = this.#database.data;
      return new Map(
        users.flatMap((user) => {
          const json = states.get(this.#keyOf(user));
          return json === undefined ? [] : [[userKey(user), JSON.parse(json) as Record<string, unknown>] as const];
        }),
      );
    });
  }

  #commit({ partition, before, after, changes }: PartitionCommit): void {
    const { data } = this.#database;
    this.#assertAt(partition, before);
    const states = changes.flatMap((one) => one.states);
    const rows = changes.flatMap((one) => [...one.rows.values()].flat());
    this.#database.data = {
      checkpoints: new Map(data.checkpoints).set(partition, after),
      states: new Map([...data.states, ...states.map((state) => [this.#keyOf(state), state.columns] as const)]),
      rows: [...data.rows, ...rows],
    };
  }

  #assertAt(partition: number, before: PartitionCheckpoint): void {
    if (!isSamePlace(this.#checkpoint(partition), before)) throw new StaleCheckpointError(partition);
  }

  #keyOf(user: UserRef): string {
    return this.#scope + userKey(user);
  }

  #checkpoint(partition: number): PartitionCheckpoint {
    return this.#database.data.checkpoints.get(partition) ?? START;
  }
}

const isSamePlace = (a: PartitionCheckpoint, b: PartitionCheckpoint): boolean =>
  a.generation === b.generation && a.nextOffset === b.nextOffset && a.revision === b.revision;
