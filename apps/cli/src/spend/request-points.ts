import type { CommandContext } from '../command-context.ts';
import { CommandError } from '../command-error.ts';
import { plainText } from '../plain-text.ts';
import { connectService, TURNED_AWAY, type Request, type ServiceConnection } from '../service/service-connection.ts';
import { noSuchUser, noteIfDone, RefusedError, refusedAs } from '../service/service-error.ts';
import type { AnswerOptions } from '../service/service-options.ts';
import { printAnswer } from '../terminal/print-answer.ts';

export interface RequestOptions extends AnswerOptions {
  readonly key: string;
  readonly reason?: string;
}

export interface SpendOptions extends RequestOptions {
  readonly reference?: string;
}

interface Spend {
  readonly user: string;
  readonly system: string;
  readonly amount: number;
}

interface Refund {
  readonly user: string;
  readonly spend: string;
  /** Absent: what is left. */
  readonly amount: number | undefined;
}

/** The fields of the answer that the commands print. */
interface Moved {
  readonly eventId: string;
  readonly points: Readonly<Record<string, { readonly total: number }>>;
  readonly idempotentReplayed: boolean;
}

/** Sets the exit code 1 if the user has too few points. */
export async function spendPoints(
  { user, system, amount }: Spend,
  options: SpendOptions,
  context: CommandContext,
): Promise<void> {
  const { key, reason, reference } = options;
  const params = { path: { id: user, key: system }, header: { 'Idempotency-Key': key } };
  const body = { amount, ...(reason !== undefined && { reason }), ...(reference !== undefined && { reference }) };
  const asked = request(await connectService(options, context), user, (client, settings) =>
    client.POST('/v1/users/{id}/points/{key}/spend', { params, body, ...settings }),
  );
  await printDecision(asked, { options, context }, (answer) => [
    `${recorded(answer)}: ${plainText(user)} spent ${answer.spent} ${plainText(system)}, total ${answer.points[system]?.total}`,
  ]);
}

/** Sets the exit code 1 if less is left of the spend. */
export async function refundSpend(
  { user, spend, amount }: Refund,
  options: RequestOptions,
  context: CommandContext,
): Promise<void> {
  const { key, reason } = options;
  const service = await connectService(options, context);
  const system = await systemOf(service, spend);
  const params = { path: { id: user, key: system, eventId: spend }, header: { 'Idempotency-Key': key } };
  const body = { ...(amount !== undefined && { amount }), ...(reason !== undefined && { reason }) };
  const asked = request(service, user, (client, settings) =>
    client.POST('/v1/users/{id}/points/{key}/spends/{eventId}/refund', { params, body, ...settings }),
  ).catch(noSuchSpend(spend));
  await printDecision(asked, { options, context }, (answer) => [
    `${recorded(answer)}: ${plainText(user)} got ${answer.refunded} ${plainText(system)} back, total ${answer.points[system]?.total}`,
  ]);
}

/** The points system of a spend, from what the request caused. @throws CommandError if the event is no spend, or undecided */
async function systemOf(service: ServiceConnection, spend: string): Promise<string> {
  const { type, caused } = await service
    .ask((client, settings) =>
      client.GET('/admin/v1/events/{eventId}', { params: { path: { eventId: spend } }, ...settings }),
    )
    .catch(refusedAs('unknown_event', noSpend(spend)));
  if (type !== 'SpendRequested') throw new CommandError(2, noSpend(spend));
  const decided = caused.flatMap(({ effects }) => effects).find((effect) => effect.type.startsWith('Request'));
  if (typeof decided?.['pointsSystem'] === 'string') return decided['pointsSystem'];
  throw new CommandError(2, 'the spend is not decided yet, so it cannot be refunded; run the command again later');
}

const noSpend = (spend: string): string => `there is no spend ${plainText(spend)} of this user`;
const noSuchSpend = (spend: string) => refusedAs('unknown_spend', noSpend(spend));

const RETRIED = new Set([...TURNED_AWAY, 'outcome_unknown', 'spend_undecided', 'refund_undecided'] as const);

/** Every request has a key, so one that may have been carried out is repeated as well. */
const request = <Answer>(
  service: ServiceConnection,
  user: string,
  call: Request<{ readonly data?: Answer; readonly error?: unknown; readonly response: Response }>,
) =>
  service
    .ask(call, { retryOn: RETRIED })
    .catch(noteIfDone('Run it again with the same --key: it moves no points twice.'))
    .catch(noSuchUser(user));

const recorded = ({ eventId, idempotentReplayed }: Moved): string =>
  `${idempotentReplayed ? 'already recorded' : 'recorded'} ${plainText(eventId)}`;

interface Printing {
  readonly options: AnswerOptions;
  readonly context: CommandContext;
}

/** Prints the answer; of a refusal that was recorded the problem. */
async function printDecision<Answer>(
  asked: Promise<Answer>,
  { options, context }: Printing,
  linesOf: (answer: Answer) => readonly string[],
): Promise<void> {
  try {
    await printAnswer(context, options, await asked, linesOf);
  } catch (error) {
    if (!(error instanceof RefusedError) || !REFUSALS.has(error.code) || error.problem === null) throw error;
    context.setExitCode(1);
    await printAnswer(context, options, error.problem, refusalLines);
  }
}

const REFUSALS: ReadonlySet<RefusedError['code']> = new Set(['insufficient_points', 'already_refunded']);

const refusalLines = (problem: NonNullable<RefusedError['problem']>): readonly string[] => [
  `refused ${plainText(problem.eventId ?? '')}: ${plainText(problem.detail)}`,
];
