import type { CorrectionPreviewAnswer } from '@laurel/schemas';
import type { CommandContext } from '../command-context.ts';
import { CommandError, InterruptedError } from '../command-error.ts';
import { isConfirmed, STDIN, type Answerer } from '../terminal/terminal-question.ts';
import { plainText } from '../plain-text.ts';
import { connectService, type ServiceConnection } from '../service/service-connection.ts';
import { OutcomeUnknownError, RefusedError } from '../service/service-error.ts';
import type { AnswerOptions } from '../service/service-options.ts';
import { jsonLine } from '../terminal/plain-json.ts';
import { print } from '../terminal/print.ts';

export interface CorrectOptions extends AnswerOptions {
  readonly reason: string;
  readonly keepAchievements?: true;
  readonly changeFinalRuns?: true;
  readonly yes?: true;
  readonly preview?: string;
  readonly idempotencyKey?: string;
}

export interface AmendOptions extends CorrectOptions {
  readonly value?: number;
  readonly occurredAt?: string;
  readonly tz?: string;
}

interface Correction {
  readonly eventId: string;
  readonly retract?: true;
  readonly value?: number;
  readonly occurredAt?: string;
  readonly tz?: string;
}

export const retractEvents = (
  events: readonly string[],
  options: CorrectOptions,
  context: CommandContext,
  answerer?: Answerer,
): Promise<void> =>
  correct(
    events.map((eventId) => ({ eventId, retract: true })),
    options,
    context,
    answerer,
  );

export function amendEvents(
  events: readonly string[],
  options: AmendOptions,
  context: CommandContext,
  answerer?: Answerer,
): Promise<void> {
  const { value, occurredAt, tz } = options;
  const change = {
    ...(value !== undefined && { value }),
    ...(occurredAt !== undefined && { occurredAt }),
    ...(tz !== undefined && { tz }),
  };
  if (Object.keys(change).length === 0) throw new CommandError(2, 'amend needs --value, --occurred-at or --tz');
  return correct(
    events.map((eventId) => ({ eventId, ...change })),
    options,
    context,
    answerer,
  );
}

/**
 * Shows the preview first, and then carries out exactly that preview. Its id is the idempotency key unless the caller
 * gives one, so that the request can be repeated safely.
 */
async function correct(
  corrections: Correction[],
  options: CorrectOptions,
  context: CommandContext,
  answerer: Answerer = STDIN,
): Promise<void> {
  const { reason } = options;
  const service = await connectService(options, context);
  const request: Request = {
    corrections,
    ...(options.keepAchievements && { achievements: 'keep' }),
    ...(options.changeFinalRuns && { finalRuns: 'change' }),
  };
  const preview = options.preview ?? (await confirmedPreview(service, request, options, { context, answerer }));
  const key = options.idempotencyKey ?? preview;
  const answer = await service
    .ask((client, settings) =>
      client.POST('/admin/v1/corrections', {
        params: { header: { 'Idempotency-Key': key } },
        body: { ...request, preview, reason },
        ...settings,
      }),
    )
    .catch((error: unknown) => {
      throw error instanceof CommandError ? withProgress(error, preview, options) : error;
    });
  const said = answer.idempotentReplayed === true ? 'already recorded' : 'recorded';
  const lines = answer.corrections.map(
    ({ userId, eventId }) => `${said} ${plainText(eventId)} for ${nameOf(userId)}\n`,
  );
  await print(context.stdout, options.json ? jsonLine(answer) : lines.join(''));
}

interface Conversation {
  readonly context: CommandContext;
  readonly answerer: Answerer;
}

interface Request {
  readonly corrections: Correction[];
  readonly achievements?: 'keep';
  readonly finalRuns?: 'change';
}

/** @returns the id of the preview, once it is shown and confirmed */
async function confirmedPreview(
  service: ServiceConnection,
  body: Request,
  { json, yes }: CorrectOptions,
  { context, answerer }: Conversation,
): Promise<string> {
  const { id, users } = await service.ask((client, settings) =>
    client.POST('/admin/v1/corrections/previews', { body, ...settings }),
  );
  if (!json) await print(context.stdout, users.map(userText).join(''));
  if (yes) return id;
  if (!answerer.isTerminal)
    throw new CommandError(
      2,
      'nothing was corrected: there is no terminal to ask on; check the changes, then give --yes',
    );
  if (!(await isConfirmed('Correct that?', answerer, context))) throw new CommandError(1, 'nothing was corrected');
  return id;
}

/** Refusals after which the same command may continue later. */
const RESUMABLE: ReadonlySet<RefusedError['code']> = new Set<RefusedError['code']>([
  'rate_limited',
  'overloaded',
  'unavailable',
  'starting',
  'outcome_unknown',
  'state_damaged',
  'internal',
]);

function withProgress(error: CommandError, preview: string, { idempotencyKey }: CorrectOptions): CommandError {
  const problem = error instanceof RefusedError ? error.problem : null;
  const { corrected = [], uncorrected = [] } = problem ?? {};
  const named = (users: readonly (string | null)[]): string => users.map(nameOf).join(', ');
  const isResumable =
    error instanceof OutcomeUnknownError ||
    error instanceof InterruptedError ||
    (error instanceof RefusedError && RESUMABLE.has(error.code));
  const lines = [
    error.message,
    ...(corrected.length === 0 ? [] : [`corrected: ${named(corrected.map(({ userId }) => userId))}`]),
    ...(uncorrected.length === 0 ? [] : [`not corrected: ${named(uncorrected)}`]),
    ...(isResumable ? [`To go on, give the same command with --preview ${plainText(preview)}`] : []),
    ...(isResumable && idempotencyKey !== undefined ? ['and the same --idempotency-key'] : []),
  ];
  return new CommandError(error.exitCode, lines.filter((line) => line !== '').join('\n'));
}

type Previewed = CorrectionPreviewAnswer['users'][number];

function userText({ userId, events, metrics, points, achievements, streak, runs }: Previewed): string {
  const { before, after } = streak;
  const lines = [
    `${nameOf(userId)}, ${events} ${events === 1 ? 'event' : 'events'}`,
    ...metrics.map((one) => `  ${plainText(one.metric)} ${one.before} -> ${one.after}`),
    ...points.map((one) => `  ${plainText(one.pointsSystem)} ${pointsText(one.before)} -> ${pointsText(one.after)}`),
    ...achievements.map(({ achievement, change }) => `  ${plainText(achievement)} ${change}`),
    ...(before.length === after.length ? [] : [`  streak ${before.length} -> ${after.length}`]),
    ...(before.freezes === after.freezes ? [] : [`  freezes ${before.freezes} -> ${after.freezes}`]),
    ...runs.map(
      (run) => `  ${plainText(run.board)} run ${plainText(run.start)}${run.final ? ' (final)' : ''} ${runText(run)}`,
    ),
  ];
  return `${lines.length === 1 ? `${lines[0]}: nothing changes` : lines.join('\n')}\n`;
}

function runText({ stays, before, after, reachedAt }: Previewed['runs'][number]): string {
  const value = `${before ?? '-'} -> ${after ?? '-'}`;
  const change = before === after ? `${after}, reached ${reachedAt.before} -> ${reachedAt.after}` : value;
  return stays ? `stays; with --change-final-runs ${change}` : change;
}

const pointsText = ({ total, level }: Previewed['points'][number]['before']): string =>
  level === null ? String(total) : `${total} (${plainText(level)})`;

const nameOf = (userId: string | null): string => (userId === null ? 'an erased user' : plainText(userId));
