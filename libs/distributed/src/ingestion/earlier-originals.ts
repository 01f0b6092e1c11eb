import { StoreUnavailableError, type Command, type RecordMetricEvent } from '@laurel/contracts';
import { byScope, originalAmong, scopesOf, type EventStore, type UsedKey } from '@laurel/event-store';

/**
 * The commands that an earlier release has recorded, under whichever reading of their keys, with their originals. Commands whose
 * key every release reads alike are not looked up: the append itself tells whether it was used.
 * @throws StoreUnavailableError if the log cannot be asked.
 */
export async function earlierOriginals(
  commands: readonly Command[],
  store: Pick<EventStore, 'findKeys'>,
): Promise<ReadonlyMap<Command, UsedKey>> {
  const asked = commands.filter(hasEarlierKeys).map((command) => ({ command, scopes: scopesOf(command) }));
  if (asked.length === 0) return NONE;
  const used = byScope(
    await findKeys(
      asked.flatMap(({ scopes }) => scopes),
      store,
    ),
  );
  return new Map(
    asked.flatMap(({ command, scopes }) => {
      const original = originalAmong(scopes, used);
      return original ? [[command, original] as const] : [];
    }),
  );
}

const NONE: ReadonlyMap<Command, UsedKey> = new Map();

const hasEarlierKeys = (command: Command): command is RecordMetricEvent =>
  command.type === 'RecordMetricEvent' && (command.earlierKeys ?? []).length > 0;

async function findKeys(scopes: Parameters<EventStore['findKeys']>[0], store: Pick<EventStore, 'findKeys'>) {
  try {
    return await store.findKeys(scopes);
  } catch (error) {
    throw new StoreUnavailableError('the event store could not be asked for used keys', { cause: error });
  }
}
