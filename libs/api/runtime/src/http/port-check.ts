import { once } from 'node:events';
import { createServer } from 'node:net';

/** The port cannot be opened; the message says what to change. */
export class PortError extends Error {
  override readonly name = 'PortError';
}

interface Place {
  readonly port: number;
  readonly host: string;
}

export function portRefusal({ code, message }: NodeJS.ErrnoException, { port, host }: Place): string {
  if (code === 'EADDRINUSE') return `port ${port} of ${host} is in use; set LAUREL_PORT to another`;
  return `cannot listen on port ${port} of ${host} (LAUREL_PORT, LAUREL_HOST): ${message}`;
}

/** Opens and closes the port. @throws PortError if it is in use, or not allowed. */
export async function checkPort(place: Place): Promise<void> {
  const server = createServer().listen(place.port, place.host);
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw new PortError(portRefusal(error, place), { cause: error });
  });
  server.close();
  await once(server, 'close');
}
