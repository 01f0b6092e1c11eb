import { TOPICS } from '@laurel/ports';
import pg from 'pg';
import { Client, foundIn, newUserId } from '../http-suite/index.ts';
import { databaseTexts } from './database-texts.ts';
import { caughtUp } from './proof.ts';
import { topicTexts } from './topic-texts.ts';
import { eventually, type ServiceProcess, type Topology } from './topology.ts';

/**
 * Tests an erasure whose gateway is killed between the deletion in the directory and the event, with two gateways and
 * the log in EventStoreDB.
 * @param heldElsewhere returns all data of the log, one text for each record
 */
export function describeKilledErasure(running: () => Topology, heldElsewhere: () => Promise<readonly string[]>): void {
  describe('an erasure whose gateway is killed once the row of the directory is gone', () => {
    const id = newUserId('dora');
    const profile = { name: 'Dora Qzwmark', email: 'dora.qz@example.org' };
    const [course, key] = ['course-of-dora-6', 'key-of-dora-8'];
    const secrets = [id, profile.name, profile.email, course, key];
    const path = `/admin/v1/users/${id}`;
    const client = new Client(() => ({ baseUrl: running().url, apiKey: running().apiKey }));
    /** The first gateway answers the client. */
    const erasing = (): ServiceProcess => running().of('ingestion-gateway')[1] as ServiceProcess;
    let database: pg.Client;

    beforeAll(async () => {
      database = new pg.Client(running().postgres.connection);
      await database.connect();
      expect((await client.send('PUT', `/v1/users/${id}`, { body: profile })).status).toBe(200);
      expect((await record()).status).toBe(201);
      await caughtUp(running());
    });
    afterAll(async () => {
      await database.end();
      await erasing().start();
    });

    const record = () =>
      client.send('POST', '/v1/metrics/lessons/event', {
        ...{ body: { user: { id }, value: 3, attributes: { course } }, headers: { 'idempotency-key': key } },
      });

    const erase = (baseUrl: string, query: Readonly<Record<string, string>>): Promise<Response> =>
      fetch(`${baseUrl}${path}?${new URLSearchParams(query).toString()}`, {
        ...{ method: 'DELETE', headers: { 'x-api-key': running().apiKey } },
      });

    const isKnown = async (): Promise<boolean> =>
      (await database.query('select from laurel_ingestion.subjects where user_id = $1', [id])).rowCount === 1;

    const erasures = async (): Promise<number> =>
      (await heldElsewhere()).filter((text) => text.includes('"UserErased"')).length;

    const everything = async (): Promise<string> =>
      [
        ...(await databaseTexts(running())),
        ...(await topicTexts(running(), Object.values(TOPICS))),
        ...(await heldElsewhere()),
      ].join('\n');

    it('is recorded by another one, and leaves nothing of the user anywhere', async () => {
      expect(foundIn(await everything(), secrets)).toContain(id);
      const before = await erasures();
      const preview = await erase(erasing().url, { preview: 'true' });
      const { previewId } = (await preview.json()) as { previewId: string };
      const order = { previewId, reason: 'asked for by letter' };
      const asked = erase(erasing().url, order).catch(() => null);
      while (await isKnown()) await new Promise((resolve) => setTimeout(resolve, 10));
      await erasing().kill();
      expect(await asked).toBeNull();
      expect(await erasures()).toBe(before);
      expect((await erase(running().url, order)).status).toBe(404);

      await eventually(running(), 'the other gateway records it', async () => (await erasures()) > before);
      await caughtUp(running());
      expect(foundIn(await everything(), secrets)).toEqual([]);
      expect(await erasures()).toBe(before + 1);
    });

    it('leaves the id to a new user', async () => {
      const { status, json } = await record();
      expect([status, json.total, json.idempotentReplayed]).toEqual([201, 3, false]);
      expect((await client.read(`/v1/users/${id}`)).name).toBeNull();
    });
  });
}
