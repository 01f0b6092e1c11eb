import type { CommandContext } from '../command-context.ts';
import { plainText } from '../plain-text.ts';
import { connectService } from '../service/service-connection.ts';
import type { ServiceOptions } from '../service/service-options.ts';
import { counted } from '../terminal/counted.ts';
import { jsonLine } from '../terminal/plain-json.ts';
import { print } from '../terminal/print.ts';

export interface ExcuseAllOptions extends ServiceOptions {
  readonly reason: string;
  readonly idempotencyKey: string;
  readonly json?: true;
}

interface Body {
  readonly kind: 'excused';
  readonly from: string;
  readonly to: string;
  readonly reason: string;
  readonly after?: string;
}

interface Page {
  readonly recorded: number;
  readonly replayed: number;
  readonly issues: readonly { readonly userId: string; readonly reason: string }[];
  readonly next: string | null;
}

/** Between two lines about how far it has come. */
const LINE_EVERY_MS = 2_000;

/** A page of users after the other; every request may be made again, because of the key. Ends with 1 if somebody got nothing. */
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
    const { recorded, replayed, issues, next }: Page = await service.ask((client, settings) =>
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
