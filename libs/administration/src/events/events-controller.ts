import { Controller, Get, Inject, Query, Req, Res } from '@nestjs/common';
import {
  ProblemError,
  invalidRequest,
  writeJson,
  type Clock,
  type FactType,
  type LoggedEvent,
} from '@laurel/contracts';
import { Account, RequiresScope } from '@laurel/runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendStream, takesCloudEvents } from '../outcomes/send-stream.ts';
import type { StreamQuery, StreamRange } from '../outcomes/stream-query.ts';
import { ADMINISTRATION_PORTS, type AdministrationPorts, type LoggedEvents } from '../ports.ts';
import { cursorAt, readEventsQuery } from './events-query.ts';

/** How often the log is looked at for somebody who waits. */
const EVERY_MS = 500;

/** Callers that wait for events at a time; further ones are answered at once. */
const MOST_WAITING = 64;

/** The log in order, as it grows (specification, section 9.22). */
@Controller('admin/v1/events')
export class EventsController {
  readonly #events: LoggedEvents;
  readonly #clock: Clock;
  #waiting = 0;

  constructor(@Inject(ADMINISTRATION_PORTS) { events, clock }: Pick<AdministrationPorts, 'events' | 'clock'>) {
    this.#events = events;
    this.#clock = clock;
  }

  @Get()
  @RequiresScope('export')
  async read(
    @Account() account: string,
    @Query() query: StreamQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const asked = readEventsQuery(query);
    const after = asked.after ?? 0;
    if (after > 0 && after > (await this.#events.newest()))
      throw new ProblemError(invalidRequest([{ path: 'after', message: 'must not lie behind the newest event' }]));
    const { found, upTo } = await this.#found(account, { ...asked, after }, request);
    const write = takesCloudEvents(request) ? (event: LoggedEvent) => cloudEvent(account, event) : writeJson;
    await sendStream(request, reply, { items: found.map(write), cursor: cursorAt(upTo) });
  }

  async #found(
    account: string,
    { after, limit, types, waitMs }: StreamRange<FactType> & { readonly after: number },
    { raw }: FastifyRequest,
  ) {
    const until = this.#clock.elapsedMs() + waitMs;
    for (let from = after; ;) {
      const page = await this.#events.read(account, { after: from, limit, types });
      const leftMs = until - this.#clock.elapsedMs();
      const isOver = leftMs <= 0 || this.#waiting >= MOST_WAITING || raw.destroyed;
      if (page.found.length > 0 || page.more || isOver) return page;
      from = page.upTo;
      await this.#pause(Math.min(EVERY_MS, leftMs), raw);
    }
  }

  /** Ends earlier if the caller goes. */
  async #pause(ms: number, raw: FastifyRequest['raw']): Promise<void> {
    this.#waiting += 1;
    let done: () => void = () => undefined;
    const over = new Promise<void>((resolve) => (done = resolve));
    const cancel = this.#clock.after(ms, done);
    raw.once('close', done);
    try {
      await over;
    } finally {
      this.#waiting -= 1;
      cancel();
      raw.off('close', done);
    }
  }
}

function cloudEvent(account: string, event: LoggedEvent): string {
  const { id, type, timestamp: time, userId } = event;
  return writeJson({
    ...{ specversion: '1.0', id, source: `/accounts/${account}`, type: `laurel.recorded.${type}.v1` },
    ...(userId !== null && { subject: userId }),
    ...{ time, datacontenttype: 'application/json', data: event },
  });
}
