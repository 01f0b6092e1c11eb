import type { JSONRecordedEvent, Position } from '@eventstore/db-client';
import type { Clock } from '@laurel/ports';
import { EventStoreDbClient } from '../event-store-db/event-store-db-client.ts';
import type { FirstFormEvent, FirstFormRecord } from './upcast-records.ts';

/** The streams of 0.1; later streams have a number after `laurel-`. */
const STREAMS = /^laurel-(key|event|account)-/;
const PREFIX = 'laurel-';

const EVENTS_AT_A_TIME = 500;

/** Reads the log of 0.1 in EventStoreDB, in order. @param url as `esdb://host:2113?tls=false` */
export async function* firstFormOfEventStoreDb(url: string, clock: Clock): AsyncGenerator<readonly FirstFormRecord[]> {
  const client = new EventStoreDbClient(url, PREFIX, clock);
  try {
    for (let from: Position | null = null, more = true; more;) {
      const behind: bigint = from?.commit ?? -1n;
      const page = await client.readForwards(from, EVENTS_AT_A_TIME);
      const ours = page.filter(({ streamId, position }) => STREAMS.test(streamId) && position.commit > behind);
      yield ours.map((event) => recordOf(event as unknown as JSONRecordedEvent));
      from = page.at(-1)?.position ?? from;
      more = page.length === EVENTS_AT_A_TIME;
    }
  } finally {
    await client.close();
  }
}

interface Metadata {
  readonly account: string;
  readonly schemaVersion: number;
  readonly configurationVersion: number;
  readonly occurredAt: string;
  readonly recordedAt: string;
}

function recordOf({ id, type, data, metadata }: JSONRecordedEvent): FirstFormRecord {
  const { account, schemaVersion, configurationVersion, occurredAt, recordedAt } = metadata as unknown as Metadata;
  return {
    eventId: id,
    account,
    configurationVersion,
    occurredAt: Date.parse(occurredAt),
    recordedAt: Date.parse(recordedAt),
    fact: { type, schemaVersion, ...(data as unknown as Omit<FirstFormEvent, 'type' | 'schemaVersion'>) },
  };
}
