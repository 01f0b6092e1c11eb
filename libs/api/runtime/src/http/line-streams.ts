import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { Clock } from '@laurel/ports';
import { type Problem, ProblemError, problemOf, type StreamEnd, writeJson } from '@laurel/schemas';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '../logging.ts';
import { type Line, LineSplitter } from './line-splitter.ts';
import { LONGEST_LINE, NDJSON } from './ndjson.ts';
import { notJsonByType, refuseEncoding } from './json-body.ts';
import { problemFor } from './problem-reply.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route also accepts an unlimited body of lines (NDJSON). */
    takesLines?: boolean;
  }
  interface FastifyInstance {
    lineStreams: LineStreams;
  }
}

/** Most concurrent streams of one process; each takes at most some MiB. */
const MOST_STREAMS = 16;
/**
 * Longest time in which no byte is sent and no answer taken, in milliseconds. Longer than an answer may have to wait.
 */
const IDLE_LIMIT = 120_000;
/** How long a caller may take to notice that the stream was ended early, in milliseconds. */
const LINGER = 5_000;

export interface LineStreamOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Default: {@link IDLE_LIMIT}. */
  readonly idleLimitMs?: number;
}

const CUT = problemOf('malformed_body', 'The body did not arrive whole.');

/** Reads chunks of lines as they arrive, and yields lines of the answer. An error ends the stream. */
export type AnswerLines = (
  chunks: AsyncIterator<readonly Line[]>,
  /** Whether the caller has disconnected. */
  isCut: () => boolean,
) => AsyncGenerator<string>;

/** Whether the body is a stream of lines. */
export const hasLines = ({ body }: FastifyRequest): boolean => body instanceof Readable;

/**
 * Answers a body of lines with lines while it is still arriving. The request is read only as fast as `answer` takes
 * chunks, and `answer` runs only as fast as the caller reads.
 *
 * The status is sent with the first line of the answer. An earlier error is answered as usual; a later one becomes the
 * last line, a {@link StreamEnd}.
 */
export function answerLines(request: FastifyRequest, reply: FastifyReply, answer: AnswerLines): Promise<Readable> {
  return request.server.lineStreams.answer(request, reply, answer);
}

export function installLines(fastify: FastifyInstance, options: LineStreamOptions): void {
  const streams = new LineStreams(options);
  fastify.decorate('lineStreams', streams);
  fastify.addHook('preClose', (done) => {
    streams.endAll();
    done();
  });
  fastify.addContentTypeParser(NDJSON, (request, payload, done) => {
    try {
      if (request.routeOptions.config.takesLines !== true) throw notJsonByType(request);
      refuseEncoding(request);
      done(null, payload);
    } catch (error) {
      done(error as Error);
    }
  });
}

/** The bodies of lines that are being read. */
export class LineStreams {
  readonly #options: LineStreamOptions;
  readonly #open = new Set<LineStream>();
  readonly #sockets = new WeakSet<Socket>();

  constructor(options: LineStreamOptions) {
    this.#options = options;
  }

  /**
   * Whether a stream is running on the connection. Node's time limit for a whole request does not apply to streams,
   * which have an idle limit instead.
   */
  isStreaming(socket: Socket): boolean {
    return this.#sockets.has(socket);
  }

  /** Ends all streams because the process stops. Everything read is answered. */
  endAll(): void {
    for (const stream of this.#open)
      stream.end(problemOf('unavailable', 'The service is stopping; what has no result was not recorded.'));
  }

  async answer(request: FastifyRequest, reply: FastifyReply, answer: AnswerLines): Promise<Readable> {
    if (this.#open.size >= MOST_STREAMS)
      throw new ProblemError(problemOf('overloaded', `${MOST_STREAMS} streams are open already.`), {
        'retry-after': '1',
      });
    const { socket } = request.raw;
    const stream = new LineStream(request.raw, this.#options);
    this.#open.add(stream);
    this.#sockets.add(socket);
    reply.raw.once('close', () => {
      this.#open.delete(stream);
      this.#sockets.delete(socket);
      stream.answered();
    });
    const lines = this.#endedWithALine(
      answer(stream.pieces(), () => socket.destroyed),
      stream,
      request.id,
    );
    const first = await lines.next();
    void reply.header('content-type', NDJSON);
    return Readable.from(beginningWith(first, lines), { objectMode: false });
  }

  /** Turns an error into a last line, except before the first line: then it is thrown. */
  async *#endedWithALine(lines: AsyncGenerator<string>, stream: LineStream, requestId: string) {
    let isFirst = true;
    try {
      for await (const line of lines) {
        yield line;
        isFirst = false;
        stream.touch();
      }
    } catch (error) {
      if (isFirst) throw error;
      const { status, error: sentence, code } = problemFor(error, requestId, this.#options.logger).problem;
      yield `${writeJson({ status, error: sentence, code } satisfies StreamEnd)}\n`;
    }
  }
}

/** Not a generator: a generator that was never started would not end `rest` when the caller disconnects. */
function beginningWith(first: IteratorResult<string, void>, rest: AsyncGenerator<string>): AsyncIterable<string> {
  let taken: IteratorResult<string, void> | null = first;
  const next = (): Promise<IteratorResult<string, void>> => {
    const result = taken === null ? rest.next() : Promise.resolve(taken);
    taken = null;
    return result;
  };
  return { [Symbol.asyncIterator]: () => ({ next, return: () => rest.return(undefined) }) };
}

/** One body of lines. */
class LineStream {
  readonly #body: IncomingMessage;
  readonly #options: LineStreamOptions;
  #problem: Problem | null = null;
  #isAnswered = false;
  #cancel: () => void = () => undefined;
  #wake: () => void = () => undefined;
  readonly #onChange = (): void => this.#wake();

  constructor(body: IncomingMessage, options: LineStreamOptions) {
    this.#body = body;
    this.#options = options;
    for (const event of ['readable', 'end', 'error', 'close'] as const) body.on(event, this.#onChange);
    this.touch();
  }

  async *pieces(): AsyncGenerator<readonly Line[]> {
    const splitter = new LineSplitter(LONGEST_LINE);
    for (;;) {
      if (this.#problem !== null) throw new ProblemError(this.#problem);
      const bytes = this.#body.read() as Buffer | null;
      if (bytes !== null) {
        this.touch();
        yield splitter.push(bytes);
      } else if (this.#body.readableEnded) return yield splitter.end();
      else if (this.#body.destroyed) throw this.#body.errored ?? new ProblemError(CUT);
      else await new Promise<void>((wake) => (this.#wake = wake));
    }
  }

  /** Restarts the idle limit. */
  touch(): void {
    if (this.#problem !== null || this.#isAnswered) return;
    const { clock, idleLimitMs = IDLE_LIMIT } = this.#options;
    this.#cancel();
    this.#cancel = clock.after(idleLimitMs, () => {
      const detail = `Nothing was sent, and no result taken, for ${idleLimitMs / 1_000} seconds.`;
      this.end(problemOf('request_timeout', detail));
    });
  }

  /** Stops reading. A caller that continues to send is disconnected. */
  end(problem: Problem): void {
    this.#problem = problem;
    this.#wake();
    this.#linger();
  }

  /** Called when the answer is sent, or the connection is lost. */
  answered(): void {
    this.#isAnswered = true;
    this.#cancel();
    if (this.#body.readableEnded || this.#body.destroyed) return;
    // Read the rest of the body: closing a connection with unread bytes loses the end of the answer.
    this.#body.off('readable', this.#onChange).once('close', () => this.#cancel());
    this.#body.resume();
    this.#linger();
  }

  #linger(): void {
    this.#cancel();
    const { socket } = this.#body;
    this.#cancel = this.#options.clock.after(LINGER, () => socket.destroy());
  }
}
