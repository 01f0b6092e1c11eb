import type { CommandContext } from '../command-context.ts';
import { CommandError } from '../command-error.ts';
import { isConfirmed, STDIN, type Answerer } from '../terminal/terminal-question.ts';
import { plainText } from '../plain-text.ts';
import { connectService, RATE_LIMITED, TURNED_AWAY } from '../service/service-connection.ts';
import type { ServiceOptions } from '../service/service-options.ts';
import { jsonLine } from '../terminal/plain-json.ts';
import { print } from '../terminal/print.ts';

export interface CorrectOptions extends ServiceOptions {
  readonly reason: string;
  readonly keepAchievements?: true;
  readonly changeFinalRuns?: true;
  readonly yes?: true;
  readonly idempotencyKey?: string;
  readonly json?: true;
}

export interface AmendOptions extends CorrectOptions {
  readonly value?: number;
  readonly occurredAt?: string;
}

interface Correction {
  readonly eventId: string;
  readonly retract?: true;
  readonly value?: number;
  readonly occurredAt?: string;
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
  const { value, occurredAt } = options;
  if (value === undefined && occurredAt === undefined)
    throw new CommandError(2, 'amend needs --value or --occurred-at');
  const change = { ...(value !== undefined && { value }), ...(occurredAt !== undefined && { occurredAt }) };
  return correct(
    events.map((eventId) => ({ eventId, ...change })),
    options,
    context,
    answerer,
  );
}

/** Shows the preview first; only what was shown is carried out. */
async function correct(
  corrections: Correction[],
  options: CorrectOptions,
  context: CommandContext,
  answerer: Answerer = STDIN,
): Promise<void> {
  const { reason, idempotencyKey: key } = options;
  const service = await connectService(options, context);
  const asked = {
    corrections,
    ...(options.keepAchievements && { achievements: 'keep' as const }),
    ...(options.changeFinalRuns && { finalRuns: 'change' as const }),
  };
  const preview = await service.ask((client, settings) =>
    client.POST('/admin/v1/corrections/previews', { body: asked, ...settings }),
  );
  if (!options.json) await print(context.stdout, preview.users.map(userText).join(''));
  if (!options.yes) {
    if (!answerer.isTerminal) throw new CommandError(2, 'nobody can answer: look at what changes, then give --yes');
    if (!(await isConfirmed('Correct that?', answerer, context))) throw new CommandError(1, 'nothing was corrected');
  }
  const answer = await service.ask(
    (client, settings) =>
      client.POST('/admin/v1/corrections', {
        params: { ...(key !== undefined && { header: { 'Idempotency-Key': key } }) },
        body: { ...asked, preview: preview.id, reason },
        ...settings,
      }),
    { retryOn: key === undefined ? RATE_LIMITED : TURNED_AWAY },
  );
  const said = answer.idempotentReplayed === true ? 'already recorded' : 'recorded';
  const lines = answer.corrections.map(
    ({ userId, eventId }) => `${said} ${plainText(eventId)} for ${nameOf(userId)}\n`,
  );
  await print(context.stdout, options.json ? jsonLine(answer) : lines.join(''));
}

/** What is shown of a previewed user. */
interface Previewed {
  readonly userId: string | null;
  readonly events: number;
  readonly metrics: readonly (Changed<number> & { readonly metric: string })[];
  readonly points: readonly (Changed<{ readonly total: number; readonly level: string | null }> & {
    readonly system: string;
  })[];
  readonly achievements: readonly { readonly achievement: string; readonly change: string }[];
  readonly streak: Changed<{ readonly length: number; readonly freezes: number }>;
  readonly runs: readonly (Changed<number | null> & {
    readonly board: string;
    readonly start: string;
    readonly final: boolean;
  })[];
}

interface Changed<Value> {
  readonly before: Value;
  readonly after: Value;
}

function userText({ userId, events, metrics, points, achievements, streak, runs }: Previewed): string {
  const { before, after } = streak;
  const lines = [
    `${nameOf(userId)}, ${events} ${events === 1 ? 'event' : 'events'}`,
    ...metrics.map((one) => `  ${plainText(one.metric)} ${one.before} -> ${one.after}`),
    ...points.map((one) => `  ${plainText(one.system)} ${pointsText(one.before)} -> ${pointsText(one.after)}`),
    ...achievements.map(({ achievement, change }) => `  ${plainText(achievement)} ${change}`),
    ...(before.length === after.length ? [] : [`  streak ${before.length} -> ${after.length}`]),
    ...(before.freezes === after.freezes ? [] : [`  freezes ${before.freezes} -> ${after.freezes}`]),
    ...runs.map(
      ({ board, start, final, ...run }) =>
        `  ${plainText(board)} run ${plainText(start)}${final ? ' (final)' : ''} ${run.before ?? '-'} -> ${run.after ?? '-'}`,
    ),
  ];
  return `${lines.length === 1 ? `${lines[0]}: nothing changes` : lines.join('\n')}\n`;
}

const pointsText = ({ total, level }: Previewed['points'][number]['before']): string =>
  level === null ? String(total) : `${total} (${plainText(level)})`;

const nameOf = (userId: string | null): string => (userId === null ? 'an erased user' : plainText(userId));
