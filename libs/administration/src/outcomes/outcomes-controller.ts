import { Controller, Get, Inject, Query, Req, Res } from '@nestjs/common';
import { ProblemError, invalidRequest, problemOf, type Clock } from '@laurel/contracts';
import { cloudEventOf, type Outcome, type Outcomes } from '@laurel/outgoing';
import { Account, RequiresScope } from '@laurel/runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ADMINISTRATION_PORTS, type AdministrationPorts } from '../ports.ts';
import { readOutcomesQuery } from './outcomes-query.ts';
import { sendStream, takesCloudEvents } from './send-stream.ts';
import type { StreamQuery, StreamRange } from './stream-query.ts';

const ELSEWHERE = problemOf(
  'not_in_this_topology',
  'No process of this installation makes outcomes: LAUREL_OUTGOING_URL is not set.',
);

/** Callers that wait for outcomes at a time; further ones are answered at once. */
const MOST_WAITING = 64;

/** Outcomes in order, as they come (specification, section 9.21). */
@Controller('admin/v1/outcomes')
export class OutcomesController {
  readonly #outcomes: Outcomes | null;
  readonly #clock: Clock;
  #waiting = 0;

  constructor(@Inject(ADMINISTRATION_PORTS) { outcomes, clock }: Pick<AdministrationPorts, 'outcomes' | 'clock'>) {
    this.#outcomes = outcomes;
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
    const outcomes = this.#outcomes;
    if (outcomes === null) throw new ProblemError(ELSEWHERE);
    const asked = readOutcomesQuery(query);
    const after = await cursorOf(outcomes, account, asked);
    const { found, cursor } = await this.#found(outcomes, account, { ...asked, after }, request);
    const write = takesCloudEvents(request)
      ? (outcome: Outcome) => cloudEvent(account, outcome)
      : ({ body }: Outcome) => body;
    await sendStream(request, reply, { items: found.map(write), cursor: String(cursor) });
  }

  async #found(
    outcomes: Outcomes,
    account: string,
    { after, limit, types, waitMs }: StreamRange & { readonly after: number },
    { raw }: FastifyRequest,
  ) {
    const until = this.#clock.elapsedMs() + waitMs;
    for (;;) {
      const written = this.#written(outcomes, raw, until);
      try {
        const newest = await outcomes.newest(account);
        const found = await outcomes.read(account, { after, limit, types });
        const last = found.at(-1)?.sequence ?? after;
        if (found.length > 0 || written === null || raw.destroyed)
          return { found, cursor: found.length === limit ? last : Math.max(last, newest) };
        await written.come;
      } finally {
        written?.end();
      }
    }
  }

  /** What comes when outcomes are written, the time is over or the caller is gone; null: nobody is to wait. */
  #written(outcomes: Outcomes, raw: FastifyRequest['raw'], until: number) {
    const ms = until - this.#clock.elapsedMs();
    if (ms <= 0 || this.#waiting >= MOST_WAITING) return null;
    this.#waiting += 1;
    let done: () => void = () => undefined;
    const come = new Promise<void>((resolve) => (done = resolve));
    const ends = [outcomes.onWritten(done), this.#clock.after(ms, done)];
    raw.once('close', done);
    const end = () => {
      this.#waiting -= 1;
      for (const stop of ends) stop();
      raw.off('close', done);
    };
    return { come, end };
  }
}

/** @throws ProblemError 410 if what comes behind is not kept any more; 422 if there is no such cursor yet */
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
  if (after > newest)
    throw new ProblemError(invalidRequest([{ path: 'after', message: `must not lie behind the newest, ${newest}` }]));
  return after;
}

/** The body as it is stored, within an envelope. */
function cloudEvent(account: string, outcome: Outcome): string {
  return `${JSON.stringify(cloudEventOf(account, outcome)).slice(0, -1)},"data":${outcome.body}}`;
}
