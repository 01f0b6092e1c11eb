import type { GrantToManyAnswer } from '@laurel/schemas';
import type { CommandContext } from '../command-context.ts';
import { plainText } from '../plain-text.ts';
import { connectService } from '../service/service-connection.ts';
import type { AnswerOptions } from '../service/service-options.ts';
import { counted } from '../terminal/counted.ts';
import { jsonLine } from '../terminal/plain-json.ts';
import { print } from '../terminal/print.ts';

export interface ExcuseAllOptions extends AnswerOptions {
  readonly reason: string;
  readonly idempotencyKey: string;
}

interface Body {
  readonly kind: 'excused';
  readonly from: string;
  readonly to: string;
  readonly reason: string;
  readonly after?: string;
}

/** Interval of progress lines. */
const LINE_EVERY_MS = 2_000;

/**
 * Excuses one page of users after the other. The key makes it safe to repeat each request. Sets exit code 1 if the
 * grant failed for a user.
 */
export async function excuseEverybody(
  dates: { readonly from: string; readonly to: string },
  { reason, idempotencyKey, json, ...options }: ExcuseAllOptions,
  context: CommandContext,
): Promise<void> {
  const service = await connectService(options, context);
  const params = { header: { 'Idempotency-Key': idempotencyKey } };
  const sums = { recorded: 0, replayed: 0, failed: 0 };
  let after: string | null = null;
  let shownMs = context.clock.elapsedMs();
  do {
    const body: Body = { kind: 'excused', ...dates, reason, ...(after !== null && { after }) };
    const { recorded, replayed, issues, next }: GrantToManyAnswer = await service.ask((client, settings) =>
      client.POST('/admin/v1/grants', { params, body, ...settings }),
    );
    sums.recorded += recorded;
    sums.replayed += replayed;
    sums.failed += issues.length;
    for (const { userId, reason: why } of issues)
      await print(context.stderr, `${plainText(userId)}: ${plainText(why)}\n`);
    after = next;
    if (after === null || context.clock.elapsedMs() - shownMs < LINE_EVERY_MS) continue;
    shownMs = context.clock.elapsedMs();
    await print(context.stderr, `${counted(sums.recorded + sums.replayed, 'user')}, up to ${plainText(after)}\n`);
  } while (after !== null);
  const { recorded, replayed, failed } = sums;
  const said = `excused for ${counted(recorded, 'user')}, ${replayed} had it already, ${failed} got nothing\n`;
  await print(context.stdout, json ? jsonLine(sums) : said);
  if (failed > 0) context.setExitCode(1);
}
