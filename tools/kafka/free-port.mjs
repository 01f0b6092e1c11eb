import { createServer } from 'node:net';

/**
 * A free port below the range that systems use for outgoing connections: while the broker is down, such a connection
 * could take its port, even that of a client that looks for the broker.
 */
export async function freePort() {
  for (;;) {
    const port = 15_000 + Math.floor(Math.random() * 15_000);
    if (await isFree(port)) return port;
  }
}

const isFree = (port) =>
  new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
