import { once } from 'node:events';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import grpc from '@grpc/grpc-js';
import type { ServerWritableStream } from '@grpc/grpc-js';
import type { FakeFault } from './fake-faults.ts';
import type { FakeLog, KeptEvent } from './fake-log.ts';
import { eventResponse, serverError, streamIdentifier, textOf } from './fake-messages.ts';

/** What reads need of the server. */
export interface ReadParts {
  readonly log: FakeLog;
  /** Whether the read of a stream tells positions; those of everything always do. */
  readonly positionsInStreams: boolean;
  nextFault(): FakeFault;
  cut(): void;
}

type Call = ServerWritableStream<ReadReq, ReadResp>;

export async function handleRead(parts: ReadParts, call: Call): Promise<void> {
  call.on('error', () => undefined);
  const options = call.request.getOptions();
  const fault = parts.nextFault();
  if (fault.startsWith('cut')) return parts.cut();
  if (fault.startsWith('silent')) return;
  if (fault !== 'none') return fail(call, serverError(grpc.status.UNAVAILABLE, 'a planned fault'));
  if (!options || !options.getUuidOption()?.hasString())
    return fail(call, serverError(grpc.status.INVALID_ARGUMENT, 'this server writes ids as strings only'));
  try {
    if (options.hasSubscription()) return await subscribe(parts, call, options);
    const stream = options.getStream();
    const events = stream ? readStream(parts.log, stream, options) : readAll(parts.log, options);
    if (events === null) call.write(notFound(textOf(stream?.getStreamIdentifier())));
    else await write(call, events, stream === undefined || parts.positionsInStreams);
    call.end();
  } catch (error) {
    fail(call, error as Error);
  }
}

/** null: there is no such stream. */
function readStream(
  log: FakeLog,
  stream: ReadReq.Options.StreamOptions,
  options: ReadReq.Options,
): readonly KeptEvent[] | null {
  const kept = log.stream(textOf(stream.getStreamIdentifier()));
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

/** Forwards from a position on, the event there included; backwards from the one before it. */
function readAll(log: FakeLog, options: ReadReq.Options): readonly KeptEvent[] {
  const from = positionIn(log, options);
  const count = Number(options.getCount());
  const matching = isForwards(options)
    ? log.all.slice(from)
    : log.all.slice(0, options.getAll()?.hasEnd() ? undefined : from).reverse();
  return matching.filter(filterOf(options)).slice(0, count);
}

/** Events behind the position, then those that are appended, until the client has had enough. */
async function subscribe({ log, positionsInStreams }: ReadParts, call: Call, options: ReadReq.Options): Promise<void> {
  const stream = options.getStream();
  const source = (): readonly KeptEvent[] => (stream ? log.stream(textOf(stream.getStreamIdentifier())) : log.all);
  let next = stream ? behindRevision(source(), stream) : behindPosition(log, options);
  let appended = true;
  const wanted = filterOf(options);
  let wake = (): void => undefined;
  const stop = log.onAppend(() => {
    appended = true;
    wake();
  });
  call.on('cancelled', () => wake());
  await send(
    call,
    new streams.ReadResp().setConfirmation(new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId('fake')),
  );
  let caughtUp = false;
  while (!call.cancelled && !call.destroyed) {
    while (appended) {
      appended = false;
      const events = source().slice(next);
      next += events.length;
      await write(call, events.filter(wanted), stream === undefined || positionsInStreams);
    }
    if (!caughtUp) await send(call, new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp()));
    caughtUp = true;
    if (!appended && !call.cancelled) await new Promise<void>((resolve) => (wake = resolve));
  }
  stop();
}

const behindRevision = (kept: readonly KeptEvent[], stream: ReadReq.Options.StreamOptions): number =>
  stream.hasEnd() ? kept.length : stream.hasStart() ? 0 : Number(stream.getRevision()) + 1;

function behindPosition(log: FakeLog, options: ReadReq.Options): number {
  const all = options.getAll();
  if (all?.hasEnd()) return log.all.length;
  return all?.hasStart() ? 0 : positionIn(log, options) + 1;
}

/** The index of the event at the position. The server cannot begin where no event begins. */
function positionIn(log: FakeLog, options: ReadReq.Options): number {
  const all = options.getAll();
  if (all?.hasStart()) return 0;
  if (all?.hasEnd()) return log.all.length;
  const position = BigInt(all?.getPosition()?.getCommitPosition() ?? 0);
  const index = log.all.findIndex((event) => event.position === position);
  if (index < 0 && position !== 0n)
    throw serverError(grpc.status.UNKNOWN, `no event begins at the position ${position}`);
  return Math.max(index, 0);
}

function filterOf(options: ReadReq.Options): (event: KeptEvent) => boolean {
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

async function write(call: Call, events: readonly KeptEvent[], toldPositions: boolean): Promise<void> {
  for (const event of events) await send(call, eventResponse(event, toldPositions));
}

async function send(call: Call, response: ReadResp): Promise<void> {
  if (call.cancelled || call.destroyed) return;
  if (!call.write(response)) await Promise.race([once(call, 'drain'), once(call, 'cancelled')]);
}

const fail = (call: Call, error: Error): void => void call.emit('error', error);
