import { Controller, Inject, type OnModuleDestroy, Res } from '@nestjs/common';
import { invalidRequest, mistakenParameters, ProblemError, problemOf, writeJson, operations } from '@laurel/schemas';
import { type ApiCall, Call, type Credential, credentialOf, type Query, Route } from '@laurel/runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CONSOLE_PORTS, type ConsolePorts, type LivePorts } from '../ports.ts';
import { LIVE_CURSOR } from './live-cursor.ts';
import { type LiveMessage, MOST_WATCHERS } from './live-feed.ts';

/** Most unsent bytes of a slow watcher; with more, it is disconnected. */
const MOST_UNSENT = 256 * 1024;
/** Milliseconds after which a browser reconnects by itself. */
const RETRY_MS = 500;

/** Streams users' events as they are recorded, as server-sent events (specification, section 9.19). */
@Controller()
export class LiveController implements OnModuleDestroy {
  readonly #ports: ConsolePorts;
  readonly #bytes = new WeakMap<LiveMessage, Buffer>();

  constructor(@Inject(CONSOLE_PORTS) ports: ConsolePorts) {
    this.#ports = ports;
  }

  /** Ends the streams before the server stops listening, because the server waits for them. */
  onModuleDestroy(): void {
    this.#ports.live.feed.stop();
  }

  @Route(operations.watchEvents)
  watch(@Call() { account, query, request }: ApiCall, @Res() reply: FastifyReply): void {
    const { live } = this.#ports;
    const { userId, metric, after } = readQuery(query, request);
    const credential = credentialOf(request);
    if (live.feed.watchers >= MOST_WATCHERS) throw full();
    const { raw } = reply;
    const { socket } = request.raw;
    void reply.hijack();
    raw.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
      'x-request-id': request.id,
    });
    if (request.method === 'HEAD') return void raw.end();
    raw.write(`retry: ${RETRY_MS}\n\n`);
    const leave = live.feed.watch({
      account,
      userId,
      metric,
      after,
      send: (message) => {
        if (raw.writableLength > MOST_UNSENT) socket.destroy();
        else raw.write(this.#bytesOf(message, live.answer));
      },
      admitted: () => this.#admitted(credential, live),
      end: () => raw.end(),
    });
    if (leave === null) return void raw.end();
    // Also leave when the connection closes: an answer that waits behind another one closes without an event.
    socket.once('close', leave);
    raw.once('close', () => {
      socket.off('close', leave);
      leave();
    });
    // If the client disconnected while its session was looked up, no event follows.
    if (raw.destroyed || socket.destroyed) leave();
  }

  /** Encoded once for all watchers. */
  #bytesOf(message: LiveMessage, answer: LivePorts['answer']): Buffer {
    const made = this.#bytes.get(message) ?? Buffer.from(textOf(message, answer));
    this.#bytes.set(message, made);
    return made;
  }

  /** A session or a key may end while its holder is watching. */
  async #admitted(credential: Credential, { keys }: LivePorts): Promise<boolean> {
    switch (credential.kind) {
      case 'key':
        return typeof (await keys.find(credential.hash)) !== 'string';
      case 'session':
        return this.#ports.sessions.isOpen(credential.token);
      case 'local':
        return true;
    }
  }
}

const full = (): ProblemError =>
  new ProblemError(problemOf('overloaded', `${MOST_WATCHERS} watch already.`), { 'retry-after': '5' });

function readQuery(query: Query, { headers }: FastifyRequest) {
  const errors = mistakenParameters(['userId', 'metric', 'after'], query);
  const text = (name: string): string | null => {
    const value = query[name];
    if (value === undefined || value === '') return null;
    if (typeof value === 'string' && value.length <= 1_020) return value;
    errors.push({ path: name, message: 'must be given once, and be a text' });
    return null;
  };
  const userId = text('userId');
  const metric = text('metric');
  const given = text('after');
  const header = headers['last-event-id'];
  const cursor = typeof header === 'string' && header !== '' ? header : given;
  const after = cursor === null ? null : LIVE_CURSOR.read(cursor);
  if (cursor !== null && after === null)
    errors.push({ path: 'after', message: 'must be the `id` of a message of this route' });
  if (errors.length > 0) throw new ProblemError(invalidRequest(errors));
  return { userId, metric, after };
}

/** Only messages with events have an id: a reconnecting browser names the last one that it received. */
function textOf(message: LiveMessage, answer: LivePorts['answer']): string {
  switch (message.kind) {
    case 'quiet':
      return ':\n\n';
    case 'resync':
      return 'event: resync\ndata: {}\n\n';
    case 'events': {
      const { entries, skipped, position } = message;
      return `event: events\nid: ${LIVE_CURSOR.write(position)}\ndata: ${writeJson({ events: entries.map(answer), skipped })}\n\n`;
    }
  }
}
