import { createServer } from 'node:net';

/**
 * Below the ports that systems give to outgoing connections: while the broker is down, one of those could take its port,
 * even the connection of a client that is looking for it.
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
