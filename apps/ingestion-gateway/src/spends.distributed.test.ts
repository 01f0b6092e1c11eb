import { clientConfig } from '@laurel/database';
import { HTTP_SUITE_CONFIGURATION, type Json } from '@laurel/testing/http-suite';
import {
  caughtUp,
  compareWithStandalone,
  eventually,
  startTestTopology,
  type ServiceProcess,
  type Topology,
} from '@laurel/testing/distributed';
import pg from 'pg';

const CALLS = 1_000;
const CONNECTIONS = 20;
const AMOUNT = 7;
const AFFORDABLE = 500;

interface Answered {
  readonly status: number;
  readonly json: Json;
}

let topology: Topology;
let running: Topology | null = null;
let sql: pg.Client;

beforeAll(async () => {
  topology = running = await startTestTopology({
    configuration: HTTP_SUITE_CONFIGURATION,
    instances: { 'ingestion-gateway': 2 },
    // Callers do not wait long for a service that is being started again.
    environment: { LAUREL_ANSWER_LIMIT_MS: '1000' },
  });
  sql = new pg.Client(clientConfig(topology.postgres.connection));
  await sql.connect();
});

afterAll(async () => {
  await sql?.end();
  await running?.stop();
});

const gateways = (): readonly ServiceProcess[] => topology.of('ingestion-gateway');
const points = (): ServiceProcess => topology.of('points-service')[0] as ServiceProcess;

/** Asks the gateways in turns until one of them answers: after a kill nobody knows what became of a call. */
async function post(path: string, body: Json, key: string, answers: (status: number) => boolean): Promise<Answered> {
  for (let attempt = 0; ; attempt++) {
    const url = gateways()[attempt % gateways().length]?.url;
    const headers = { 'x-api-key': topology.apiKey, 'content-type': 'application/json', 'idempotency-key': key };
    try {
      const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      if (answers(response.status)) return { status: response.status, json: (await response.json()) as Json };
      await response.text();
    } catch {
      // The process is being started again.
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const isDecided = (status: number): boolean => status < 500 && status !== 429;

const spend = (user: string, amount: number, key: string, answers = isDecided): Promise<Answered> =>
  post(`/v1/users/${user}/points/xp/spend`, { amount }, key, answers);

async function give(user: string, amount: number): Promise<void> {
  await post('/v1/metrics/words/event', { user: { id: user }, value: 0 }, `made ${user}`, isDecided);
  const grant = { pointsSystem: 'xp', amount, reason: 'to spend' };
  const given = await post(`/admin/v1/users/${user}/grants/points`, grant, `given to ${user}`, isDecided);
  expect(given.status).toBeLessThan(300);
}

/** Verdicts that were recorded, by whether the request was accepted. */
async function recorded(): Promise<Readonly<Record<string, number>>> {
  const { rows } = await sql.query<{ accepted: boolean; requests: number }>(
    `select (data->'verdict'->>'accepted')::boolean as accepted, count(*)::int as requests
     from laurel_ingestion.events where type = -2 group by 1`,
  );
  return Object.fromEntries(rows.map(({ accepted, requests }) => [accepted ? 'accepted' : 'refused', requests]));
}

describe('spends of the distributed topology', () => {
  it('succeed as often as the total allows while points-service and the gateways are killed', async () => {
    await give('shopper', AMOUNT * AFFORDABLE + 3);
    const verdicts = new Map<string, boolean>();
    let next = 0;
    const connection = async (): Promise<void> => {
      for (let call = next++; call < CALLS; call = next++) {
        const { status } = await spend('shopper', AMOUNT, `order-${call}`);
        expect([201, 202, 422]).toContain(status);
        verdicts.set(`order-${call}`, status !== 422);
      }
    };
    const after = (calls: number) =>
      eventually(topology, `${calls} calls`, () => Promise.resolve(verdicts.size >= calls));
    const killed = async (): Promise<void> => {
      const victims = [points(), gateways()[0], gateways()[1]] as readonly ServiceProcess[];
      for (const [place, victim] of victims.entries()) {
        await after(((place + 1) * CALLS) / 5);
        await victim.kill();
        await victim.start();
      }
    };
    await Promise.all([killed(), ...Array.from({ length: CONNECTIONS }, connection)]);
    expect([...verdicts.values()].filter(Boolean)).toHaveLength(AFFORDABLE);
    for (const [key, accepted] of [...verdicts].filter((_, place) => place % 10 === 0))
      expect([key, (await spend('shopper', 1, key)).status]).toEqual([key, accepted ? 202 : 422]);
    await eventually(topology, 'every verdict is recorded', async () => {
      const { accepted, refused } = await recorded();
      return accepted === AFFORDABLE && refused === CALLS - AFFORDABLE;
    });
    const { json } = await spend('shopper', AMOUNT, 'one more');
    expect(json).toMatchObject({ code: 'insufficient_points', balance: 3, missing: AMOUNT - 3 });
  });

  it('are decided once points go on, although the gateway that took them is gone', async () => {
    await give('waiting', 10);
    await caughtUp(topology);
    await points().stop();
    const isUnavailable = (status: number): boolean => status === 503;
    const calls = [
      await spend('waiting', 8, 'first', isUnavailable),
      await spend('waiting', 8, 'second', isUnavailable),
    ];
    expect(calls.map(({ json }) => [json.code, typeof json.eventId])).toEqual([
      ['spend_undecided', 'string'],
      ['spend_undecided', 'string'],
    ]);
    const before = await recorded();
    for (const gateway of gateways()) await gateway.kill();
    for (const gateway of gateways()) await gateway.start();
    await points().start();
    await eventually(topology, 'the verdicts are recorded', async () => {
      const { accepted, refused } = await recorded();
      return accepted === (before['accepted'] ?? 0) + 1 && refused === (before['refused'] ?? 0) + 1;
    });
    expect(await spend('waiting', 1, 'first')).toMatchObject({ status: 202, json: { spent: 8 } });
    expect(await spend('waiting', 1, 'second')).toMatchObject({ status: 422, json: { balance: 2 } });
  });

  it('give what a standalone makes of the same log, and a rebuild', async () => {
    await caughtUp(topology);
    const { distributed, standalone } = await compareWithStandalone(topology.postgres.connection, 'default');
    expect(distributed).toEqual(standalone);
    const { code, log } = await points().job('rebuild --verify');
    expect([code, log]).toEqual([0, expect.stringContaining('nothing differs')]);
  });
});
