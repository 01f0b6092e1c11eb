import { PostgresRelayStore, Relay } from '@laurel/engine';
import type { EventStore } from '@laurel/event-store';
import type { RecordedEvent } from '@laurel/kernel';
import type { StreamProducer } from '@laurel/event-stream';
import type { DataKeys } from '@laurel/ports';
import type { OpenSchema, ProcessFrame } from '@laurel/processes';
import { ErasingEventStore } from './erasing-event-store.ts';
import { lateRecords } from './kept-erasures.ts';
import type { OpenLog } from './open-event-store.ts';

export interface RelayOptions {
  readonly stores: OpenLog & { readonly schema: OpenSchema; readonly directory: DataKeys };
  readonly producer: StreamProducer;
  /** Called with the records before they are published. */
  readonly onRead?: (records: readonly RecordedEvent[]) => Promise<void>;
  readonly onTrouble: (error: unknown) => void;
}

/** Publishes the log to the first topic. An EventStoreDB log is read from its copy, without records behind the erasure of their user. */
export function openRelay(
  { clock, environment: { partitions } }: ProcessFrame,
  { stores: { store, copy, schema, directory }, producer, onRead, onTrouble }: RelayOptions,
): Relay {
  const log: Pick<EventStore, 'read'> = copy ?? store;
  return new Relay({
    log: {
      read: async (after, limit) => {
        const records = await log.read(after, limit);
        await onRead?.(records);
        return records;
      },
      onAppend: (listener) => store.onAppend(listener),
    },
    producer,
    store: new PostgresRelayStore(schema.statements),
    dataKeys: directory,
    partitions,
    clock,
    onTrouble,
    ...(store instanceof ErasingEventStore && { withheld: (records) => lateRecords(schema.sql, records) }),
  });
}
