import { Controller, Inject, Param, Query } from '@nestjs/common';
import { isUserId, ProblemError, UNKNOWN_USER, knownUser, type UserTimeline, operations } from '@laurel/schemas';
import { Account, Route } from '@laurel/runtime';
import { timelineEvent } from './answers/timeline-answer.ts';
import { QUERY_PORTS, type QueryPorts } from './ports.ts';
import { QueryParameters, type Query as QueryRecord } from './query-parameters.ts';

/** What was recorded about a user (specification, section 9.16). */
@Controller()
export class TimelineController {
  readonly #ports: QueryPorts;

  constructor(@Inject(QUERY_PORTS) ports: QueryPorts) {
    this.#ports = ports;
  }

  /** At most five statements a page. A user with events is known, so the profile is asked for only where there are none. */
  @Route(operations.listUserEvents)
  async list(@Account() account: string, @Param('id') id: string, @Query() query: QueryRecord): Promise<UserTimeline> {
    const subject = isUserId(id) ? await this.#ports.directory.find(account, id) : null;
    if (subject === null) throw new ProblemError(UNKNOWN_USER);
    const explain = await this.#ports.explain();
    const parameters = new QueryParameters(query);
    const limit = parameters.integer('limit', { min: 1, max: 50, fallback: 20 });
    const cursor = parameters.text('cursor');
    const before = cursor === null ? null : positionIn(cursor);
    if (before === undefined) parameters.refuse('cursor', 'must be `next` of a page of this route');
    parameters.check();
    const { entries, next } = await explain.timeline(account, subject, { before: before ?? null, limit });
    if (entries.length === 0) await knownUser(this.#ports, account, id);
    const history = this.#ports.configuration(account);
    return {
      events: entries.map((entry) => timelineEvent(entry, history)),
      next: next === null ? null : cursorBelow(next),
    };
  }
}

const cursorBelow = (position: number): string => Buffer.from(`timeline:${position}`).toString('base64url');

function positionIn(cursor: string): number | undefined {
  const [, digits] = /^timeline:(\d{1,16})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  return digits === undefined ? undefined : Number(digits);
}
