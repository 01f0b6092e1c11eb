import { AREAS, type AreaName } from '@laurel/contracts';
import { Argument, Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { withHelp } from '../help-text.ts';
import { connectIfRunning } from '../service/service-connection.ts';
import { withServiceOptions, type ServiceOptions } from '../service/service-options.ts';
import { jsonLine } from '../terminal/plain-json.ts';
import { print } from '../terminal/print.ts';
import { duration, showProgress } from '../terminal/progress.ts';
import { rebuildOffline } from './rebuild-offline.ts';
import { rebuildOnline } from './rebuild-online.ts';
import { recordsText, type FinishedRebuild, type OnProgress } from './rebuild-run.ts';

interface RebuildOptions extends ServiceOptions {
  readonly json?: true;
}

export const rebuildCommand = (context: CommandContext): Command =>
  withHelp(
    withServiceOptions(
      new Command('rebuild')
        .description(
          'Applies the event log again, from its first record on, and lets the areas take over what comes out.',
        )
        .addArgument(new Argument('[area...]', 'the areas to rebuild; all without any').choices(AREAS)),
    )
      .option('--json', 'the rebuild as GET /admin/v1/rebuilds/{id} shows it (default: a line)')
      .action((areas: AreaName[] | undefined, options: RebuildOptions) => rebuild(areas ?? [], options, context)),
    {
      notes: [
        'A running service goes on meanwhile, and Ctrl-C leaves the rebuild going.',
        'While the service is stopped, the command rebuilds in its database, and Ctrl-C leaves everything as it was;',
        '--json then prints the same fields, with null as the id.',
      ],
      examples: ['rebuild', 'rebuild points leaderboards'],
    },
  );

async function rebuild(areas: readonly AreaName[], options: RebuildOptions, context: CommandContext): Promise<void> {
  const startedAtMs = context.clock.elapsedMs();
  const progress = showProgress(context.stderr, context.clock);
  const onProgress: OnProgress = (applied, head) =>
    progress.update(head === 0 ? 1 : Math.min(1, applied / head), recordsText(applied, head));
  let finished: FinishedRebuild;
  try {
    const service = await connectIfRunning(options, context);
    finished = service
      ? await rebuildOnline(service, areas, onProgress)
      : await rebuildOffline(context, areas, onProgress);
  } finally {
    progress.stop();
  }
  const took = duration(context.clock.elapsedMs() - startedAtMs);
  await print(context.stdout, options.json ? jsonLine(finished) : `${sentence(finished)} in ${took}\n`);
}

const sentence = ({ areas, applied }: FinishedRebuild): string =>
  `rebuilt ${areas.join(', ')}: the log was applied again up to position ${applied}`;
