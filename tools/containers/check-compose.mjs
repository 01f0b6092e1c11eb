// Checks of the containers of each compose file.
import { setTimeout as sleep } from 'node:timers/promises';
import { readCompose } from '../check-manifests/compose.mjs';
import { builderFlags } from './builder.mjs';
import { checkImages } from './check-images.mjs';
import { compositionOf, logs } from './composition.mjs';
import { openConsole } from './open-console.mjs';
import { postEvent, request } from './requests.mjs';

const SECRET = 'check-containers-0123456789abcdef';
export const VARIABLES = {
  LAUREL_API_KEY: SECRET,
  LAUREL_INTERNAL_TOKEN: `token-${SECRET}`,
  LAUREL_SECRETS_KEY: `secrets-${SECRET}`,
  LAUREL_DATABASE_PASSWORD: 'database0123456789abcdef',
};
/** The app that applies the areas of several services in one process. No compose file runs it. */
const AREA_SERVICE = 'area-service';
const STANDALONE = ['docker/standalone.compose.yaml'];
export const DISTRIBUTED = ['docker/compose.yaml', 'docker/postgres-log.compose.yaml'];

/**
 * The images of the servers that the distributed compose file runs beside Laurel, without EventStoreDB: there is no
 * substitute for its image.
 */
export function serverImages() {
  const { services } = readCompose(DISTRIBUTED[0], new Map(Object.entries(VARIABLES)));
  return Object.entries(services).flatMap(([name, { image }]) =>
    image === undefined || name === 'eventstore' ? [] : [image],
  );
}

export async function checkStandalone(engine, say) {
  const standalone = await compositionOf(engine, STANDALONE, { LAUREL_API_KEY: SECRET });
  await standalone.build();
  await checkImages(engine, say);
  await checkRestart(engine, standalone, 'laurel', say);
  const webhook = { url: 'https://platform.example/hook' };
  await request(standalone.url, SECRET, 'POST', '/admin/v1/webhooks', webhook, 201);
  await standalone.down();
  await checkOtherKey(engine, say);
}

export async function checkDistributed(engine, say) {
  const distributed = await compositionOf(engine, DISTRIBUTED, VARIABLES);
  await distributed.build();
  await buildAreaService(engine);
  await checkImages(engine, say);
  await checkAreaService(engine, say);
  await checkRestart(engine, distributed, 'ingestion-gateway', say);
  await distributed.down();
}

const imageOf = (app) => `localhost/laurel_${app}`;

const buildAreaService = ({ podman, work }) =>
  podman(
    ...['build', ...builderFlags(work), '--file', 'docker/Dockerfile', '--build-arg', `APP=${AREA_SERVICE}`],
    ...['--tag', imageOf(AREA_SERVICE), '.'],
  );

/** Checks that the app refuses to start without the variable that names its areas. */
async function checkAreaService({ podman }, say) {
  const said = await podman('run', '--rm', imageOf(AREA_SERVICE)).then(
    () => 'nothing, and ended with 0',
    ({ message }) => message,
  );
  if (!said.includes('LAUREL_SERVICE or LAUREL_STEPS must be given'))
    throw new Error(`${AREA_SERVICE} without its variables said: ${said}`);
  say(`${AREA_SERVICE}: without its variables, it says which one to set`);
}

/** Starts the standalone with another key than the one that its volume already has. */
async function checkOtherKey(engine, say) {
  const { LAUREL_API_KEY, LAUREL_SECRETS_KEY } = VARIABLES;
  const standalone = await compositionOf(engine, STANDALONE, { LAUREL_API_KEY, LAUREL_SECRETS_KEY });
  await standalone.up();
  const [{ name }] = await standalone.containers();
  for (let tries = 0; !(await logs(engine, name)).includes('remove LAUREL_SECRETS_KEY to use that file'); tries++) {
    if (tries === 60) throw new Error(`started with another key of secrets:\n${await logs(engine, name)}`);
    await sleep(1_000);
  }
  // The container restarts again and again, so it may be running when `down` removes it.
  await engine.podman('pod', 'rm', '--all', '--force');
  await standalone.down();
  say('standalone: with another key than its volume has, it says which one to use');
}

/** Records an event, stops the containers, and starts new ones with the same volumes. */
async function checkRestart(engine, composition, server, say) {
  try {
    await composition.up();
    await composition.healthy();
    say(`${server}: every container is healthy`);
    await postEvent(composition.url, SECRET, 'first', { status: 201, total: 1 });
    await openConsole(composition.url);
    await composition.exec(server, 'node', 'apps/cli/dist/main.js', 'status', '--url', 'http://127.0.0.1:3000');
    say(`${server}: an event is answered in full, the console is served, the command line shows the status`);
    await composition.stop();
    for (const { name, built, state } of await composition.containers())
      if (built ? state.ExitCode !== 0 : state.ExitCode === 137)
        throw new Error(`${name} ended with ${state.ExitCode} when it was stopped:\n${await logs(engine, name)}`);
    say(`${server}: all stopped in time`);
    await composition.down();
    await composition.up();
    await composition.healthy();
    await postEvent(composition.url, SECRET, 'first', { status: 202, total: 1, idempotentReplayed: true });
    await postEvent(composition.url, SECRET, 'second', { status: 201, total: 2 });
    say(`${server}: nothing is lost by new containers on the same volumes`);
  } catch (error) {
    for (const { name } of await composition.containers()) console.error(`--- ${name}\n${await logs(engine, name)}`);
    throw error;
  }
}
