import { describe, expect, it } from '@jest/globals';
import { type Answer, type Client, type Json, newUserId } from './client.ts';

const EVENT = '/api/metrics/lessons/event';
const PARALLEL = 64;
const together = (send: (index: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: PARALLEL }, (_, index) => send(index)));

/** Tests idempotency (specification, section 3), and parallel requests (section 1). */
export function describeIdempotency(client: Client): void {
  describe('idempotency', () => {
    it('is 201 for the first of many simultaneous requests with one key, 202 for the others', async () => {
      const id = newUserId();
      const answers = await together(() => client.event('lessons', id, 1, { idempotencyKey: 'once' }));
      const byStatus = (status: number) => answers.filter((answer) => answer.status === status);
      expect([byStatus(201).length, byStatus(202).length]).toEqual([1, PARALLEL - 1]);
      expect(new Set(answers.map(({ json }) => json.eventId)).size).toBe(1);
      expect(byStatus(201)[0]?.json).toMatchObject({ total: 1, idempotentReplayed: false });
      for (const { json } of byStatus(202)) expect(json).toMatchObject({ total: 1, idempotentReplayed: true });
      expect((await client.read(`/v1/users/${id}/points/xp`)).total).toBe(10);
    });

    it('answers each of many simultaneous requests without a key with its own exact result', async () => {
      const id = newUserId();
      await client.record('reviews', id, 1.5);
      const answers = await together(() => client.event('lessons', id, 1));
      const bodies: Json[] = answers.map(({ json }) => json);
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
      const totals = bodies.map(({ total }) => total).sort((one, other) => one - other);
      expect(totals).toEqual(Array.from({ length: PARALLEL }, (_, index) => index + 1));
      expect(bodies.filter(({ currentStreak }) => currentStreak.extended)).toHaveLength(1);
      expect(new Set(bodies.map(({ eventId }) => eventId)).size).toBe(PARALLEL);
      const added = bodies.reduce((sum, { points }) => sum + points.xp.added, 0);
      expect(added).toBe(PARALLEL * 10 + 5 + 50);
      expect((await client.read(`/v1/users/${id}/points/xp`)).total).toBe(added);
      for (const body of bodies) expect(body).not.toHaveProperty('idempotencyKey');
      for (const body of bodies) expect(body).not.toHaveProperty('idempotentReplayed');
    });

    it('is per user and per metric', async () => {
      const [one, other] = [newUserId(), newUserId()];
      const key = { idempotencyKey: 'shared' };
      expect((await client.event('lessons', one, 1, key)).status).toBe(201);
      expect((await client.event('words', one, 1, key)).status).toBe(201);
      expect((await client.event('lessons', other, 1, key)).status).toBe(201);
      expect((await client.event('lessons', one, 1, key)).status).toBe(202);
    });

    it('replays the state of now, whatever the body says, and changes nothing', async () => {
      const id = newUserId();
      const key = { idempotencyKey: 'k' };
      const original = (await client.event('lessons', id, 1, { ...key, user: { name: 'Ada' } })).json;
      await client.record('lessons', id, 2);
      const { status, json } = await client.event('lessons', id, 500, { ...key, user: { name: 'Eve' } });
      expect(status).toBe(202);
      expect(json).toMatchObject({ eventId: original.eventId, total: 3, achievements: [], idempotencyKey: 'k' });
      expect(json.currentStreak.extended).toBe(false);
      expect(Object.keys(json.points)).toEqual(['xp']);
      expect(json.points.xp).toMatchObject({ total: 30, added: 0, awards: [] });
      expect(json.points.xp).not.toHaveProperty('level');
      expect(Object.keys(json.leaderboards).sort()).toEqual(['lessons-all', 'xp-monthly']);
      for (const { previousRank, rank } of Object.values<Json>(json.leaderboards)) {
        expect(rank).toEqual(expect.any(Number));
        expect(previousRank).toBe(rank);
      }
      expect((await client.read(`/v1/users/${id}`)).name).toBe('Ada');
    });

    it('names in a replay also the boards on which the user has no value', async () => {
      const id = newUserId();
      const send = () => client.event('words', id, 0, { idempotencyKey: 'nothing' });
      expect((await send()).json.leaderboards).toEqual({});
      const { json } = await send();
      expect(Object.keys(json.leaderboards).sort()).toEqual(['words-all', 'words-daily']);
      expect(json.leaderboards['words-all']).toMatchObject({ previousRank: null, rank: null });
    });

    it('leaves the key of a refused request unused', async () => {
      const id = newUserId();
      const headers = { 'idempotency-key': 'k' };
      const refused = await client.send('POST', '/api/metrics/lessons/event', { headers, body: { user: { id } } });
      expect(refused.status).toBe(422);
      expect((await client.event('lessons', id, 1, { idempotencyKey: 'k' })).status).toBe(201);
    });

    it('is the same through the header, the body and a batch, without the blanks around it', async () => {
      const id = newUserId();
      const key = 'ключ 🙂';
      const { json } = await client.event('lessons', id, 1, { idempotencyKey: Buffer.from(key).toString('latin1') });
      expect(json).toMatchObject({ total: 1, idempotentReplayed: false, idempotencyKey: key });
      const event = { user: { id }, value: 1, idempotencyKey: `\t ${key} ` };
      const single = await client.send('POST', EVENT, { body: event });
      expect(single).toMatchObject({ status: 202, json: { eventId: json.eventId, idempotencyKey: key } });
      const batch = await client.batch([{ metric: 'lessons', ...event }], '?results=full');
      expect(batch.json.results[0]).toMatchObject({
        status: 202,
        body: { eventId: json.eventId, idempotencyKey: key },
      });
    });

    it('matches an event that an earlier release recorded with the key read as Latin-1 or with its blanks', async () => {
      const id = newUserId();
      const send = (key: string, metric = 'lessons') =>
        client.batch([{ metric, user: { id }, value: 1, idempotencyKey: key }]);
      const { json } = await send('schlÃ¼ssel');
      const header = Buffer.from('schlüssel').toString('latin1');
      const retry = await client.event('lessons', id, 1, { idempotencyKey: header });
      expect(retry).toMatchObject({ status: 202, json: { eventId: json.results[0].eventId, total: 1 } });
      expect((await send('schlüssel')).json.results).toMatchObject([{ status: 202, eventId: json.results[0].eventId }]);
      expect((await client.event('words', id, 1, { idempotencyKey: header })).status).toBe(201);
      expect((await client.read(`/v1/users/${id}/metrics/lessons`)).current).toBe(1);
    });

    it('in the body must equal the one in the header', async () => {
      const id = newUserId();
      const headers = { 'idempotency-key': 'a' };
      const body = { user: { id }, value: 1 };
      const other = await client.send('POST', EVENT, { headers, body: { ...body, idempotencyKey: 'b' } });
      expect(other.json).toMatchObject({ status: 422, errors: [{ path: 'idempotencyKey' }] });
      const same = await client.send('POST', EVENT, { headers, body: { ...body, idempotencyKey: 'a' } });
      expect(same).toMatchObject({ status: 201, json: { idempotencyKey: 'a' } });
      const none = await client.send('POST', EVENT, { headers, body: { ...body, idempotencyKey: null } });
      expect(none).toMatchObject({ status: 202, json: { idempotencyKey: 'a' } });
    });

    it('means the content of a header that is wholly in quotes', async () => {
      const id = newUserId();
      const { json } = await client.event('lessons', id, 1, { idempotencyKey: '"say \\"hi\\""' });
      expect(json).toMatchObject({ total: 1, idempotentReplayed: false, idempotencyKey: 'say "hi"' });
      const retries = [
        await client.event('lessons', id, 1, { idempotencyKey: ' "say \\"hi\\"" ' }),
        await client.event('lessons', id, 1, { idempotencyKey: 'say "hi"' }),
        await client.send('POST', EVENT, { body: { user: { id }, value: 1, idempotencyKey: 'say "hi"' } }),
      ];
      for (const retry of retries)
        expect(retry).toMatchObject({ status: 202, json: { eventId: json.eventId, idempotencyKey: 'say "hi"' } });
      const batch = await client.batch([{ metric: 'lessons', user: { id }, value: 1, idempotencyKey: 'say "hi"' }]);
      expect(batch.json.results).toMatchObject([{ status: 202, eventId: json.eventId }]);
      const empty = await client.event('lessons', id, 1, { idempotencyKey: '""' });
      expect(empty).toMatchObject({ status: 422, json: { errors: [{ path: 'Idempotency-Key' }] } });
    });

    it('is compared with its twin in the body by the content of the header', async () => {
      const body = { user: { id: newUserId() }, value: 1 };
      const headers = { 'idempotency-key': '"a"' };
      const other = await client.send('POST', EVENT, { headers, body: { ...body, idempotencyKey: '"a"' } });
      expect(other.json).toMatchObject({ status: 422, errors: [{ path: 'idempotencyKey' }] });
      const same = await client.send('POST', EVENT, { headers, body: { ...body, idempotencyKey: 'a' } });
      expect(same).toMatchObject({ status: 201, json: { idempotencyKey: 'a' } });
    });

    it('in quotes is first the key that was recorded with them, as by earlier releases', async () => {
      const id = newUserId();
      const batch = (idempotencyKey: string) =>
        client.batch([{ metric: 'lessons', user: { id }, value: 1, idempotencyKey }]);
      const quoted = (await batch('"ü"')).json.results[0];
      const plain = (await batch('ü')).json.results[0];
      expect([quoted.status, plain.status]).toEqual([201, 201]);
      const header = (key: string) =>
        client.event('lessons', id, 1, { idempotencyKey: Buffer.from(key).toString('latin1') });
      expect(await header('"ü"')).toMatchObject({
        status: 202,
        json: { eventId: quoted.eventId, idempotencyKey: 'ü' },
      });
      expect(await header('ü')).toMatchObject({ status: 202, json: { eventId: plain.eventId } });
      expect((await batch('"ü"')).json.results).toMatchObject([{ status: 202, eventId: quoted.eventId }]);
      expect((await client.read(`/v1/users/${id}/metrics/lessons`)).current).toBe(2);
    });

    it('in quotes is not mistaken for another text of a body', async () => {
      const id = newUserId();
      const send = (idempotencyKey: string) =>
        client.send('POST', EVENT, { body: { user: { id }, value: 1, idempotencyKey } });
      const { json } = await send('"k"');
      expect(json).toMatchObject({ idempotentReplayed: false, idempotencyKey: '"k"' });
      const retry = await client.event('lessons', id, 1, { idempotencyKey: '"k"' });
      expect(retry).toMatchObject({ status: 202, json: { eventId: json.eventId } });
      expect(await send('k')).toMatchObject({ status: 201, json: { total: 2 } });
    });

    it('may be in quotes for a grant, too', async () => {
      const id = newUserId();
      await client.event('lessons', id, 1);
      const grant = (key: string) =>
        client.send('POST', `/admin/v1/users/${id}/grants/points`, {
          headers: { 'idempotency-key': key },
          body: { system: 'xp', amount: 5, reason: 'thanks' },
        });
      const first = await grant('"t"');
      expect(first).toMatchObject({ status: 201, json: { idempotencyKey: 't' } });
      expect(await grant('t')).toMatchObject({ status: 202, json: { eventId: first.json.eventId } });
    });

    it('is the same through both paths and through a batch', async () => {
      const id = newUserId();
      const idempotencyKey = 'schlüssel';
      const { json } = await client.batch([{ key: 'lessons', user: { id }, value: 1, idempotencyKey }]);
      expect(json).toMatchObject({ accepted: 1, results: [{ index: 0, status: 201 }] });
      const header = Buffer.from(idempotencyKey).toString('latin1');
      const body = { user: { id }, value: 1 };
      for (const path of ['/api/metrics/lessons/event', '/v1/metrics/lessons/event']) {
        const answer = await client.send('POST', path, { headers: { 'idempotency-key': header }, body });
        expect(answer).toMatchObject({ status: 202, json: { eventId: json.results[0].eventId, idempotencyKey } });
      }
    });
  });
}
