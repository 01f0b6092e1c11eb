import { formatInstant } from '@laurel/calendar';
import { rebuildStopped } from '@laurel/rebuild';
import type { AreaName } from '@laurel/kernel';
import { LogInUseError } from '@laurel/event-store';
import { createClock, readEnvironment } from '@laurel/runtime/surroundings';
import type { CommandContext } from '../command-context.ts';
import { CommandError, InterruptedError } from '../command-error.ts';
import { withDatabase } from '../offline/open-database.ts';
import type { FinishedRebuild, OnProgress } from './rebuild-run.ts';

/**
 * Rebuilds in the database of a stopped service.
 * @throws CommandError with exit code 2 while a service writes to it; NotRebuildableError, RebuildFailedError, InterruptedError:
 * nothing was changed.
 */
export function rebuildOffline(
  context: CommandContext,
  asked: readonly AreaName[],
  verify: boolean,
  onProgress: OnProgress,
): Promise<FinishedRebuild> {
  const clock = createClock(readEnvironment(context.variables).clock);
  return withDatabase(context, async (connection) => {
    const startedAt = formatInstant(clock.now());
    const onRead: OnProgress = (done, head) => {
      if (context.interrupted.aborted) throw new InterruptedError('the rebuild was given up; nothing was changed');
      onProgress(done, head);
    };
    const purpose = verify ? 'compare' : 'take over';
    const rebuilt = await rebuildStopped(connection, asked, { onProgress: onRead, purpose }).catch(explainWriter);
    const { areas, applied } = rebuilt;
    const differences = (rebuilt.differences ?? []).map(({ subject: _subject, ...difference }) => difference);
    const finishedAt = formatInstant(clock.now());
    return {
      id: null,
      areas: [...areas],
      state: 'done',
      verify,
      differences,
      applied,
      head: applied,
      startedAt,
      finishedAt,
      error: null,
    };
  });
}

function explainWriter(error: unknown): never {
  throw error instanceof LogInUseError
    ? new CommandError(
        2,
        'a service runs on this database, though its socket is not where it was looked for: rebuild through it with --url and --api-key, or stop it first',
      )
    : error;
}
