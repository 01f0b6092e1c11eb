import { clientConfig } from '@laurel/database';
import { describeLiveFeed, eventually, startTestTopology, type Topology } from '@laurel/testing/distributed';
import { HTTP_SUITE_CONFIGURATION } from '@laurel/testing/http-suite';
import pg from 'pg';

let topology: Topology;
let running: Topology | null = null;

beforeAll(async () => {
  topology = running = await startTestTopology({
    configuration: HTTP_SUITE_CONFIGURATION,
    instances: { 'ingestion-gateway': 2 },
    environment: { LAUREL_ANSWER_LIMIT_MS: '1000' },
  });
});
afterAll(async () => {
  await running?.stop();
});

describeLiveFeed(() => topology);

describe('a read with a browser session', () => {
  const PATH = '/v1/points/xp/summary';
  const TABLE = 'point_total_counts';
  const WAITING = "select application_name from pg_stat_activity where wait_event_type = 'Lock'";
  let sql: pg.Client;
  beforeAll(async () => {
    sql = new pg.Client(clientConfig(topology.postgres.connection));
    await sql.connect();
  });
  afterAll(() => sql.end());

  it('takes no connection reserved for keys at the query gateway and is refused when it takes too long', async () => {
    const signedIn = await fetch(`${topology.url}/console/session`, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json', origin: topology.url } },
      body: JSON.stringify({ key: topology.apiKey }),
    });
    const [cookie = ''] = String(signedIn.headers.get('set-cookie')).split(';', 1);
    const ask = async (headers: Record<string, string>) => {
      const response = await fetch(`${topology.url}${PATH}`, { headers });
      return { status: response.status, json: (await response.json()) as { readonly code?: string } };
    };
    const key = { 'x-api-key': topology.apiKey };
    expect([await ask({ cookie }), await ask(key)]).toMatchObject([{ status: 200 }, { status: 200 }]);
    const { rows } = await sql.query('select table_schema from information_schema.tables where table_name = $1', [
      TABLE,
    ]);
    await sql.query(`begin; lock table ${rows[0].table_schema}.${TABLE} in access exclusive mode`);
    expect(await ask({ cookie })).toMatchObject({ status: 503, json: { code: 'overloaded' } });
    const byKey = ask(key);
    await eventually(topology, 'the read of the key waits', async () => {
      const waiting = (await sql.query(WAITING)).rows.map((row) => row.application_name as string);
      return waiting.length === 1 && waiting[0] === 'laurel-reads';
    });
    await sql.query('rollback');
    expect(await byKey).toMatchObject({ status: 200 });
  });
});
