import { isKeyed, StoreUnavailableError, type Command, type KeyedCommand } from '@laurel/kernel';
import { byKeyHash, keyHashesOf, originalAmong, type EventStore, type UsedKey } from '@laurel/event-store';

/**
 * The commands that an earlier release has recorded, under whichever reading of their keys, with their originals. Commands whose
 * key every release reads alike are not looked up: the append itself tells whether it was used.
 * @throws StoreUnavailableError if the log cannot be asked.
 */
export async function earlierOriginals(
  commands: readonly Command[],
  store: Pick<EventStore, 'findKeys'>,
): Promise<ReadonlyMap<Command, UsedKey>> {
  const asked = commands.filter(hasEarlierKeys).map((command) => ({ command, hashes: keyHashesOf(command) }));
  if (asked.length === 0) return NONE;
  const used = byKeyHash(
    await findKeys(
      asked.flatMap(({ hashes }) => hashes),
      store,
    ),
  );
  return new Map(
    asked.flatMap(({ command, hashes }) => {
      const original = originalAmong(hashes, used);
      return original ? [[command, original] as const] : [];
    }),
  );
}

const NONE: ReadonlyMap<Command, UsedKey> = new Map();

const hasEarlierKeys = (command: Command): command is KeyedCommand =>
  isKeyed(command) && keyHashesOf(command).length > 1;

/** @throws StoreUnavailableError if the log cannot be asked. */
export async function findKeys(hashes: Parameters<EventStore['findKeys']>[0], store: Pick<EventStore, 'findKeys'>) {
  try {
    return await store.findKeys(hashes);
  } catch (error) {
    throw new StoreUnavailableError('the event store could not be asked for used keys', { cause: error });
  }
}
