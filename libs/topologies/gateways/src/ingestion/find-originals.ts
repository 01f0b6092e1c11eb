import { isKeyed, StoreUnavailableError, type UserCommand, type KeyedCommand } from '@laurel/kernel';
import { byKeyHash, keyHashesOf, originalAmong, type EventStore, type UsedKey } from '@laurel/event-store';

/**
 * The events that have used the keys of these commands, by command.
 * @throws StoreUnavailableError if the log cannot be read
 */
export async function findOriginals(
  commands: readonly UserCommand[],
  store: Pick<EventStore, 'findKeys'>,
): Promise<ReadonlyMap<UserCommand, UsedKey>> {
  const asked = commands.filter(isKeyed).map((command) => ({ command, hashes: keyHashesOf(command) }));
  const hashes = asked.flatMap((one) => one.hashes);
  if (hashes.length === 0) return NONE;
  const used = byKeyHash(await findKeys(hashes, store));
  return new Map(
    asked.flatMap(({ command, hashes: own }) => {
      const original = originalAmong(own, used);
      return original ? [[command, original] as const] : [];
    }),
  );
}

const NONE: ReadonlyMap<UserCommand, UsedKey> = new Map();

/** Whether an earlier release may have recorded the command with another reading of its key, which an append would not find. */
export const mayHaveEarlierKey = (command: UserCommand): command is KeyedCommand =>
  isKeyed(command) && keyHashesOf(command).length > 1;

async function findKeys(hashes: Parameters<EventStore['findKeys']>[0], store: Pick<EventStore, 'findKeys'>) {
  try {
    return await store.findKeys(hashes);
  } catch (error) {
    throw new StoreUnavailableError('the event store could not be asked for used keys', { cause: error });
  }
}
