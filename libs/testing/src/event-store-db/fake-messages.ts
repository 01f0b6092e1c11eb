import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { StreamIdentifier } from '@eventstore/db-client/generated/shared_pb.js';
import grpc from '@grpc/grpc-js';
import type { KeptEvent } from './fake-log.ts';

/** The value -1 by which a server says that it does not know a position. */
const NO_POSITION = '18446744073709551615';

/** The name of a stream. */
export const textOf = (identifier: StreamIdentifier | undefined): string =>
  Buffer.from(identifier?.getStreamName_asU8() ?? []).toString('utf8');

export function streamIdentifier(name: string): StreamIdentifier {
  return new shared.StreamIdentifier().setStreamName(Buffer.from(name, 'utf8'));
}

/** Copies the bytes, because a message may contain a view of a buffer that is used again. */
export const bytes = (view: Uint8Array | undefined): Uint8Array => Uint8Array.from(view ?? []);

/** An error in the server's form: its kind is in the trailing metadata. */
export function serverError(
  code: grpc.status,
  details: string,
  trailers: Readonly<Record<string, string>> = {},
): grpc.ServiceError {
  const metadata = new grpc.Metadata();
  for (const [name, value] of Object.entries(trailers)) metadata.set(name, value);
  return Object.assign(new Error(details), { code, details, metadata });
}

/** @param toldPosition false to answer like an older server to the read of a stream */
export function eventResponse(event: KeptEvent, toldPosition: boolean): ReadResp {
  const recorded = new streams.ReadResp.ReadEvent.RecordedEvent();
  recorded.setId(new shared.UUID().setString(event.id));
  recorded.setStreamIdentifier(streamIdentifier(event.stream));
  recorded.setStreamRevision(String(event.revision));
  recorded.setCommitPosition(toldPosition ? String(event.position) : NO_POSITION);
  recorded.setPreparePosition(toldPosition ? String(event.position) : NO_POSITION);
  for (const [name, value] of event.metadata) recorded.getMetadataMap().set(name, value);
  recorded.getMetadataMap().set('created', String(event.position * 10_000n));
  recorded.setData(event.data);
  recorded.setCustomMetadata(event.customMetadata);
  const read = new streams.ReadResp.ReadEvent().setEvent(recorded);
  if (toldPosition) read.setCommitPosition(String(event.position));
  else read.setNoPosition(new shared.Empty());
  return new streams.ReadResp().setEvent(read);
}
