import type { AreaName } from '@laurel/kernel';
import type { RebuildAnswer } from '@laurel/schemas';
import { CommandError, InterruptedError } from '../command-error.ts';
import { plainText } from '../plain-text.ts';
import type { ServiceConnection } from '../service/service-connection.ts';
import { RefusedError } from '../service/service-error.ts';
import type { OnProgress } from './rebuild-run.ts';

const LOOK_EVERY_MS = 500;

/**
 * Makes a running service rebuild, and waits until it is done.
 * @throws CommandError with exit code 2 if the rebuild is refused or fails; InterruptedError: it continues in the
 * service.
 */
export async function rebuildOnline(
  service: ServiceConnection,
  areas: readonly AreaName[],
  verify: boolean,
  onProgress: OnProgress,
): Promise<RebuildAnswer> {
  let rebuild = await start(service, areas, verify);
  try {
    while (rebuild.state === 'running') {
      onProgress(rebuild.applied, rebuild.head);
      await service.pause(LOOK_EVERY_MS);
      rebuild = await look(service, rebuild.id);
    }
  } catch (error) {
    throw leftGoing(error);
  }
  onProgress(rebuild.applied, rebuild.head);
  if (rebuild.state === 'failed')
    throw new CommandError(2, `the rebuild failed and nothing was changed: ${plainText(rebuild.error ?? '', 2_000)}`);
  return rebuild;
}

function start(service: ServiceConnection, areas: readonly AreaName[], verify: boolean): Promise<RebuildAnswer> {
  const body = { ...(areas.length > 0 && { areas: [...areas] }), ...(verify && { verify }) };
  return service.ask((client, settings) => client.POST('/admin/v1/rebuilds', { body, ...settings }));
}

const look = (service: ServiceConnection, id: string): Promise<RebuildAnswer> =>
  service.ask((client, settings) => client.GET('/admin/v1/rebuilds/{id}', { params: { path: { id } }, ...settings }));

function leftGoing(error: unknown): unknown {
  if (error instanceof InterruptedError)
    return new InterruptedError('the rebuild goes on in the service; laurel status shows how far it is');
  if (error instanceof RefusedError && error.code === 'unknown_rebuild')
    return new CommandError(2, 'the service was started anew during the rebuild, which ended it; nothing was changed');
  if (error instanceof CommandError)
    return new CommandError(
      error.exitCode,
      `${error.message}\nThe rebuild goes on as long as the service does; laurel status shows it.`,
    );
  return error;
}
