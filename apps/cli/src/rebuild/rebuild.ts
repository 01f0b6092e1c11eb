import type { AreaName } from '@laurel/contracts';
import type { CommandContext } from '../command-context.ts';
import { connectIfRunning } from '../service/service-connection.ts';
import type { ServiceOptions } from '../service/service-options.ts';
import { jsonLine } from '../terminal/plain-json.ts';
import { print } from '../terminal/print.ts';
import { duration, showProgress } from '../terminal/progress.ts';
import { rebuildOnline } from './rebuild-online.ts';
import { recordsText, type FinishedRebuild, type OnProgress } from './rebuild-run.ts';

export interface RebuildOptions extends ServiceOptions {
  readonly json?: true;
}

export async function rebuild(
  areas: readonly AreaName[],
  options: RebuildOptions,
  context: CommandContext,
): Promise<void> {
  const startedAtMs = context.clock.elapsedMs();
  const progress = showProgress(context.stderr, context.clock);
  const onProgress: OnProgress = (applied, head) =>
    progress.update(head === 0 ? 1 : Math.min(1, applied / head), recordsText(applied, head));
  let finished: FinishedRebuild;
  try {
    const service = await connectIfRunning(options, context);
    finished = service
      ? await rebuildOnline(service, areas, onProgress)
      : await (await import('./rebuild-offline.ts')).rebuildOffline(context, areas, onProgress);
  } finally {
    progress.stop();
  }
  const took = duration(context.clock.elapsedMs() - startedAtMs);
  await print(context.stdout, options.json ? jsonLine(finished) : `${sentence(finished)} in ${took}\n`);
}

const sentence = ({ areas, applied }: FinishedRebuild): string =>
  `rebuilt ${areas.join(', ')}: the log was applied again up to position ${applied}`;
