import type { CommandContext } from '../command-context.ts';
import { plainText } from '../plain-text.ts';
import {
  findService,
  ForbiddenSocketError,
  httpTarget,
  NotRunningError,
  type ServiceTarget,
} from '../service/find-service.ts';
import type { ServiceOptions } from '../service/service-options.ts';

/**
 * The service to import into: as for every command; if none has its socket here but LAUREL_API_KEY is set, the one at
 * LAUREL_PORT, which may be that of another data folder or of a container.
 */
export async function importTarget(options: ServiceOptions, context: CommandContext): Promise<ServiceTarget> {
  try {
    return await findService(options, context);
  } catch (error) {
    const unreachable = error instanceof NotRunningError || error instanceof ForbiddenSocketError;
    if (!unreachable || !context.variables['LAUREL_API_KEY']) throw error;
    const target = httpTarget(options, context);
    if (target.type === 'http') context.stderr.write(`no socket of a service here: trying ${plainText(target.url)}\n`);
    return target;
  }
}
