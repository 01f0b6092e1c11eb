import { describe, expect, it } from '@jest/globals';
import { type Client, type Json, newUserId } from './client.ts';

/** Tests conditions on attributes of events and users (specification, section 6.16). */
export function describeConditions(client: Client): void {
  const send = (id: string, value: number, course: string | null, attributes: Json | undefined) =>
    client.send('POST', '/v1/metrics/words/event', {
      body: {
        user: { id, ...(attributes && { attributes }) },
        value,
        ...(course !== null && { attributes: { course } }),
      },
    });
  const learn = (id: string, value: number, course: string | null, plan?: string) =>
    send(id, value, course, plan === undefined ? undefined : { plan });
  const listen = (id: string, value: number, course: string, member?: string) =>
    send(id, value, course, member === undefined ? undefined : { member });
  const totalOf = async (id: string) => (await client.read(`/v1/users/${id}/points/capped`)).total;

  describe('conditions', () => {
    it('count only events and users with the attributes that a trigger requires', async () => {
      const id = newUserId();
      expect((await learn(id, 2, 'radio', 'pro')).json.points.capped).toMatchObject({ total: 2, added: 2 });
      expect((await learn(id, 1, 'chess')).json.points).not.toHaveProperty('capped');
      expect((await learn(id, 1, null)).json.points).not.toHaveProperty('capped');
      // The user no longer matches; the event counts all the same, and its multiple is lost.
      expect((await learn(id, 1, 'radio', 'free')).json.points).not.toHaveProperty('capped');
      expect((await client.send('PUT', `/v1/users/${id}`, { body: { attributes: { plan: 'pro' } } })).status).toBe(200);
      expect((await learn(id, 1, 'radio')).json.points.capped).toMatchObject({ total: 3, added: 1 });
      expect(await totalOf(id)).toBe(3);
    });

    it('are met by batches and imports', async () => {
      const id = newUserId();
      const event = {
        metric: 'words',
        user: { id, attributes: { plan: 'pro' } },
        value: 1,
        attributes: { course: 'radio' },
      };
      await client.batch([event, { ...event, attributes: { course: 'tv' } }, event], '?results=full');
      expect(await totalOf(id)).toBe(2);
    });

    it('complete an achievement with the first record at which it is reached and the user matches', async () => {
      const id = newUserId();
      const completedBy = ({ json }: { json: Json }) => json.achievements.map(({ key }: Json) => key);
      expect(completedBy(await listen(id, 2, 'radio'))).toEqual([]);
      expect(completedBy(await listen(id, 5, 'chess', 'silver'))).toEqual([]);
      expect(completedBy(await listen(id, 2, 'radio', 'gold'))).toEqual(['radio-gold', 'wordy-gold']);
      const other = newUserId();
      await listen(other, 20, 'radio');
      for (const metric of ['lessons', 'reviews'])
        await client.send('POST', `/v1/metrics/${metric}/event`, { body: { user: { id: other }, value: 2 } });
      await client.send('PUT', `/v1/users/${other}`, { body: { attributes: { member: 'gold' } } });
      const completed = await client.read(`/v1/users/${other}/achievements`);
      expect(completed.map(({ key }: Json) => key)).toEqual(
        expect.arrayContaining(['radio-gold', 'wordy-gold', 'lasting-gold', 'whole-gold']),
      );
      expect(completed.find(({ key }: Json) => key === 'radio-gold')).toMatchObject({
        userAttributes: [{ key: 'member', value: 'gold' }],
        eventAttribute: { key: 'course', value: 'radio' },
      });
    });

    it('of an achievement are explained', async () => {
      const id = newUserId();
      await listen(id, 9, 'chess', 'silver');
      const why = (key: string) => client.read(`/admin/v1/users/${id}/explain/achievements/${key}`);
      expect(await why('wordy-gold')).toMatchObject({
        ...{ status: 'user_differs', completesWith: 'any_record', userAttributes: [{ key: 'member', value: 'gold' }] },
      });
      expect(await why('radio-gold')).toMatchObject({ status: 'open', have: 0, need: 3, missing: 3 });
      expect(await why('lasting-gold')).toMatchObject({ status: 'open', have: 0, need: 1 });
    });

    it('are shown with the trigger', async () => {
      const { triggers } = await client.read('/v1/points/capped');
      expect(triggers.at(-1)).toMatchObject({
        eventAttribute: { key: 'course', value: 'radio' },
        eventAttributes: [{ key: 'course', value: 'radio' }],
        userAttributes: [{ key: 'plan', value: 'pro' }],
      });
    });
  });
}
