import { StoreUnavailableError, type Command } from '@laurel/contracts';
import { scopeKey, type EventStore, type IdempotencyScope } from '@laurel/event-store';
import { applyFields, exceedsAttributeLimit, NEW_PROFILE } from '@laurel/profile';
import { userKey } from '@laurel/projections';
import type { UserQueries } from '@laurel/users';

export interface AttributeLimitParts {
  readonly users: Pick<UserQueries, 'attributesOf'>;
  readonly store: Pick<EventStore, 'findKeys'>;
}

/**
 * The commands that would leave their user with too many attributes, by the state that can be read now and by the commands
 * before them (specification, section 1.8). Not among them: a command whose idempotency key was used, which is a replay.
 * If the state cannot be read there are none: the users area keeps the limit by itself.
 */
export async function commandsOverLimit(
  commands: readonly Command[],
  { users, store }: AttributeLimitParts,
): Promise<ReadonlySet<Command>> {
  const adding = commands.filter(addsAttributes);
  if (adding.length === 0) return NONE;
  try {
    const over = overLimit(adding, await users.attributesOf(adding));
    const scopes = over.flatMap((command) => scopeOf(command) ?? []);
    const used = scopes.length === 0 ? [] : await store.findKeys(scopes);
    const replays = new Set(used.map(({ scope }) => scopeKey(scope)));
    return new Set(over.filter((command) => !isAmong(replays, command)));
  } catch (error) {
    if (error instanceof StoreUnavailableError) return NONE;
    throw error;
  }
}

const NONE: ReadonlySet<Command> = new Set();

const addsAttributes = ({ user }: Command): boolean =>
  user.attributes !== undefined && [...user.attributes.values()].some((value) => value !== null);

function overLimit(
  commands: readonly Command[],
  stored: ReadonlyMap<string, ReadonlyMap<string, string>>,
): readonly Command[] {
  const attributes = new Map(stored);
  return commands.filter((command) => {
    const key = userKey(command);
    const profile = { ...NEW_PROFILE, attributes: attributes.get(key) ?? NEW_PROFILE.attributes };
    const exceeds = exceedsAttributeLimit(profile.attributes, command.user.attributes);
    if (!exceeds) attributes.set(key, applyFields(profile, command.user).attributes);
    return exceeds;
  });
}

function isAmong(keys: ReadonlySet<string>, command: Command): boolean {
  const scope = scopeOf(command);
  return scope !== null && keys.has(scopeKey(scope));
}

function scopeOf(command: Command): IdempotencyScope | null {
  if (command.type !== 'RecordMetricEvent' || command.idempotencyKey === null) return null;
  const { account, userId, metric, idempotencyKey } = command;
  return { account, userId, metric, key: idempotencyKey };
}
