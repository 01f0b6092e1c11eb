import type { Clock } from '@laurel/ports';
import { within } from './deadline.ts';

/** A message in the form of kafkajs. */
export interface EncodedMessage {
  readonly topic: string;
  readonly partition: number;
  readonly key: string;
  readonly value: Buffer | null;
  readonly headers: Record<string, string>;
}

export interface SizedMessage {
  readonly message: EncodedMessage;
  /** In bytes. */
  readonly size: number;
}

export interface SendRequest {
  readonly messages: readonly EncodedMessage[];
  /** Whether it is one message that is to be compressed. */
  readonly isLarge: boolean;
  readonly limitMs: number;
}

const KEPT_WITHIN_MS = 10_000;
/** The throughput of compressing and sending on a slow machine. */
const BYTES_PER_MS = 2_000;
/**
 * The most bytes of a batch for one partition: no more than a consumer fetches at once. Only a single longer message is compressed; for
 * others, the time would cost more than the bytes.
 */
const LONGEST_BATCH = 900_000;
/**
 * The most bytes of a request with several messages: kafkajs waits 5 s for the answer whatever the size, and a broker closes the connection
 * at 100 MiB.
 */
const LONGEST_REQUEST = 8_000_000;

interface Call {
  readonly messages: readonly SizedMessage[];
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
  /** The number of its messages that are not stored yet. */
  left: number;
  /** Whether the call has failed or timed out, so that its remaining messages are not sent. */
  isOver: boolean;
}

interface Round {
  readonly calls: readonly Call[];
  readonly request: SendRequest;
}

/** Sends requests to one topic one at a time, so that messages arrive in the order of the calls. */
export class SendQueue {
  readonly #topic: string;
  readonly #clock: Clock;
  readonly #request: (request: SendRequest) => Promise<void>;
  #waiting: Call[] = [];
  #running: Promise<void> | null = null;
  /** Bytes that are not sent yet. */
  #underWay = 0;

  constructor(topic: string, clock: Clock, request: (request: SendRequest) => Promise<void>) {
    this.#topic = topic;
    this.#clock = clock;
    this.#request = request;
  }

  /** Resolves when all are stored. Rejects after a failure or a timeout, when some may not be stored. */
  async send(messages: readonly SizedMessage[]): Promise<void> {
    let call: Call | undefined;
    const kept = new Promise<void>((resolve, reject) => {
      call = { messages, resolve, reject, left: messages.length, isOver: false };
      this.#waiting.push(call);
      this.#running ??= this.#run();
    });
    const size = sizeOf(messages);
    this.#underWay += size;
    const limitMs = limitOf(this.#underWay);
    const tooLate = `not known within ${Math.ceil(limitMs / 1000)} s whether topic ${this.#topic} has taken the messages`;
    try {
      await within(this.#clock, limitMs, tooLate, kept);
    } finally {
      this.#underWay -= size;
      if (call) call.isOver = true;
    }
  }

  async idle(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Calls of the same event loop tick share requests: partitions that were fetched together send together.
      await new Promise((resolve) => setImmediate(resolve));
      const calls = this.#waiting;
      this.#waiting = [];
      for (const round of roundsOf(calls)) await this.#send(round);
    }
    this.#running = null;
  }

  /** A failure rejects the calls in the request, not the calls after it. */
  async #send({ calls, request }: Round): Promise<void> {
    if (calls.length === 0) return;
    try {
      await this.#request(request);
      for (const call of calls) if (--call.left === 0) call.resolve();
    } catch (error) {
      for (const call of calls) {
        call.isOver = true;
        call.reject(error);
      }
    }
  }
}

/**
 * Splits the messages, in order, where a partition's share would exceed a batch or the whole would exceed a request. A message that is longer
 * than a batch is sent alone.
 */
function* roundsOf(calls: readonly Call[]): Generator<Round> {
  let collected: { call: Call; sized: SizedMessage }[] = [];
  let shares = new Map<number, number>();
  let bytes = 0;
  const take = (): Round => {
    const round = roundOf(collected);
    collected = [];
    shares = new Map();
    bytes = 0;
    return round;
  };
  for (const call of calls) {
    for (const sized of call.messages) {
      const { partition } = sized.message;
      const share = (shares.get(partition) ?? 0) + sized.size;
      if (collected.length > 0 && (share > LONGEST_BATCH || bytes + sized.size > LONGEST_REQUEST)) yield take();
      // Checked after each request, which may have ended the call.
      if (call.isOver) break;
      collected.push({ call, sized });
      bytes += sized.size;
      shares.set(partition, (shares.get(partition) ?? 0) + sized.size);
      if (sized.size > LONGEST_BATCH) yield take();
    }
  }
  if (collected.length > 0) yield take();
}

function roundOf(collected: readonly { readonly call: Call; readonly sized: SizedMessage }[]): Round {
  const open = collected.filter(({ call }) => !call.isOver);
  return {
    calls: open.map(({ call }) => call),
    request: {
      messages: open.map(({ sized }) => sized.message),
      isLarge: open.some(({ sized }) => sized.size > LONGEST_BATCH),
      limitMs: limitOf(sizeOf(open.map(({ sized }) => sized))),
    },
  };
}

const sizeOf = (messages: readonly SizedMessage[]): number => messages.reduce((sum, { size }) => sum + size, 0);

const limitOf = (bytes: number): number => KEPT_WITHIN_MS + bytes / BYTES_PER_MS;
