import { describe, expect, it } from '@jest/globals';
import { type Client, newUserId } from './client.ts';

/** Tests conditions on attributes of events and users (specification, section 6.16). */
export function describeConditions(client: Client): void {
  const learn = (id: string, value: number, course: string | null, plan?: string) =>
    client.send('POST', '/v1/metrics/words/event', {
      body: {
        user: { id, ...(plan !== undefined && { attributes: { plan } }) },
        value,
        ...(course !== null && { attributes: { course } }),
      },
    });
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
