import { Readable } from 'node:stream';
import type { Clock } from '@laurel/ports';
import { ProblemError, problemOf } from '@laurel/schemas';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '../logging.ts';
import { problemFor } from './problem-reply.ts';

declare module 'fastify' {
  interface FastifyInstance {
    downloads: Downloads;
  }
}

/** Under way in one process at a time. Each holds a page of rows. */
const MOST_DOWNLOADS = 8;
/** The reader takes nothing for so long. In milliseconds. */
const IDLE_LIMIT = 120_000;

export interface DownloadOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Instead of {@link IDLE_LIMIT}. */
  readonly idleLimitMs?: number;
}

/** A file that is sent in pieces. */
export interface Download {
  readonly type: string;
  /** The name under which a browser keeps it. */
  readonly name: string;
  /** An empty piece sends nothing: it only gives a reader who has gone away the chance to end what looks for the next. */
  readonly pieces: AsyncGenerator<string, void>;
}

/**
 * Answers with a body of any length, a piece in memory at a time: a piece is asked for when the reader has taken the ones before.
 * An error before the first piece is answered as a problem. A later error cuts the connection, so no reader takes a part
 * for the whole. A reader who takes nothing for two minutes is cut off, too.
 * @throws ProblemError 503 while too many are under way
 */
export function sendDownload(request: FastifyRequest, reply: FastifyReply, download: Download): Promise<void> {
  return request.server.downloads.send(request, reply, download);
}

export function installDownloads(fastify: FastifyInstance, options: DownloadOptions): void {
  fastify.decorate('downloads', new Downloads(options));
}

/** The long answers that are being sent. */
export class Downloads {
  readonly #options: DownloadOptions;
  #open = 0;

  constructor(options: DownloadOptions) {
    this.#options = options;
  }

  async send(request: FastifyRequest, reply: FastifyReply, { type, name, pieces: chunks }: Download): Promise<void> {
    void reply.header('content-type', type).header('content-disposition', `attachment; filename="${name}"`);
    // If the reader left before, no `close` follows.
    if (request.method === 'HEAD' || reply.raw.destroyed) return void reply.send('');
    if (this.#open >= MOST_DOWNLOADS)
      throw new ProblemError(problemOf('overloaded', `${MOST_DOWNLOADS} exports are under way already.`), {
        'retry-after': '1',
      });
    this.#open++;
    reply.raw.once('close', () => {
      this.#open--;
      chunks.return().catch(() => undefined);
    });
    const first = await nextChunk(chunks);
    const body = this.#sent(request, first, chunks);
    void reply.send(Readable.from(body, { objectMode: false, highWaterMark: 1 }));
  }

  async *#sent(request: FastifyRequest, first: IteratorResult<string, void>, rest: AsyncGenerator<string, void>) {
    const { clock, logger, idleLimitMs = IDLE_LIMIT } = this.#options;
    try {
      for (let next = first; !next.done; next = await nextChunk(rest)) {
        const cancel = clock.after(idleLimitMs, () => request.raw.socket.destroy());
        try {
          yield next.value;
        } finally {
          cancel();
        }
      }
    } catch (error) {
      const { problem } = problemFor(error, request.id, logger);
      logger.warn(
        { requestId: request.id, code: problem.code },
        'an export could not be completed: its connection is cut',
      );
      throw error;
    }
  }
}

/** The next that is not empty. */
async function nextChunk(chunks: AsyncGenerator<string, void>): Promise<IteratorResult<string, void>> {
  for (;;) {
    const next = await chunks.next();
    if (next.done || next.value !== '') return next;
  }
}
