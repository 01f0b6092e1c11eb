import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { FakeLog, KeptEvent } from './fake-log.ts';
import { eventResponse, textOf } from './fake-messages.ts';
import { filterOf, positionIn, send, type Call, type ReadDependencies } from './fake-reads.ts';

/** The number of events that a server examines between two checkpoints, times the client's multiplier. */
const SEARCH_WINDOW = 32;

/**
 * Sends the events after the position, then newly appended ones, until the client cancels. With a filter, also sends
 * checkpoints with the examined position: at intervals, and when it has caught up.
 */
export async function subscribe(dependencies: ReadDependencies, call: Call, options: ReadReq.Options): Promise<void> {
  const { log } = dependencies;
  const stream = options.getStream();
  const source = (): readonly KeptEvent[] =>
    stream ? log.readableStream(textOf(stream.getStreamIdentifier())) : log.readable;
  let next = stream ? behindRevision(source(), stream) : behindPosition(dependencies, options);
  let wake = (): void => undefined;
  const stop = log.onAppend(() => wake());
  call.on('cancelled', () => wake());
  await send(call, confirmation());
  const sender = new Sender(dependencies, call, options);
  for (let caughtUp = false; !call.cancelled && !call.destroyed;) {
    const events = source().slice(next);
    next += events.length;
    for (const event of events) await sender.pass(event);
    if (source().length > next) continue;
    if (!caughtUp) await sender.catchUp();
    caughtUp = true;
    if (source().length === next && !call.cancelled) await new Promise<void>((resolve) => (wake = resolve));
  }
  stop();
}

/** Sends events that match the filter, and checkpoints. */
class Sender {
  readonly #log: FakeLog;
  readonly #call: Call;
  readonly #tellsPositions: boolean;
  readonly #wanted: (event: KeptEvent) => boolean;
  /** Number of events between two checkpoints; null without a filter, when there are none. */
  readonly #interval: number | null;
  #passed = 0;
  #last: KeptEvent | null = null;

  constructor({ log, positionsInStreams }: ReadDependencies, call: Call, options: ReadReq.Options) {
    const filter = options.getFilter();
    this.#log = log;
    this.#call = call;
    this.#tellsPositions = !options.hasStream() || positionsInStreams;
    this.#wanted = filterOf(options);
    this.#interval = filter ? (filter.getMax() || SEARCH_WINDOW) * filter.getCheckpointintervalmultiplier() : null;
  }

  async pass(event: KeptEvent): Promise<void> {
    this.#last = event;
    if (this.#wanted(event)) await send(this.#call, eventResponse(event, this.#tellsPositions));
    if (this.#interval !== null && ++this.#passed % this.#interval === 0) await this.#checkpoint();
  }

  async catchUp(): Promise<void> {
    if (this.#interval !== null) await this.#checkpoint();
    await send(this.#call, new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp()));
  }

  /** Like the server: the position of the next event, with the prepare position 0, so that it is before that event. */
  async #checkpoint(): Promise<void> {
    if (this.#last === null) return;
    const position = String(this.#log.behind(this.#last));
    const checkpoint = new streams.ReadResp.Checkpoint().setCommitPosition(position).setPreparePosition('0');
    await send(this.#call, new streams.ReadResp().setCheckpoint(checkpoint));
  }
}

const confirmation = (): ReadResp =>
  new streams.ReadResp().setConfirmation(new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId('fake'));

const behindRevision = (kept: readonly KeptEvent[], stream: ReadReq.Options.StreamOptions): number =>
  stream.hasEnd() ? kept.length : stream.hasStart() ? 0 : Number(stream.getRevision()) + 1;

function behindPosition({ log }: ReadDependencies, options: ReadReq.Options): number {
  const all = options.getAll();
  if (all?.hasEnd()) return log.readable.length;
  if (all?.hasStart()) return 0;
  return positionIn(log, options) + (all?.getPosition()?.getPreparePosition() === '0' ? 0 : 1);
}
