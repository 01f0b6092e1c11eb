import { Controller, Inject, Res } from '@nestjs/common';
import type { DomainEventType } from '@laurel/kernel';
import type { Clock } from '@laurel/ports';
import { writeJson, type LoggedEvent, operations } from '@laurel/schemas';
import { type ApiCall, Call, invalidField, Route } from '@laurel/runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AwaitedHead } from '../outcomes/awaited-head.ts';
import { sendStream, takesCloudEvents } from '../outcomes/send-stream.ts';
import type { StreamRange } from '../outcomes/stream-query.ts';
import { ADMINISTRATION_PORTS, type AdministrationPorts, type LoggedEvents } from '../ports.ts';
import { LOG_CURSOR, readEventsQuery } from './events-query.ts';

/** Reads the log in order, as it grows (specification, section 9.22). */
@Controller()
export class EventsController {
  readonly #events: LoggedEvents;
  readonly #clock: Clock;
  readonly #awaited: AwaitedHead;

  constructor(@Inject(ADMINISTRATION_PORTS) { events, clock }: Pick<AdministrationPorts, 'events' | 'clock'>) {
    this.#events = events;
    this.#clock = clock;
    this.#awaited = new AwaitedHead({ newest: () => events.newest() }, clock);
  }

  @Route(operations.readEvents)
  async read(@Call() { account, query, request }: ApiCall, @Res() reply: FastifyReply): Promise<void> {
    const asked = readEventsQuery(query);
    const after = asked.after ?? 0;
    const newest = await this.#events.newest();
    if (after > newest) throw invalidField('after', 'must not lie behind the newest event');
    const { found, upTo } = await this.#found(account, { ...asked, after }, request);
    const write = takesCloudEvents(request) ? (event: LoggedEvent) => cloudEvent(account, event) : writeJson;
    await sendStream(request, reply, {
      items: found.map(write),
      cursor: LOG_CURSOR.write(upTo),
      head: LOG_CURSOR.write(newest),
    });
  }

  async #found(
    account: string,
    { after, until: end, limit, types, waitMs }: StreamRange<DomainEventType> & { readonly after: number },
    { raw }: FastifyRequest,
  ) {
    const until = this.#clock.elapsedMs() + waitMs;
    for (let from = after; ;) {
      const page = await this.#events.read(account, { after: from, upTo: end, limit, types });
      const isAnswer = page.found.length > 0 || page.more || page.upTo >= end;
      const leftMs = isAnswer ? 0 : until - this.#clock.elapsedMs();
      if (!(await this.#awaited.wait(account, page.upTo, leftMs, raw))) return page;
      from = page.upTo;
    }
  }
}

function cloudEvent(account: string, event: LoggedEvent): string {
  const { id, type, timestamp: time, userId } = event;
  return writeJson({
    specversion: '1.0',
    id,
    source: `/accounts/${account}`,
    type: `laurel.recorded.${type}.v1`,
    ...(userId !== null && { subject: userId }),
    time,
    datacontenttype: 'application/json',
    data: event,
  });
}
