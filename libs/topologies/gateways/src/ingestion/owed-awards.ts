import {
  isImported,
  metricEventRecorded,
  MOST_OWED_AWARDS,
  StoreUnavailableError,
  userKey,
  type UserCommand,
  type Configuration,
  type ImportedEvent,
} from '@laurel/kernel';
import type { Clock } from '@laurel/ports';
import { type AnyUserArea, dueInstants, owedByNewcomer } from '@laurel/engine';
import type { UserQueries } from '@laurel/users';
import { LRUCache } from 'lru-cache';

export interface OwedAwardsDependencies {
  readonly userAreas: readonly AnyUserArea[];
  readonly users: Pick<UserQueries, 'known'>;
  readonly configuration: (account: string) => Configuration;
  readonly clock: Pick<Clock, 'now'>;
}

/** Remembered users with an imported event of this gateway: at most about 2 KB each. */
const REMEMBERED = 10_000;

/** Counts the time awards that imported events owe to users whom they create, as far as the read models know who exists. */
export class OwedAwards {
  readonly #dependencies: OwedAwardsDependencies;
  readonly #seen = new LRUCache<string, true>({ max: REMEMBERED });

  constructor(dependencies: OwedAwardsDependencies) {
    this.#dependencies = dependencies;
  }

  /** The existing users among those to whom a command may owe too many awards, by `userKey`; null if they cannot be read. */
  async createdAmong(commands: readonly UserCommand[]): Promise<ReadonlySet<string> | null> {
    const old = commands.filter((command) => this.#mayOweTooMuch(command));
    if (old.length === 0) return NONE;
    try {
      return await this.#dependencies.users.known(old);
    } catch (error) {
      if (error instanceof StoreUnavailableError) return null;
      throw error;
    }
  }

  /** The awards that the command owes its user if it creates the user; 0 if within the limit. */
  of(command: UserCommand): number {
    return this.#mayOweTooMuch(command) ? this.#owedBy(command) : 0;
  }

  /** An imported event of the user will be recorded. */
  creates(user: string): void {
    this.#seen.set(user, true);
  }

  #mayOweTooMuch(command: UserCommand): command is ImportedEvent {
    if (!isImported(command) || this.#seen.has(userKey(command))) return false;
    const { configuration, clock } = this.#dependencies;
    return dueInstants(configuration(command.account), command.occurredAt, clock.now()) > MOST_OWED_AWARDS;
  }

  #owedBy(command: ImportedEvent): number {
    const { userAreas, clock } = this.#dependencies;
    const { account, occurredAt } = command;
    const configuration = this.#dependencies.configuration(account);
    const now = clock.now();
    const record = {
      eventId: NO_EVENT,
      account,
      configurationVersion: configuration.version,
      occurredAt,
      recordedAt: now,
      position: 0,
      fact: metricEventRecorded(command),
    };
    return owedByNewcomer(userAreas, record, configuration, now);
  }
}

const NONE: ReadonlySet<string> = new Set();
/** No recorded event has this id. */
const NO_EVENT = '00000000-0000-0000-0000-000000000000';
