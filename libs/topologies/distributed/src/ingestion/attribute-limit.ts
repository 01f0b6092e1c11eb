import { fieldsOf, isKeyed, StoreUnavailableError, type Command, type KeyHash } from '@laurel/kernel';
import type { EventStore } from '@laurel/event-store';
import { applyFields, exceedsAttributeLimit, NEW_PROFILE } from '@laurel/profile';
import { userKey } from '@laurel/engine';
import type { UserQueries } from '@laurel/users';

export interface AttributeLimitParts {
  readonly users: Pick<UserQueries, 'attributesOf'>;
  readonly store: Pick<EventStore, 'findKeys'>;
}

/**
 * The commands that would leave their user with too many attributes, by the state that can be read now and by the commands
 * before them (specification, section 1.8). Not among them: a command whose idempotency key was used, by a recorded event or by
 * a command before it that is not over the limit. It is a replay and changes nothing.
 * If the state cannot be read there are none: the users area keeps the limit by itself.
 */
export async function commandsOverLimit(
  commands: readonly Command[],
  { users, store }: AttributeLimitParts,
): Promise<ReadonlySet<Command>> {
  const adding = commands.filter(addsAttributes);
  if (adding.length === 0) return NONE;
  try {
    const stored = await users.attributesOf(adding);
    // Keys cost a look-up each, so they are looked up only for users who seem to exceed the limit.
    const seemOver = new Set([...overLimit(commands, stored, new Set())].map(userKey));
    if (seemOver.size === 0) return NONE;
    const hashes = commands.filter((command) => seemOver.has(userKey(command))).flatMap((one) => keyHashOf(one) ?? []);
    const used = hashes.length === 0 ? [] : await store.findKeys(hashes);
    return overLimit(commands, stored, new Set(used.map(({ keyHash }) => keyHash)));
  } catch (error) {
    if (error instanceof StoreUnavailableError) return NONE;
    throw error;
  }
}

const NONE: ReadonlySet<Command> = new Set();

const addsAttributes = (command: Command): boolean =>
  [...(fieldsOf(command).attributes?.values() ?? [])].some((value) => value !== null);

function overLimit(
  commands: readonly Command[],
  stored: ReadonlyMap<string, ReadonlyMap<string, string>>,
  recordedKeys: ReadonlySet<KeyHash>,
): ReadonlySet<Command> {
  const attributes = new Map(stored);
  const usedKeys = new Set(recordedKeys);
  const over = new Set<Command>();
  for (const command of commands) {
    const key = keyHashOf(command);
    if (key !== null && usedKeys.has(key)) continue;
    const user = userKey(command);
    const profile = { ...NEW_PROFILE, attributes: attributes.get(user) ?? NEW_PROFILE.attributes };
    if (exceedsAttributeLimit(profile.attributes, fieldsOf(command).attributes)) over.add(command);
    else {
      attributes.set(user, applyFields(profile, fieldsOf(command)).attributes);
      if (key !== null) usedKeys.add(key);
    }
  }
  return over;
}

const keyHashOf = (command: Command): KeyHash | null => (isKeyed(command) ? command.keyHash : null);
