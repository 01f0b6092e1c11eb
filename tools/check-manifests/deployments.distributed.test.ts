import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startEmbeddedPostgres, type EmbeddedConnection } from '@laurel/embedded-postgres';

// The tools have no types: what they take and give is in their comments.
const tool = (name: string) => import(new URL(`../${name}.mjs`, import.meta.url).href);
const { deploymentEnvironment } = await tool('check-manifests/deployment-environment');
const { TOPOLOGIES } = await tool('check-image/build-images');
const { startEventStoreDb } = await tool('check-image/servers');
const { guardAgainstOrphan } = await tool('kafka/orphan-guard');
const { programOf } = await tool('distributed/programs');
const { startKafka } = await tool('kafka/start-kafka');
const { freePort, isReady, start, stop, waitUntil } = await tool('processes');

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const APPS: string[] = TOPOLOGIES.distributed.apps;
const READY_WITHIN_MS = 120_000;

const folder = mkdtempSync(join(tmpdir(), 'laurel-deployments-'));
// As root, the database runs under another account, which must be able to pass.
chmodSync(folder, 0o755);
const log = (app: string) => join(folder, `${app}.log`);
const ports = new Map<string, { http: string; internal: string }>();
const programs = new Map<string, object>();
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const kafka = await startKafka({ dataDir: join(folder, 'kafka'), removeData: true });
  stops.push(() => kafka.stop());
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres') });
  stops.push(() => postgres.stop());
  const eventStoreDb = await startEventStoreDb();
  stops.push(() => eventStoreDb.stop());
  const secrets = {
    'database-url': databaseUrl(postgres.connection),
    'eventstore-url': `esdb://${eventStoreDb.address}?tls=false`,
    'internal-token': 'token-of-the-deployments-0123456789',
    'api-key': 'key-of-the-deployments-0123456789',
    'secrets-key': 'secrets-of-the-deployments-0123456789',
  };
  for (const app of APPS) ports.set(app, { http: String(await freePort()), internal: String(await freePort()) });
  // All together, as in a cluster: none may need another to be there before.
  for (const app of APPS) {
    const values = (name: string, value: string) => valueHere(app, name, value, kafka.brokers);
    const { file: main, environment } = programOf(app);
    const env = { ...deploymentEnvironment(app, { secrets, podIP: '127.0.0.1', values }), ...environment };
    const options = { cwd: ROOT, env, log: log(app) };
    const program = start(app, process.execPath, ['--max-semi-space-size=64', main], options);
    const guard = guardAgainstOrphan({ pid: program.pid, mark: main, folder: null });
    void program.ended.then(guard.dismiss, guard.dismiss);
    programs.set(app, program);
  }
});

afterAll(async () => {
  await Promise.all([...programs.values()].map((program) => stop(program, { limitMs: 60_000 })));
  for (const end of stops.reverse()) await end();
  rmSync(folder, { recursive: true, force: true });
});

/** The server listens on a Unix socket only: its folder stands where a host would. */
const databaseUrl = ({ host, port, user, password, database }: EmbeddedConnection) =>
  `postgres://${user}:${encodeURIComponent(password)}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;

/** What a cluster would give otherwise than this machine: ports of its own to each pod, names of hosts, several brokers. */
function valueHere(app: string, name: string, value: string, brokers: readonly string[]): string {
  switch (name) {
    case 'LAUREL_PORT':
      return ports.get(app)?.http ?? value;
    case 'LAUREL_INTERNAL_PORT':
      return ports.get(app)?.internal ?? value;
    case 'LAUREL_KAFKA_BROKERS':
      return brokers.join(',');
    case 'LAUREL_REPLICATION':
      return '1';
    case 'LAUREL_QUERY_URL':
      return `http://127.0.0.1:${ports.get('query-gateway')?.http}`;
    case 'LAUREL_OUTGOING_URL':
      return `http://127.0.0.1:${ports.get('outgoing-service')?.http}`;
    case 'LAUREL_CONFIG':
      return join(ROOT, 'k8s/overlays/example/laurel.yaml');
    default:
      return value;
  }
}

describe('with exactly the environment of its Deployment', () => {
  it.each(APPS)('%s gets ready', async (app) => {
    const url = `http://127.0.0.1:${ports.get(app)?.http}`;
    const what = `/readyz of ${app}`;
    await waitUntil(() => isReady(url), what, { limitMs: READY_WITHIN_MS, program: programs.get(app) });
  });

  it.each(APPS.filter((app) => !['ingestion-gateway', 'outgoing-service'].includes(app)))(
    '%s watches over its membership',
    async (app) => {
      const metrics = await fetch(`http://127.0.0.1:${ports.get(app)?.http}/metrics`);
      expect(await metrics.text()).toMatch(/^laurel_memberless_seconds\{.*\} 0$/m);
    },
  );
});
