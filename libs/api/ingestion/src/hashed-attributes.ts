import { fieldsOf, type UserCommand } from '@laurel/kernel';
import type { AttributeHashing } from '@laurel/ports';

/**
 * The command with the hashes of the attributes in it; the same command, at once, if there are none.
 * @throws StoreUnavailableError
 */
export function withHashes<Command extends UserCommand>(
  hashing: AttributeHashing,
  command: Command,
): Command | Promise<Command> {
  const { attributes } = fieldsOf(command);
  const ofEvent = command.type === 'RecordMetricEvent' && command.attributes.size > 0 ? command.attributes : null;
  return attributes === undefined && ofEvent === null ? command : hashed(hashing, command, ofEvent);
}

async function hashed<Command extends UserCommand>(
  hashing: AttributeHashing,
  command: Command,
  ofEvent: ReadonlyMap<string, string> | null,
): Promise<Command> {
  const { account } = command;
  const user = fieldsOf(command);
  const [attributeHashes, eventHashes] = await Promise.all([
    user.attributes && hashing.attributeHashes(account, user.attributes),
    ofEvent && hashing.attributeHashes(account, ofEvent),
  ]);
  return {
    ...command,
    ...(attributeHashes && { user: { ...user, attributeHashes: new Map(attributeHashes) } }),
    ...(eventHashes && { attributeHashes: new Map(eventHashes) }),
  };
}
