import type { Instant } from '@laurel/calendar';
import {
  decide,
  fieldsOf,
  isImported,
  isKeyed,
  userKey,
  WITHOUT_OPTIONS,
  type Command,
  type Decision,
  type ImportOpened,
  type KeyHash,
  type UserFact,
  type UserState,
} from '@laurel/kernel';
import type { EventStore, UsedKey } from '@laurel/event-store';
import { applyFields, NEW_PROFILE } from '@laurel/profile';
import { findOriginals, mayHaveEarlierKey } from './find-originals.ts';
import type { OwedAwards } from './owed-awards.ts';
import { readState, type ReadState, type StateReads } from './read-state.ts';

export interface DecidingParts extends StateReads {
  readonly awards: Pick<OwedAwards, 'createdAmong' | 'of' | 'creates'>;
  readonly store: Pick<EventStore, 'findKeys'>;
}

/** What a gateway decides of a command. */
export interface DecidedCommand {
  readonly command: Command;
  readonly receivedAt: Instant;
  readonly decision: Decision<UserFact | ImportOpened>;
  /** Of a replay: the event that has used the key. */
  readonly original: UsedKey | null;
}

/**
 * Decides the commands of one call on what can be read, each on what those before it change. Events may be appended as replays, or not at
 * all, because only the log knows every key, every erasure and every import. What is refused is no replay: its key was looked up.
 * @throws StoreUnavailableError
 */
export async function decideCommands(
  commands: readonly Command[],
  parts: DecidingParts,
): Promise<readonly DecidedCommand[]> {
  const originals = await findOriginals(commands.filter(mayHaveEarlierKey), parts.store);
  const read = await readState(commands, parts);
  const decided = decideInOrder(commands, read, originals, parts);
  // Of users who are refused something, any command may be a replay, and then adds nothing to what refuses the next.
  const refused = new Set(
    decided.filter(({ decision }) => decision.kind === 'refusal').map(({ command }) => userKey(command)),
  );
  const doubtful = refused.size === 0 ? [] : commands.filter((command) => refused.has(userKey(command)));
  const used = await findOriginals(doubtful, parts.store);
  return used.size === 0 ? decided : decideInOrder(commands, read, new Map([...originals, ...used]), parts);
}

function decideInOrder(
  commands: readonly Command[],
  read: ReadState,
  originals: ReadonlyMap<Command, UsedKey>,
  { awards }: Pick<DecidingParts, 'awards'>,
): readonly DecidedCommand[] {
  const known = new KnownState(read, awards);
  return commands.map((command) => {
    const original = originals.get(command) ?? null;
    const decision = decide(command, known.stateOf(command, original));
    if (decision.kind === 'events') known.accept(command);
    return { command, receivedAt: read.now, decision, original };
  });
}

/** What is known of users and accounts, as the commands of one call change it. */
class KnownState {
  readonly #read: ReadState;
  readonly #awards: Pick<OwedAwards, 'of' | 'creates'>;
  readonly #attributes = new Map<string, ReadonlyMap<string, string>>();
  readonly #created = new Set<string>();
  readonly #importing: Set<string>;
  readonly #keys = new Set<KeyHash>();

  constructor(read: ReadState, awards: Pick<OwedAwards, 'of' | 'creates'>) {
    this.#read = read;
    this.#awards = awards;
    this.#importing = new Set(read.importing);
  }

  stateOf(command: Command, original: UsedKey | null): UserState {
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
      // A service applies a message as a whole, so no import of this topology is without the bound of awards.
      openImport: this.#importing.has(command.account) ? WITHOUT_OPTIONS : null,
      areaStopped,
    };
  }

  accept(command: Command): void {
    if (this.#mayBeReplay(command)) return;
    const user = userKey(command);
    const fields = fieldsOf(command);
    if (isKeyed(command) && command.keyHash !== null) this.#keys.add(command.keyHash);
    if (fields.attributes !== undefined) {
      const profile = { ...NEW_PROFILE, attributes: this.#attributesOf(user) };
      this.#attributes.set(user, applyFields(profile, fields).attributes);
    }
    this.#created.add(user);
    if (!isImported(command)) return;
    this.#awards.creates(user);
    this.#importing.add(command.account);
  }

  /** A command before it uses the same key: only the log can tell whether this one is its replay. */
  #mayBeReplay(command: Command): boolean {
    return isKeyed(command) && command.keyHash !== null && this.#keys.has(command.keyHash);
  }

  #attributesOf(user: string): ReadonlyMap<string, string> {
    return this.#attributes.get(user) ?? this.#read.attributes.get(user) ?? NO_ATTRIBUTES;
  }
}

const NO_ATTRIBUTES = NEW_PROFILE.attributes;
