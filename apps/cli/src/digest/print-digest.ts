import type { DigestAnswer } from '@laurel/schemas';
import type { CommandContext } from '../command-context.ts';
import { connectIfRunning } from '../service/service-connection.ts';
import type { AnswerOptions, ServiceOptions } from '../service/service-options.ts';
import { printAnswer } from '../terminal/print-answer.ts';
import { printLines } from '../terminal/print.ts';
import { differences, readDigest } from './compare-digests.ts';
import { digestLines } from './digest-lines.ts';

export interface DigestOptions extends AnswerOptions {
  readonly compare?: string;
}

export async function printDigest(options: DigestOptions, context: CommandContext): Promise<void> {
  const earlier = options.compare === undefined ? null : await readDigest(options.compare);
  const digest = await takeDigest(options, context);
  await printAnswer(context, options, digest, digestLines);
  if (earlier === null) return;
  const { notes, differing } = differences(earlier, digest);
  await printLines(context.stderr, [...notes, ...differing]);
  if (differing.length > 0) context.setExitCode(1);
}

/** Asks the service, or reads its database while it is stopped. */
async function takeDigest(options: ServiceOptions, context: CommandContext): Promise<DigestAnswer> {
  const service = await connectIfRunning(options, context);
  if (service !== null)
    return service.ask((client, settings) => client.GET('/admin/v1/digest', settings), { limitMs: null });
  const { digestOffline } = await import('./digest-offline.ts');
  return digestOffline(context);
}
