import type { AreaName } from '@laurel/kernel';
import type { CommandContext } from '../command-context.ts';
import { plainText } from '../plain-text.ts';
import { connectIfRunning } from '../service/service-connection.ts';
import type { AnswerOptions } from '../service/service-options.ts';
import { jsonLine } from '../terminal/plain-json.ts';
import { print } from '../terminal/print.ts';
import { duration, showProgress } from '../terminal/progress.ts';
import { rebuildOnline } from './rebuild-online.ts';
import { recordsText, type FinishedRebuild, type OnProgress } from './rebuild-run.ts';

export interface RebuildOptions extends AnswerOptions {
  /** Only compares, without taking over. */
  readonly verify?: true;
}

export async function rebuild(
  areas: readonly AreaName[],
  options: RebuildOptions,
  context: CommandContext,
): Promise<void> {
  const verify = options.verify === true;
  const startedAtMs = context.clock.elapsedMs();
  const progress = showProgress(context.stderr, context.clock);
  const onProgress: OnProgress = (applied, head) =>
    progress.update(head === 0 ? 1 : Math.min(1, applied / head), recordsText(applied, head));
  let finished: FinishedRebuild;
  try {
    const service = await connectIfRunning(options, context);
    finished = service
      ? await rebuildOnline(service, areas, verify, onProgress)
      : await (await import('./rebuild-offline.ts')).rebuildOffline(context, areas, verify, onProgress);
  } finally {
    progress.stop();
  }
  const took = duration(context.clock.elapsedMs() - startedAtMs);
  if (finished.differences.length > 0) context.setExitCode(1);
  await print(context.stdout, options.json ? jsonLine(finished) : report(finished, took));
}

function report({ areas, applied, verify, differences }: FinishedRebuild, took: string): string {
  const upTo = `the log was applied again up to position ${applied} in ${took}`;
  if (!verify) return `rebuilt ${areas.join(', ')}: ${upTo}\n`;
  if (differences.length === 0) return `verified ${areas.join(', ')}: ${upTo}, and nothing differs\n`;
  return [...differences.map(line), ''].join('\n');
}

const MOST_CHARACTERS = 1_000;

function line({ table, userId, stored, expected }: FinishedRebuild['differences'][number]): string {
  const whose = userId === null ? '' : `, first of user ${JSON.stringify(userId)}`;
  return plainText(
    `${table} differs${whose}: stored ${stored ?? 'nothing'}, expected ${expected ?? 'nothing'}`,
    MOST_CHARACTERS,
  );
}
