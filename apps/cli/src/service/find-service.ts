import { isSendableKey } from '@laurel/client';
import {
  dataFolders,
  localSocketPath,
  readEnvironment,
  withFormerFolder,
  type Environment,
} from '@laurel/runtime/surroundings';
import type { CommandContext } from '../command-context.ts';
import { CommandError } from '../command-error.ts';
import { plainText } from '../plain-text.ts';
import { probeSocket } from './probe-socket.ts';
import type { ServiceOptions } from './service-options.ts';

/** The address of a service, and the credentials. */
export type ServiceTarget =
  | { readonly type: 'socket'; readonly path: string }
  | { readonly type: 'http'; readonly url: string; readonly apiKey: string };

/** No service answers on this machine, according to the environment. */
export class NotRunningError extends CommandError {
  constructor(tried: readonly string[]) {
    super(
      2,
      `no running service was found; tried ${tried.map((path) => plainText(path)).join(' and ')}\n` +
        'If it runs, LAUREL_DATA_DIR must be as the service has it; reach one elsewhere with --url and --api-key.',
    );
  }
}

/** The socket exists but belongs to another user. */
class ForbiddenSocketError extends CommandError {
  constructor(path: string) {
    super(
      2,
      `${plainText(path)} may not be used by this user: run the command as the user of the service, or give --url and --api-key`,
    );
  }
}

/**
 * Uses HTTP if an address was given, otherwise the socket of the data folder: a key is sent only where the caller says,
 * never to any program that listens on a port of this machine.
 * @throws NotRunningError if nobody listens there; ForbiddenSocketError; CommandError with exit code 2 if the options
 * are wrong.
 */
export async function findService(options: ServiceOptions, context: CommandContext): Promise<ServiceTarget> {
  const { url, apiKey } = options;
  if (url !== undefined) return httpTarget(url, options, context);
  if (apiKey !== undefined)
    throw new CommandError(2, '--api-key needs --url: without an address the command uses the local socket and no key');
  return findSocket(readEnvironment(context.variables));
}

/** @throws CommandError with exit code 2 if the address or the key is invalid. */
function httpTarget(url: string, options: ServiceOptions, { variables }: CommandContext): ServiceTarget {
  const apiKey = (options.apiKey ?? variables['LAUREL_API_KEY'] ?? '').trim();
  checkUrl(url);
  if (apiKey === '') throw new CommandError(2, 'no API key: set LAUREL_API_KEY, or give --api-key');
  if (!isSendableKey(apiKey)) {
    const source = options.apiKey === undefined ? 'LAUREL_API_KEY' : '--api-key';
    throw new CommandError(2, `the API key of ${source} must have no control characters, such as a line break`);
  }
  return { type: 'http', url, apiKey };
}

function checkUrl(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new CommandError(2, `--url is no address that begins with http:// or https://: ${plainText(text)}`);
  if (url.username !== '' || url.password !== '')
    throw new CommandError(2, '--url may hold no user and no password: the key goes into LAUREL_API_KEY');
}

async function findSocket(environment: Environment): Promise<ServiceTarget> {
  const tried: string[] = [];
  for (const folder of dataFolders(environment).flatMap(withFormerFolder)) {
    const path = await localSocketPath(folder);
    switch (await probeSocket(path)) {
      case 'answers':
        return { type: 'socket', path };
      case 'forbidden':
        throw new ForbiddenSocketError(path);
      case 'silent':
        tried.push(path);
    }
  }
  throw new NotRunningError(tried);
}
