import { Controller } from '@nestjs/common';
import { isUserId, ProblemError, UNKNOWN_USER, knownUser, type UserTimeline, operations } from '@laurel/schemas';
import { Route } from '@laurel/runtime';
import { timelineEvent } from './answers/timeline-answer.ts';
import { TIMELINE_CURSOR } from './cursors.ts';
import { QueryParameters } from './query-parameters.ts';
import { Read, type ReadCall } from './read-call.ts';

/** A user's recorded events (specification, section 9.16). */
@Controller()
export class TimelineController {
  /**
   * Takes at most five statements per page. A user with events is known, so the profile is read only if there are none.
   */
  @Route(operations.listUserEvents)
  async list(@Read() { ports, account, path: { id }, query }: ReadCall<'id'>): Promise<UserTimeline> {
    const subject = isUserId(id) ? await ports.directory.find(account, id) : null;
    if (subject === null) throw new ProblemError(UNKNOWN_USER);
    const explain = await ports.explain();
    const parameters = new QueryParameters(query);
    const limit = parameters.integer('limit', { min: 1, max: 50, fallback: 20 });
    const before = parameters.cursor(TIMELINE_CURSOR);
    parameters.check();
    const { entries, next } = await explain.timeline(account, subject, { before, limit });
    if (entries.length === 0) await knownUser(ports, account, id);
    const history = ports.configuration(account);
    return {
      events: entries.map((entry) => timelineEvent(entry, history)),
      next: next === null ? null : TIMELINE_CURSOR.write(next),
    };
  }
}
