// Runs the manifests of k8s/overlays/podman in podman, beside the servers of the compose file.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { render } from '../check-manifests/kustomize.mjs';
import { DISTRIBUTED, VARIABLES } from './check-compose.mjs';
import { allPass, compositionOf, logs } from './composition.mjs';
import { postEvent } from './requests.mjs';

const NETWORK = 'laurel_inside';
const DOOR = 'ingestion-gateway';
/** The same grace period as in the manifests; podman does not read it from a pod. */
const GRACE_S = '45';

export async function checkKubernetes(engine, say) {
  const servers = await compositionOf(engine, DISTRIBUTED, VARIABLES);
  const manifests = render('k8s/overlays/podman');
  const names = manifests.filter(({ kind }) => kind === 'Deployment').map(({ metadata }) => metadata.name);
  if (!(await hasImages(engine, names))) await servers.build();
  await servers.up('postgres', 'kafka');
  await servers.healthy();
  const file = join(engine.work, 'manifests.yaml');
  writeFileSync(file, manifests.map((manifest) => stringify(manifest)).join('---\n'));
  await createSecret(engine);
  try {
    await play(engine, file, names);
    say(`pods: ${names.length} are healthy`);
    await postEvent(await urlOf(engine), VARIABLES.LAUREL_API_KEY, 'first', { status: 201, total: 1 });
    say('pods: an event is answered in full');
    await stop(engine, names);
    say('pods: all stopped in time');
    await engine.podman('kube', 'down', file);
    await play(engine, file, names);
    const again = { status: 202, total: 1, idempotentReplayed: true };
    await postEvent(await urlOf(engine), VARIABLES.LAUREL_API_KEY, 'first', again);
    say('pods: nothing is lost by new ones');
  } catch (error) {
    for (const name of names) console.error(`--- ${name}\n${await logs(engine, containerOf(name))}`);
    throw error;
  }
  await engine.podman('kube', 'down', file);
  await servers.down();
}

const hasImages = ({ podman }, names) =>
  Promise.all(names.map((name) => podman('image', 'exists', `localhost/laurel_${name}`))).then(
    () => true,
    () => false,
  );

const podOf = (name) => `${name}-pod-0`;
const containerOf = (name) => `${podOf(name)}-laurel`;

/** Creates the Secret in podman. Without an address of EventStoreDB the log is in Postgres. */
async function createSecret(engine) {
  const secrets = {
    'database-url': `postgres://laurel:${VARIABLES.LAUREL_DATABASE_PASSWORD}@postgres:5432/laurel`,
    'eventstore-url': '',
    'internal-token': VARIABLES.LAUREL_INTERNAL_TOKEN,
    'api-key': VARIABLES.LAUREL_API_KEY,
    'secrets-key': VARIABLES.LAUREL_SECRETS_KEY,
  };
  const encoded = Object.entries(secrets).map(([key, value]) => [key, Buffer.from(value).toString('base64')]);
  const file = join(engine.work, 'secret.json');
  writeFileSync(file, JSON.stringify(Object.fromEntries(encoded)));
  await engine.podman('secret', 'create', 'laurel', file);
}

async function play(engine, file, names) {
  await engine.podman('kube', 'play', '--network', NETWORK, file);
  const containers = names.map(containerOf);
  await allPass(engine, containers, (name) => ['exec', name, 'node', 'ready.mjs']);
  await allPass(engine, containers, (name) => ['healthcheck', 'run', name]);
}

/** The address of the pod of the gateway: no port is published, but this machine reaches pods directly. */
async function urlOf(engine) {
  const [{ InfraContainerID }] = [JSON.parse(await engine.podman('pod', 'inspect', podOf(DOOR)))].flat();
  const [{ NetworkSettings }] = JSON.parse(await engine.podman('inspect', '--type', 'container', InfraContainerID));
  return `http://${NetworkSettings.Networks[NETWORK].IPAddress}:3000`;
}

/** @throws {Error} if a process does not end by itself with exit code 0 */
async function stop(engine, names) {
  await engine.podman('pod', 'stop', '--time', GRACE_S, ...names.map(podOf));
  const containers = JSON.parse(await engine.podman('inspect', '--type', 'container', ...names.map(containerOf)));
  for (const { Name, State } of containers)
    if (State.ExitCode !== 0) throw new Error(`${Name} ended with ${State.ExitCode} when it was stopped`);
}
