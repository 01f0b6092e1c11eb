import { StoreUnavailableError, type NewRecord, type RecordedEvent } from '@laurel/kernel';
import { newEventId, type EventStore } from '@laurel/event-store';

/** Records one event of a gateway itself. @throws StoreUnavailableError with the message `failure` if it is not known to be recorded */
export async function appendEvent(
  store: Pick<EventStore, 'append'>,
  event: Omit<NewRecord, 'eventId'>,
  failure: string,
): Promise<RecordedEvent> {
  const [outcome] = await store.append([{ eventId: newEventId(event.recordedAt), ...event }]);
  if (outcome?.kind === 'recorded') return outcome.record;
  throw new StoreUnavailableError(failure, { cause: outcome });
}
