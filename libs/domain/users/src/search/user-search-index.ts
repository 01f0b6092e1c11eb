import type { SqlReader } from '@laurel/kernel';
import type { CancelTimer, Clock } from '@laurel/ports';
import { BUILD, IS_BUILT, EXISTS, SWITCH_OFF, switchOn } from './user-search-sql.ts';

/** The events that the user index reports. */
export interface UserSearchEvents {
  /** Called from time to time, and after the last user is entered. @param users number of users entered so far */
  readonly onProgress: (users: number, isBuilt: boolean) => void;
  /** Called when a step failed; it is retried. */
  readonly onFailure: (error: unknown) => void;
}

interface Step {
  readonly users: string;
  readonly is_built: boolean;
}

/**
 * Interval of checks: a rebuild of the users area drops the index, and a process that has not ended yet may create it
 * again.
 */
const LOOK_MS = 5_000;

/** Users entered by one step; no user can be written meanwhile. */
const STEP_USERS = 500;

/** Steps between two progress reports. */
const REPORTED_STEPS = 100;

/**
 * The index of users by e-mail and name (docs/architecture/users.md), in the schema with the states of users. Triggers
 * update it in the statement that writes a user. Existing users are entered in steps while the service runs; an
 * interrupted build resumes where it stopped.
 */
export class UserSearchIndex {
  readonly #sql: SqlReader;
  readonly #clock: Pick<Clock, 'after'>;
  readonly #events: UserSearchEvents;
  #cancel: CancelTimer = () => undefined;
  #looking: Promise<void> = Promise.resolve();
  #isEnded = false;

  /** @param sql reaches the schema with the states of users; it may define tables there */
  constructor(sql: SqlReader, clock: Pick<Clock, 'after'>, events: UserSearchEvents) {
    this.#sql = sql;
    this.#clock = clock;
    this.#events = events;
  }

  /** Runs in the background until {@link close}. If on, creates the index and keeps it up to date; if off, drops it whenever it exists. */
  start(isOn: boolean): void {
    this.#looking = this.#look(isOn);
  }

  /**
   * Creates the index and enters all users, or drops it. If that is already done, only reads, and waits for no writer.
   * @throws StoreUnavailableError if the database cannot be reached, or others lock the states of users for too long
   */
  async turn(isOn: boolean): Promise<void> {
    const [index] = await this.#sql.query<{ there: boolean; current: boolean }>(EXISTS, []);
    const isPresent = index?.there ?? false;
    if (isOn ? isPresent && index?.current && (await this.#isBuilt()) : !isPresent) return;
    await this.#sql.query(isOn ? switchOn() : SWITCH_OFF, []);
    if (isOn) await this.#build();
  }

  async close(): Promise<void> {
    this.#isEnded = true;
    this.#cancel();
    await this.#looking;
  }

  async #look(isOn: boolean): Promise<void> {
    try {
      await this.turn(isOn);
    } catch (error) {
      if (!this.#isEnded) this.#events.onFailure(error);
    }
    if (this.#isEnded) return;
    this.#cancel = this.#clock.after(LOOK_MS, () => this.start(isOn));
  }

  async #isBuilt(): Promise<boolean> {
    const [progress] = await this.#sql.query<Pick<Step, 'is_built'>>(IS_BUILT, []);
    return progress?.is_built ?? false;
  }

  async #build(): Promise<void> {
    for (let steps = 1; !this.#isEnded; steps++) {
      const [step] = await this.#sql.query<Step>(BUILD, [STEP_USERS]);
      // Another process drops the index, or has entered the last users.
      if (step === undefined) return;
      const users = Number(step.users);
      if (step.is_built || steps % REPORTED_STEPS === 0) this.#events.onProgress(users, step.is_built);
      if (step.is_built) return;
    }
  }
}
