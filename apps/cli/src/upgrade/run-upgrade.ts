import { upgradeStopped } from '@laurel/rebuild';
import { LogInUseError } from '@laurel/event-store';
import type { CommandContext } from '../command-context.ts';
import { CommandError, InterruptedError } from '../command-error.ts';
import { withDatabase } from '../offline/open-database.ts';
import { print } from '../terminal/print.ts';
import { duration, showProgress } from '../terminal/progress.ts';

/**
 * @throws CommandError with exit code 2 while a service writes to the database; InterruptedError: run it again to
 * continue.
 */
export async function upgrade(context: CommandContext): Promise<void> {
  const { clock, interrupted, stderr, stdout } = context;
  const startedAtMs = clock.elapsedMs();
  const progress = showProgress(stderr, clock);
  const show = (done: string) => (position: number, last: number) => {
    if (interrupted.aborted) throw new InterruptedError('the upgrade was broken off; run it again, it goes on');
    progress.update(last === 0 ? 1 : Math.min(1, position / last), `${done} up to position ${position} of ${last}`);
  };
  const applied = await withDatabase(context, (connection) =>
    upgradeStopped(connection, { onMoved: show('moved'), onApplied: show('applied') }).catch(explainWriter),
  ).finally(() => progress.stop());
  const took = duration(clock.elapsedMs() - startedAtMs);
  await print(
    stdout,
    applied === null
      ? 'there is nothing to upgrade: the data has the form of this release\n'
      : `upgraded: the log was moved, and applied again up to position ${applied}, in ${took}\n`,
  );
}

function explainWriter(error: unknown): never {
  throw error instanceof LogInUseError ? new CommandError(2, 'a service runs on this database: stop it first') : error;
}
