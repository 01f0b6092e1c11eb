import type { Instant } from '@laurel/calendar';
import {
  decide,
  fieldsOf,
  isImported,
  isKeyed,
  userKey,
  WITHOUT_OPTIONS,
  type UserCommand,
  type Decision,
  type ImportOpened,
  type KeyHash,
  type UserEvent,
  type UserState,
} from '@laurel/kernel';
import type { EventStore, UsedKey } from '@laurel/event-store';
import { applyFields, NEW_PROFILE } from '@laurel/profile';
import { findOriginals, mayHaveEarlierKey } from './find-originals.ts';
import type { OwedAwards } from './owed-awards.ts';
import { grantedBoostKey, readState, type ReadState, type StateReads } from './read-state.ts';

export interface DecidingDependencies extends StateReads {
  readonly awards: Pick<OwedAwards, 'createdAmong' | 'of' | 'creates'>;
  readonly store: Pick<EventStore, 'findKeys'>;
}

/** A command with the gateway's decision. */
export interface DecidedCommand {
  readonly command: UserCommand;
  readonly receivedAt: Instant;
  readonly decision: Decision<UserEvent | ImportOpened>;
  /** The event that used the key of a replay, else null. */
  readonly original: UsedKey | null;
}

/**
 * Decides the commands of one call from the readable state and the effects of earlier commands of the call. An append may still find a replay,
 * or refuse an event, because only the log knows every key, erasure and import. A refused command is no replay: its key was looked up.
 * @throws StoreUnavailableError
 */
export async function decideCommands(
  commands: readonly UserCommand[],
  dependencies: DecidingDependencies,
): Promise<readonly DecidedCommand[]> {
  const originals = await findOriginals(commands.filter(mayHaveEarlierKey), dependencies.store);
  const read = await readState(commands, dependencies);
  const decided = decideInOrder(commands, read, originals, dependencies);
  // If a command of a user is refused, any other command of the user may be a replay, which then does not count towards a limit.
  const refused = new Set(
    decided.filter(({ decision }) => decision.kind === 'refusal').map(({ command }) => userKey(command)),
  );
  const doubtful = refused.size === 0 ? [] : commands.filter((command) => refused.has(userKey(command)));
  const used = await findOriginals(doubtful, dependencies.store);
  return used.size === 0 ? decided : decideInOrder(commands, read, new Map([...originals, ...used]), dependencies);
}

function decideInOrder(
  commands: readonly UserCommand[],
  read: ReadState,
  originals: ReadonlyMap<UserCommand, UsedKey>,
  { awards }: Pick<DecidingDependencies, 'awards'>,
): readonly DecidedCommand[] {
  const known = new KnownState(read, awards);
  return commands.map((command) => {
    const original = originals.get(command) ?? null;
    const decision = decide(command, known.stateOf(command, original));
    if (decision.kind === 'events') known.accept(command);
    return { command, receivedAt: read.now, decision, original };
  });
}

/** The known state of users and accounts, updated by the commands of one call. */
class KnownState {
  readonly #read: ReadState;
  readonly #awards: Pick<OwedAwards, 'of' | 'creates'>;
  readonly #attributes = new Map<string, ReadonlyMap<string, string>>();
  readonly #boostsHeld: Map<string, number>;
  readonly #created = new Set<string>();
  readonly #importing: Set<string>;
  readonly #keys = new Set<KeyHash>();

  constructor(read: ReadState, awards: Pick<OwedAwards, 'of' | 'creates'>) {
    this.#read = read;
    this.#awards = awards;
    this.#boostsHeld = new Map(read.boostsHeld);
    this.#importing = new Set(read.importing);
  }

  stateOf(command: UserCommand, original: UsedKey | null): UserState {
    const user = userKey(command);
    const mayBeReplay = this.#mayBeReplay(command);
    const { created, now, areaStopped } = this.#read;
    const isCreated = created === null || created.has(user) || this.#created.has(user);
    return {
      now,
      original,
      user: { isCreated, isErased: false, attributes: mayBeReplay ? NO_ATTRIBUTES : this.#attributesOf(user) },
      isRecorded: true,
      owed: isCreated || mayBeReplay ? 0 : this.#awards.of(command),
      // A service applies a message as a whole, so every import of this topology has the award limit.
      openImport: this.#importing.has(command.account) ? WITHOUT_OPTIONS : null,
      boostsHeld: mayBeReplay ? 0 : this.#boostsHeldBy(command),
      areaStopped,
    };
  }

  accept(command: UserCommand): void {
    if (this.#mayBeReplay(command)) return;
    const user = userKey(command);
    const fields = fieldsOf(command);
    if (isKeyed(command) && command.keyHash !== null) this.#keys.add(command.keyHash);
    if (fields.attributes !== undefined) {
      const profile = { ...NEW_PROFILE, attributes: this.#attributesOf(user) };
      this.#attributes.set(user, applyFields(profile, fields).attributes);
    }
    const boost = grantedBoostKey(command);
    if (boost !== null) this.#boostsHeld.set(boost, this.#boostsHeldBy(command) + 1);
    this.#created.add(user);
    if (!isImported(command)) return;
    this.#awards.creates(user);
    this.#importing.add(command.account);
  }

  /** An earlier command of the call uses the same key: only the log can tell whether this one is a replay. */
  #mayBeReplay(command: UserCommand): boolean {
    return isKeyed(command) && command.keyHash !== null && this.#keys.has(command.keyHash);
  }

  #boostsHeldBy(command: UserCommand): number {
    const key = grantedBoostKey(command);
    return key === null ? 0 : (this.#boostsHeld.get(key) ?? 0);
  }

  #attributesOf(user: string): ReadonlyMap<string, string> {
    return this.#attributes.get(user) ?? this.#read.attributes.get(user) ?? NO_ATTRIBUTES;
  }
}

const NO_ATTRIBUTES = NEW_PROFILE.attributes;
