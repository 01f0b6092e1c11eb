// The servers that the images are run against, each ended with this process.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { startKafka } from '../kafka/start-kafka.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/**
 * The embedded Postgres of an image, on a TCP port: its socket is for its own account only.
 * @returns {Promise<{ address: string, password: string, stop: () => Promise<void> }>}
 */
export async function startPostgres(image, dataDir) {
  const library = join(image.root, image.workdir, 'libs/embedded-postgres/dist/index.js');
  const { startEmbeddedPostgres } = await import(pathToFileURL(library).href);
  const server = await startEmbeddedPostgres({ dataDir, unsafeForTests: false });
  const socket = join(server.connection.host, `.s.PGSQL.${server.connection.port}`);
  const door = createServer((client) => {
    const inside = connect(socket);
    const end = () => void (client.destroy(), inside.destroy());
    client.on('error', end).on('close', end).pipe(inside);
    inside.on('error', end).on('close', end).pipe(client);
  });
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  return {
    address: `127.0.0.1:${door.address().port}`,
    password: server.connection.password,
    stop: async () => {
      door.close();
      await server.stop();
    },
  };
}

export async function startBroker(dataDir) {
  const { brokers, stop } = await startKafka({ dataDir, removeData: true });
  return { address: brokers.join(','), stop };
}

/** The fake of libs/testing: it shows that the adapter speaks the protocol, not that a real server answers the same. */
export async function startEventStoreDb() {
  const loader = join(ROOT, 'libs/testing/src/typescript-loader.mjs');
  const program = join(ROOT, 'libs/testing/src/event-store-db/fake-event-store-db-process.ts');
  const flags = ['--no-warnings', '--conditions=@laurel/source', '--import', loader, program];
  const fake = spawn(process.execPath, flags, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
  const end = () => fake.kill();
  process.once('exit', end);
  const ended = once(fake, 'exit');
  const [url] = await Promise.race([
    once(fake.stdout, 'data'),
    ended.then(([code]) => Promise.reject(new Error(`the fake of EventStoreDB ended with ${code}`))),
  ]);
  return {
    address: new URL(String(url).trim()).host,
    stop: async () => {
      process.off('exit', end);
      end();
      await ended;
    },
  };
}
