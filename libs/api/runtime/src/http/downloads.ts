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

/** Most concurrent downloads of one process; each keeps a page of rows in memory. */
const MOST_DOWNLOADS = 8;
/** Longest time in which the reader takes nothing, in milliseconds. */
const IDLE_LIMIT = 120_000;

export interface DownloadOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Default: {@link IDLE_LIMIT}. */
  readonly idleLimitMs?: number;
}

/** A file that is sent in chunks. */
export interface Download {
  readonly type: string;
  /** The file name for browsers. */
  readonly name: string;
  /** An empty chunk sends nothing; it only lets the search for the next one stop if the reader has disconnected. */
  readonly pieces: AsyncGenerator<string, void>;
}

/**
 * Answers with a body of any length, one chunk in memory at a time: the next chunk is produced when the reader has
 * taken the earlier ones. An error before the first chunk is answered as a problem. A later error closes the
 * connection, so that no reader mistakes a part for the whole. A reader who takes nothing for two minutes is
 * disconnected as well.
 * @throws ProblemError 503 if there are too many downloads
 */
export function sendDownload(request: FastifyRequest, reply: FastifyReply, download: Download): Promise<void> {
  return request.server.downloads.send(request, reply, download);
}

export function installDownloads(fastify: FastifyInstance, options: DownloadOptions): void {
  fastify.decorate('downloads', new Downloads(options));
}

/** The running downloads. */
export class Downloads {
  readonly #options: DownloadOptions;
  #open = 0;

  constructor(options: DownloadOptions) {
    this.#options = options;
  }

  async send(request: FastifyRequest, reply: FastifyReply, { type, name, pieces: chunks }: Download): Promise<void> {
    void reply.header('content-type', type).header('content-disposition', `attachment; filename="${name}"`);
    // If the reader has already disconnected, no `close` event follows.
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
        'an export could not be completed; the connection is closed',
      );
      throw error;
    }
  }
}

/** The next chunk that is not empty. */
async function nextChunk(chunks: AsyncGenerator<string, void>): Promise<IteratorResult<string, void>> {
  for (;;) {
    const next = await chunks.next();
    if (next.done || next.value !== '') return next;
  }
}
