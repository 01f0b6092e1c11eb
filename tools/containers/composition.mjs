// The containers of a compose file, from `up` to `down`.
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../processes.mjs';
import { builderFlags } from './builder.mjs';

const HEALTHY_WITHIN_MS = 600_000;

/**
 * @param {import('./engine.mjs').Engine} engine
 * @param {readonly string[]} files compose files; later ones override earlier ones
 * @param {Readonly<Record<string, string>>} variables the content of the .env file
 */
export async function compositionOf(engine, files, variables) {
  const port = String(await freePort());
  const words = [
    ...files.flatMap((file) => ['--file', file]),
    `--podman-build-args=${builderFlags(engine.work).join(' ')}`,
  ];
  const environment = { ...variables, LAUREL_PUBLISHED_PORT: port };
  const compose = (...command) => engine.compose(environment, ...words, ...command);
  const containers = () => containersOf(engine);
  return {
    url: `http://127.0.0.1:${port}`,
    containers,
    // The images are built one after the other, so that the layers that they share are built only once.
    build: () => compose('--parallel', '1', 'build'),
    /** @param {readonly string[]} services are started with those that they depend on; all services if empty */
    up: (...services) => compose('up', '--detach', '--no-build', ...services),
    stop: () => compose('stop'),
    /** Removes the containers, but keeps their volumes. */
    down: () => compose('down'),
    healthy: async () =>
      healthy(
        engine,
        (await containers()).map(({ name }) => name),
      ),
    exec: async (service, ...command) => {
      const { name } = (await containers()).find((container) => container.service === service);
      return engine.podman('exec', name, ...command);
    },
  };
}

/**
 * @returns {Promise<readonly { name: string, service: string, built: boolean, state: object }[]>} `built`: from this
 *   checkout
 */
async function containersOf({ podman }) {
  const names = (await podman('ps', '--all', '--format', '{{.Names}}')).split('\n').filter((name) => name !== '');
  if (names.length === 0) return [];
  return JSON.parse(await podman('inspect', '--type', 'container', ...names))
    .filter(({ Config }) => Config.Labels?.['com.docker.compose.service'] !== undefined)
    .map(({ Name, Config, State, ImageName }) => ({
      name: Name,
      service: Config.Labels['com.docker.compose.service'],
      built: ImageName.startsWith('localhost/'),
      state: State,
    }));
}

/** Runs the health check of each container until all pass. The timers of an engine would do that too. */
const healthy = (engine, names) => allPass(engine, names, (name) => ['healthcheck', 'run', name]);

/** @param {(name: string) => string[]} check the podman command that checks a container */
export async function allPass(engine, names, check) {
  const deadline = performance.now() + HEALTHY_WITHIN_MS;
  for (const name of names) {
    for (;;) {
      const failure = await engine.podman(...check(name)).then(
        () => null,
        (error) => error,
      );
      if (failure === null) break;
      if (performance.now() > deadline) throw new Error(`${failure.message}\n${await logs(engine, name)}`);
      await sleep(1_000);
    }
  }
}

/** The last lines that the container printed, on both of its outputs. */
export const logs = (engine, name) =>
  engine.run('sh', '-c', 'podman logs --tail 60 "$0" 2>&1', name).catch(({ message }) => message);
