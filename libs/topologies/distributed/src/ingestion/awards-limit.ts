import type { Instant } from '@laurel/calendar';
import {
  MOST_OWED_AWARDS,
  StoreUnavailableError,
  type Command,
  type Configuration,
  type RecordMetricEvent,
} from '@laurel/kernel';
import type { Clock } from '@laurel/ports';
import { type AnyUserArea, dueInstants, factOf, isImport, owedByNewcomer, userKey } from '@laurel/engine';
import type { UserQueries } from '@laurel/users';
import { LRUCache } from 'lru-cache';

export interface AwardsLimitParts {
  readonly userAreas: readonly AnyUserArea[];
  readonly users: Pick<UserQueries, 'known'>;
  readonly configuration: (account: string) => Configuration;
  readonly clock: Pick<Clock, 'now'>;
}

type Imported = RecordMetricEvent & { readonly occurredAt: Instant };

/** Users of whom this gateway has let an old line through: at most about 2 KB each. */
const REMEMBERED = 10_000;

/**
 * Finds imported events that would owe a user whom they create more time awards than a message should hold, as far as the read
 * models know the users by now.
 */
export class AwardsLimit {
  readonly #parts: AwardsLimitParts;
  readonly #seen = new LRUCache<string, true>({ max: REMEMBERED });

  constructor(parts: AwardsLimitParts) {
    this.#parts = parts;
  }

  /**
   * How many each of these commands would owe. If the users cannot be looked up there are none: the event is recorded.
   */
  async exceeding(commands: readonly Command[]): Promise<ReadonlyMap<Command, number>> {
    const old = commands.filter((command) => this.#mayExceed(command));
    if (old.length === 0) return NONE;
    try {
      const known = new Set(await this.#parts.users.known(old));
      return this.#exceeding(commands, known);
    } catch (error) {
      if (error instanceof StoreUnavailableError) return NONE;
      throw error;
    }
  }

  #mayExceed(command: Command): command is Imported {
    if (!isImport(command) || this.#seen.has(userKey(command))) return false;
    const { configuration, clock } = this.#parts;
    return dueInstants(configuration(command.account), command.occurredAt, clock.now()) > MOST_OWED_AWARDS;
  }

  /** In their order: the first that is accepted creates the user. */
  #exceeding(commands: readonly Command[], known: Set<string>): ReadonlyMap<Command, number> {
    const exceeding = new Map<Command, number>();
    for (const command of commands) {
      const user = userKey(command);
      const owed = known.has(user) || !this.#mayExceed(command) ? 0 : this.#owedBy(command);
      if (owed > MOST_OWED_AWARDS) {
        exceeding.set(command, owed);
        continue;
      }
      known.add(user);
      if (isImport(command)) this.#seen.set(user, true);
    }
    return exceeding;
  }

  #owedBy(command: Imported): number {
    const { userAreas, configuration, clock } = this.#parts;
    const { account, occurredAt } = command;
    const now = clock.now();
    const { version } = configuration(account);
    const record = {
      eventId: NO_EVENT,
      account,
      configurationVersion: version,
      occurredAt,
      recordedAt: now,
      position: 0,
    };
    return owedByNewcomer(userAreas, { ...record, fact: factOf(command) }, configuration(account), now);
  }
}

const NONE: ReadonlyMap<Command, number> = new Map();
/** Nothing is recorded under it. */
const NO_EVENT = '00000000-0000-0000-0000-000000000000';
