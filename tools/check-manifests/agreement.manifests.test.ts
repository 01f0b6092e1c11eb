import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { OUTGOING_SERVICE } from '@laurel/ports';
import { PROCESSES } from '@laurel/ports/topology';
import { ENVIRONMENT_VARIABLES } from '@laurel/runtime';
import { parse } from 'yaml';

// The tools have no types: what they take and give is in their comments.
const tool = (name: string) => import(new URL(`./${name}.mjs`, import.meta.url).href);
const { BASE, EXAMPLE, declaredVariables, deploymentEnvironment } = await tool('deployment-environment');
const { entrypointOfImage, imageVariables, nodeOfImage } = await tool('dockerfile');
const { SECRET_VARIABLES } = await tool('manifest-rules');
const { render } = await tool('kustomize');
const { builtServices, readCompose, requiredVariables } = await tool('compose');

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const textOf = (path: string) => readFileSync(ROOT + path, 'utf8');

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- manifests of any kind
type Any = any;
const composeOf = (file: string): Any =>
  readCompose(ROOT + file, new Map(requiredVariables(ROOT + file).map((name: string) => [name, 'x'])));
const compose = composeOf('docker/compose.yaml');
const manifests: Any[] = render(EXAMPLE);
const APPS = PROCESSES.map(({ name }): string => name);

const SECRETS = {
  'database-url': 'd',
  'eventstore-url': 'e',
  'internal-token': 't',
  'api-key': 'a',
  'secrets-key': 's',
};
const inKubernetes = (app: string): Record<string, string> =>
  deploymentEnvironment(app, { secrets: SECRETS, podIP: '10.0.0.1' });
const inCompose = (app: string): Record<string, string> => ({
  ...Object.fromEntries(imageVariables()),
  ...compose.services[app].environment,
});
const sorted = (names: Iterable<string>) => [...names].sort();
const readBy = (app: string) =>
  Object.values(ENVIRONMENT_VARIABLES)
    .filter((variable) => variable.readBy.some((reader) => reader === app))
    .map(({ name }): string => name);

describe('the apps', () => {
  it('are the same in the topology, the compose files and the Deployments', () => {
    const folders = readdirSync(`${ROOT}apps`);
    expect(sorted([...APPS, 'standalone', 'cli', 'area-service'])).toEqual(sorted(folders));
    expect(sorted(builtServices(compose).keys())).toEqual(sorted(APPS));
    expect(sorted(builtServices(compose).values())).toEqual(sorted(APPS));
    expect([...builtServices(composeOf('docker/standalone.compose.yaml')).values()]).toEqual(['standalone']);
    expect(sorted(manifests.filter(({ kind }) => kind === 'Deployment').map(({ metadata }) => metadata.name))).toEqual(
      sorted(APPS),
    );
  });
});

describe.each(APPS)('the environment of %s', (app) => {
  it('has the same variables in compose and in Kubernetes', () => {
    expect(sorted(Object.keys(inCompose(app)))).toEqual(sorted(Object.keys(inKubernetes(app))));
  });

  it('has no variable that the process does not read', () => {
    // The image is the same for every app: some of what it sets is for standalone alone.
    const ofImage = [...imageVariables().keys()];
    const known = new Set([
      'NODE_ENV',
      ...readBy(app),
      ...readBy('standalone').filter((name) => ofImage.includes(name)),
    ]);
    const names = Object.keys(inKubernetes(app));
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  });

  it('has what every process needs, with secrets by reference', () => {
    const declared: Map<string, object> = declaredVariables(app);
    const needed = ['LAUREL_DATABASE_URL', 'LAUREL_KAFKA_BROKERS', 'LAUREL_INTERNAL_TOKEN', 'LAUREL_PARTITIONS'];
    expect(needed.filter((name) => !declared.has(name))).toEqual([]);
    for (const name of SECRET_VARIABLES.filter((each: string) => declared.has(each)))
      expect(declared.get(name)).toHaveProperty('secret');
  });

  it('names the ports of its container, under which others reach it', () => {
    const [container] = manifests.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === app).spec
      .template.spec.containers;
    const ports = new Map(container.ports.map(({ name, containerPort }: Any) => [name, String(containerPort)]));
    const { LAUREL_PORT, LAUREL_INTERNAL_PORT, LAUREL_HOST, LAUREL_ADVERTISED_HOST } = inKubernetes(app);
    expect(ports.get('http')).toBe(LAUREL_PORT);
    expect(ports.get('internal')).toBe(LAUREL_INTERNAL_PORT);
    // One instance hands requests on to the API of another.
    const isReached = LAUREL_INTERNAL_PORT !== undefined || app === OUTGOING_SERVICE.name;
    expect(LAUREL_ADVERTISED_HOST).toBe(isReached ? '10.0.0.1' : undefined);
    expect(inCompose(app)['LAUREL_ADVERTISED_HOST']).toBe(isReached ? app : undefined);
    expect(LAUREL_HOST).toBe('0.0.0.0');
  });
});

describe('the servers in the environment of the services', () => {
  it('are those of the compose file, with their user and password', () => {
    const { LAUREL_DATABASE_URL, LAUREL_KAFKA_BROKERS, LAUREL_EVENTSTORE_URL, LAUREL_QUERY_URL } =
      inCompose('ingestion-gateway');
    const { POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_DB } = compose.services.postgres.environment;
    expect(LAUREL_DATABASE_URL).toBe(`postgres://${POSTGRES_USER}:${POSTGRES_PASSWORD}@postgres:5432/${POSTGRES_DB}`);
    expect(compose.services.kafka.environment.KAFKA_ADVERTISED_LISTENERS).toBe(`PLAINTEXT://${LAUREL_KAFKA_BROKERS}`);
    expect(new URL(LAUREL_EVENTSTORE_URL ?? '').hostname).toBe('eventstore');
    expect(LAUREL_QUERY_URL).toBe(`http://query-gateway:${inCompose('query-gateway')['LAUREL_PORT']}`);
  });

  it('are Services in Kubernetes when they are part of Laurel', () => {
    const url = new URL(inKubernetes('ingestion-gateway')['LAUREL_QUERY_URL'] ?? '');
    const service = manifests.find(({ kind, metadata }) => kind === 'Service' && metadata.name === url.hostname);
    expect(service.spec.ports.map(({ port }: Any) => port)).toContain(Number(url.port || 80));
  });

  it('allow a graceful stop as long as Kubernetes and compose grant', () => {
    const pods = manifests.filter(({ kind }) => kind === 'Deployment').map(({ spec }) => spec.template.spec);
    const preStop = pods.map(({ containers }) => Number(containers[0].lifecycle.preStop.exec.command[1]));
    const graces = pods.map(
      ({ terminationGracePeriodSeconds }, index) => terminationGracePeriodSeconds - (preStop[index] ?? 0),
    );
    expect(new Set(graces)).toEqual(new Set([40]));
    expect(new Set(APPS.map((app) => compose.services[app].stop_grace_period))).toEqual(new Set(['40s']));
  });
});

describe('the documents', () => {
  it('name every variable in a table of the guides', () => {
    const tables = ['docs/guides/variables.md', 'docs/guides/distributed-variables.md'].map(
      (file) => textOf(file).match(/^\|.*$/gm) ?? [],
    );
    const named = tables.flat().flatMap((row) => row.split('|')[1]?.match(/LAUREL_\w+/g) ?? []);
    expect(sorted(new Set(named))).toEqual(sorted(Object.values(ENVIRONMENT_VARIABLES).map(({ name }) => name)));
  });

  it('use the same example configuration everywhere', () => {
    expect(textOf('k8s/overlays/example/laurel.yaml')).toBe(textOf('docker/laurel.yaml'));
  });

  it('name every variable of the compose files in the example .env', () => {
    const files = ['docker/compose.yaml', 'docker/standalone.compose.yaml'];
    const used = files.flatMap((file) => textOf(file).match(/(?<=\$\{)[A-Z_]+/g) ?? []);
    expect(
      sorted(textOf('docker/.env.example').match(/^#?[A-Z_]+(?==)/gm) ?? []).map((name) => name.replace('#', '')),
    ).toEqual(expect.arrayContaining([...new Set(used)]));
  });
});

describe('the image', () => {
  const { version, scripts, engines } = parse(textOf('package.json')) as Any;

  it('starts node like `npm start`', () => {
    expect(entrypointOfImage().join(' ')).toBe(scripts.start.replace(/ \S+$/, ''));
  });

  it('uses a Node version that the packages allow, and has the version of Laurel', () => {
    const [, least] = /^>=(\d+\.\d+)$/.exec(engines.node) ?? [];
    expect(Number.parseFloat(nodeOfImage())).toBeGreaterThanOrEqual(Number(least));
    const tags = [...manifests, ...render(BASE)]
      .filter(({ kind }) => kind === 'Deployment')
      .map(({ spec }) => spec.template.spec.containers[0].image.split(':').at(-1));
    expect(new Set(tags)).toEqual(new Set([version]));
  });
});
