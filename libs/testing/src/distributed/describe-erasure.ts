import { TOPICS } from '@laurel/ports';
import { ADA, ADAS_COURSE, ADAS_KEY, ADAS_SECRETS, Client, foundIn, type Json } from '../http-suite/index.ts';
import { databaseTexts } from './database-texts.ts';
import { caughtUp } from './proof.ts';
import { topicTexts } from './topic-texts.ts';
import { eventually, type Topology } from './topology.ts';

/**
 * Tests what an erasure must keep and delete, in any topology with the configuration of the HTTP suite and
 * `LAUREL_USER_SEARCH`.
 * @param heldElsewhere returns all data of a store besides database and topics, as text
 */
export function describeErasure(running: () => Topology, heldElsewhere: () => Promise<string> = async () => ''): void {
  describe('an erasure', () => {
    const client = new Client(() => ({ baseUrl: running().url, apiKey: running().apiKey }));
    const KEY = { 'idempotency-key': ADAS_KEY };
    const path = `/admin/v1/users/${ADA.id}`;

    const erasing = (query: Readonly<Record<string, string>>) =>
      client.send('DELETE', `${path}?${new URLSearchParams(query).toString()}`);

    const found = (text: string): readonly string[] => foundIn(text, ADAS_SECRETS);

    const dump = async (): Promise<string> => (await databaseTexts(running())).join('\n');

    const others = async (): Promise<Json> => {
      const { [ADA.id]: ada, ...users } = (await client.read('/admin/v1/state')).users as Json;
      return { users, isKnown: ada !== undefined };
    };

    beforeAll(async () => {
      const { id, ...profile } = ADA;
      expect((await client.send('PUT', `/v1/users/${id}`, { body: profile })).status).toBe(200);
      for (const user of [id, 'bob-of-ada', 'cyd-of-ada']) {
        const body = { user: { id: user }, value: 3, ...(user === id && { attributes: { course: ADAS_COURSE } }) };
        const { status } = await client.send('POST', '/v1/metrics/lessons/event', { body, headers: KEY });
        expect(status).toBe(201);
      }
      const grant = { system: 'xp', amount: 30, reason: `for ${ADA.name}, who wrote from ${ADA.email}` };
      expect((await client.send('POST', `${path}/grants/points`, { body: grant })).status).toBe(201);
      await caughtUp(running());
    });

    it('leaves id, name, e-mail and attributes in no table and in no topic, and moves nobody else', async () => {
      expect(found(await dump())).toEqual(ADAS_SECRETS.filter((secret) => ![ADAS_COURSE, ADAS_KEY].includes(secret)));
      const before = await others();
      expect(before.isKnown).toBe(true);
      const preview = await erasing({ preview: 'true' });
      expect([preview.status, preview.json.erased]).toEqual([200, false]);
      const reason = 'asked for by letter';
      const { status, json } = await erasing({ previewId: preview.json.previewId, reason });
      expect([status, json]).toEqual([200, expect.objectContaining({ erased: true, boards: 'remove' })]);
      expect(json.places).toEqual(preview.json.places);
      const placed = Object.fromEntries(json.places.map((one: Json) => [`${one.place} ${one.becomes}`, one.rows]));
      expect(placed).toMatchObject({
        ...{ 'subjects deleted': 1, 'user_states cleared': 1, 'events unreadable': 3, 'effects anonymous': 3 },
        ...{ 'user_counts counted_down': 1, 'achievement_counts counted_down': 1, 'board_standings off_the_board': 2 },
      });
      await caughtUp(running());
      expect(found(await dump())).toEqual([]);
      const texts = await topicTexts(running(), Object.values(TOPICS));
      expect(texts.length).toBeGreaterThan(500);
      expect(texts.flatMap(found)).toEqual([]);
      expect(found(await heldElsewhere())).toEqual([]);
      expect(await others()).toEqual({ ...before, isKnown: false });
      expect((await erasing({ previewId: preview.json.previewId, reason })).status).toBe(404);
    });

    it('leaves no user by that id, and makes its next user a new one', async () => {
      const unknown = async () =>
        (await client.send('GET', `/v1/users/${ADA.id}`)).status === 404 &&
        (await client.send('GET', path)).status === 404;
      await eventually(running(), 'the id is unknown to every gateway', unknown);
      for (const query of [`email=${ADA.email}`, 'name=qzwl'])
        expect((await client.read(`/admin/v1/users?${query}`)).users).toEqual([]);
      const ranking = async (board: string): Promise<Json[]> =>
        (await client.read(`/v1/leaderboards/${board}?limit=1000`)).rankings;
      expect((await ranking('lessons-all')).map(({ userId }) => userId)).not.toContain('');
      const body = { user: { id: ADA.id }, value: 1 };
      const again = await client.send('POST', '/v1/metrics/lessons/event', { body, headers: KEY });
      expect([again.status, again.json.total, again.json.idempotentReplayed]).toEqual([201, 1, false]);
      expect((await client.read(`/v1/users/${ADA.id}`)).name).toBeNull();
    });

    it('is refused while an import is open', async () => {
      const preview = await erasing({ preview: 'true' });
      expect((await client.send('POST', '/admin/v1/imports', { body: {} })).status).toBe(201);
      const opened = await erasing({ previewId: preview.json.previewId, reason: 'asked for by letter' });
      expect([opened.status, opened.json.code]).toEqual([422, 'import_open']);
      expect((await client.send('POST', '/admin/v1/imports/finish', {})).status).toBe(200);
    });
  });
}
