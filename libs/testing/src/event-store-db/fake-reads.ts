import { once } from 'node:events';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import grpc from '@grpc/grpc-js';
import type { ServerWritableStream } from '@grpc/grpc-js';
import { isSilent, type FakeFault } from './fake-faults.ts';
import type { FakeLog, KeptEvent } from './fake-log.ts';
import { eventResponse, serverError, streamIdentifier, textOf } from './fake-messages.ts';
import { plannedError, type FakeCallKind, type FakeEndpoint } from './fake-refusals.ts';
import { subscribe } from './fake-subscriptions.ts';

/** The state of the server that reads use. */
export interface ReadDependencies {
  readonly log: FakeLog;
  /** Whether reads of a stream return positions; reads of all events always do. */
  readonly positionsInStreams: boolean;
  leader(): FakeEndpoint | null;
  nextFault(): FakeFault;
  /** The refusal of every read of the kind now; null if reads are accepted. */
  refusal(kind: FakeCallKind, metadata: grpc.Metadata): grpc.ServiceError | null;
  cut(): void;
}

export type Call = ServerWritableStream<ReadReq, ReadResp>;

export async function handleRead(dependencies: ReadDependencies, call: Call): Promise<void> {
  call.on('error', () => undefined);
  const options = call.request.getOptions();
  const fault = dependencies.nextFault();
  if (fault.startsWith('cut')) return dependencies.cut();
  if (isSilent(fault)) return;
  if (fault !== 'none') return fail(call, plannedError(fault, dependencies.leader()));
  const refusal = dependencies.refusal(options?.hasStream() ? 'read-stream' : 'read-all', call.metadata);
  if (refusal) return fail(call, refusal);
  if (!options || !options.getUuidOption()?.hasString())
    return fail(call, serverError(grpc.status.INVALID_ARGUMENT, 'this server writes ids as strings only'));
  try {
    if (options.hasSubscription()) return await subscribe(dependencies, call, options);
    const stream = options.getStream();
    const events = stream ? readStream(dependencies.log, stream, options) : readAll(dependencies.log, options);
    if (events === null) call.write(notFound(textOf(stream?.getStreamIdentifier())));
    else await write(call, events, stream === undefined || dependencies.positionsInStreams);
    call.end();
  } catch (error) {
    fail(call, error as Error);
  }
}

/** null if there is no such stream. */
function readStream(
  log: FakeLog,
  stream: ReadReq.Options.StreamOptions,
  options: ReadReq.Options,
): readonly KeptEvent[] | null {
  const kept = log.readableStream(textOf(stream.getStreamIdentifier()));
  if (kept.length === 0) return null;
  const count = Number(options.getCount());
  if (isForwards(options)) {
    const from = stream.hasStart() ? 0 : stream.hasEnd() ? kept.length : Number(stream.getRevision());
    return kept.slice(from, from + count);
  }
  const last = stream.hasEnd() ? kept.length - 1 : stream.hasStart() ? 0 : Number(stream.getRevision());
  return kept
    .slice(0, last + 1)
    .reverse()
    .slice(0, count);
}

/** Reads forwards from a position, including the event there, or backwards from the event before it. */
function readAll(log: FakeLog, options: ReadReq.Options): readonly KeptEvent[] {
  const from = positionIn(log, options);
  const count = Number(options.getCount());
  return isForwards(options)
    ? log.readable.slice(from, from + count)
    : log.readable.slice(Math.max(0, from - count), from).reverse();
}

/** The index of the event at the position. The server cannot begin between two events. */
export function positionIn(log: FakeLog, options: ReadReq.Options): number {
  const all = options.getAll();
  if (all?.hasStart()) return 0;
  if (all?.hasEnd()) return log.readable.length;
  const position = BigInt(all?.getPosition()?.getCommitPosition() ?? 0);
  const events = log.readable;
  const last = events.at(-1);
  if (last !== undefined && position === log.behind(last)) return events.length;
  const index = indexAt(events, position);
  if (index < 0 && position !== 0n)
    throw serverError(grpc.status.UNKNOWN, `no event begins at the position ${position}`);
  return Math.max(index, 0);
}

/** Uses bisection, because there may be many events. Returns -1 if no event begins there. */
function indexAt(events: readonly KeptEvent[], position: bigint): number {
  let [low, high] = [0, events.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((events[middle] as KeptEvent).position < position) low = middle + 1;
    else high = middle;
  }
  return events[low]?.position === position ? low : -1;
}

export function filterOf(options: ReadReq.Options): (event: KeptEvent) => boolean {
  const filter = options.getFilter();
  const expression = filter?.getStreamIdentifier() ?? filter?.getEventType();
  if (!filter || !expression) return () => true;
  const subject = (event: KeptEvent): string =>
    filter.hasStreamIdentifier() ? event.stream : (new Map(event.metadata).get('type') ?? '');
  const regex = expression.getRegex();
  if (regex !== '') return (event) => new RegExp(regex).test(subject(event));
  return (event) => expression.getPrefixList().some((prefix) => subject(event).startsWith(prefix));
}

const isForwards = (options: ReadReq.Options): boolean =>
  options.getReadDirection() === streams.ReadReq.Options.ReadDirection.FORWARDS;

const notFound = (name: string): ReadResp =>
  new streams.ReadResp().setStreamNotFound(
    new streams.ReadResp.StreamNotFound().setStreamIdentifier(streamIdentifier(name)),
  );

export async function write(call: Call, events: readonly KeptEvent[], toldPositions: boolean): Promise<void> {
  for (const event of events) await send(call, eventResponse(event, toldPositions));
}

export async function send(call: Call, response: ReadResp): Promise<void> {
  if (call.cancelled || call.destroyed) return;
  if (!call.write(response)) await Promise.race([once(call, 'drain'), once(call, 'cancelled')]);
}

const fail = (call: Call, error: Error): void => void call.emit('error', error);
