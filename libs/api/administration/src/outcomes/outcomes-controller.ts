import { Controller, Inject, Res } from '@nestjs/common';
import type { Clock } from '@laurel/ports';
import { ProblemError, problemOf, operations } from '@laurel/schemas';
import { cloudEventOf, type Outcome, type Outcomes } from '@laurel/outgoing';
import { type ApiCall, Call, invalidField, Route } from '@laurel/runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ADMINISTRATION_PORTS, type AdministrationPorts } from '../ports.ts';
import { AwaitedHead } from './awaited-head.ts';
import { readOutcomesQuery } from './outcomes-query.ts';
import { sendStream, takesCloudEvents } from './send-stream.ts';
import type { StreamRange } from './stream-query.ts';

const ELSEWHERE = problemOf(
  'not_in_this_topology',
  'No process of this installation makes outcomes: LAUREL_OUTGOING_URL is not set.',
);

/** Reads outcomes in order, as they arrive (specification, section 9.21). */
@Controller()
export class OutcomesController {
  readonly #outcomes: Outcomes | null;
  readonly #clock: Clock;
  readonly #awaited: AwaitedHead | null;

  constructor(@Inject(ADMINISTRATION_PORTS) { outcomes, clock }: Pick<AdministrationPorts, 'outcomes' | 'clock'>) {
    this.#outcomes = outcomes;
    this.#clock = clock;
    this.#awaited =
      outcomes &&
      new AwaitedHead(
        {
          newest: (account) => outcomes.newest(account),
          onGrown: (listener) => outcomes.onWritten(listener),
        },
        clock,
      );
  }

  @Route(operations.readOutcomes)
  async read(@Call() { account, query, request }: ApiCall, @Res() reply: FastifyReply): Promise<void> {
    const outcomes = this.#outcomes;
    if (outcomes === null) throw new ProblemError(ELSEWHERE);
    const asked = readOutcomesQuery(query);
    const after = await cursorOf(outcomes, account, asked);
    const { found, cursor, newest } = await this.#found(outcomes, account, { ...asked, after }, request);
    const write = takesCloudEvents(request)
      ? (outcome: Outcome) => cloudEvent(account, outcome)
      : ({ body }: Outcome) => body;
    await sendStream(request, reply, { items: found.map(write), cursor: String(cursor), head: String(newest) });
  }

  async #found(
    outcomes: Outcomes,
    account: string,
    { after, until: end, limit, types, waitMs }: StreamRange & { readonly after: number },
    { raw }: FastifyRequest,
  ) {
    const until = this.#clock.elapsedMs() + waitMs;
    for (;;) {
      const newest = await outcomes.newest(account);
      const read = await outcomes.read(account, { after, limit, types });
      const found = read.filter(({ sequence }) => sequence <= end);
      const last = found.at(-1)?.sequence ?? after;
      const leftMs = found.length > 0 || newest >= end ? 0 : until - this.#clock.elapsedMs();
      if (!(await this.#awaited?.wait(account, newest, leftMs, raw)))
        return { found, newest, cursor: found.length === limit ? last : Math.max(last, Math.min(newest, end)) };
    }
  }
}

/** @throws ProblemError 410 if outcomes after the cursor are deleted; 422 if the cursor is not reached yet */
async function cursorOf(outcomes: Outcomes, account: string, { after }: StreamRange): Promise<number> {
  const oldest = (await outcomes.oldest(account)) - 1;
  if (after === null) return oldest;
  if (after < oldest)
    throw new ProblemError(
      problemOf(
        'cursor_expired',
        `Outcomes behind cursor ${after} are not kept any more; the oldest cursor is ${oldest}.`,
      ),
    );
  const newest = await outcomes.newest(account);
  if (after > newest) throw invalidField('after', `must not lie behind the newest, ${newest}`);
  return after;
}

/** The stored body in an envelope. */
function cloudEvent(account: string, outcome: Outcome): string {
  return `${JSON.stringify(cloudEventOf(account, outcome)).slice(0, -1)},"data":${outcome.body}}`;
}
