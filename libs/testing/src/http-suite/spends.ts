import { describe, expect, it } from '@jest/globals';
import { type Client, type Json, newUserId } from './client.ts';

/** Tests spends and refunds (specification, section 6.12). */
export function describeSpends(client: Client): void {
  const spend = (id: string, amount: number, key: string, more: Json = {}) =>
    client.send('POST', `/v1/users/${id}/points/xp/spend`, {
      body: { amount, ...more },
      headers: { 'idempotency-key': key },
    });
  const refund = (id: string, eventId: string, key: string, body: Json = {}) =>
    client.send('POST', `/v1/users/${id}/points/xp/spends/${eventId}/refund`, {
      body,
      headers: { 'idempotency-key': key },
    });
  /** A user with 100 xp. */
  const rich = async (): Promise<string> => {
    const id = newUserId();
    await client.send('PUT', `/v1/users/${id}`, { body: {} });
    const body = { system: 'xp', amount: 100, reason: 'to spend' };
    expect((await client.send('POST', `/admin/v1/users/${id}/grants/points`, { body })).status).toBe(201);
    return id;
  };
  const totalOf = async (id: string) => (await client.read(`/v1/users/${id}/points/xp`)).total;

  describe('spends', () => {
    it('succeed as often as the total allows, however many come at once', async () => {
      const id = await rich();
      const calls = await Promise.all(Array.from({ length: 20 }, (_, call) => spend(id, 9, `order-${call}`)));
      expect(calls.filter(({ status }) => status === 201)).toHaveLength(11);
      expect(calls.filter(({ json }) => json.code === 'insufficient_points')).toHaveLength(9);
      expect(await totalOf(id)).toBe(1);
    });

    it('are decided once, whatever comes later', async () => {
      const id = await rich();
      const refused = await spend(id, 120, 'order-1', { reference: 'cart 7' });
      expect(refused).toMatchObject({ status: 422, json: { code: 'insufficient_points', balance: 100, missing: 20 } });
      const spent = await spend(id, 60, 'order-2', { reason: 'A hat' });
      expect(spent).toMatchObject({
        status: 201,
        json: { spent: 60, reason: 'A hat', points: { xp: { total: 40, added: -60 } }, idempotentReplayed: false },
      });
      await client.record('lessons', id, 30);
      expect(await spend(id, 1, 'order-1')).toMatchObject({
        status: 422,
        json: { eventId: refused.json.eventId, balance: 100, missing: 20, idempotentReplayed: true },
      });
      expect(await spend(id, 99, 'order-2')).toMatchObject({
        status: 202,
        json: { eventId: spent.json.eventId, spent: 60, points: { xp: { added: 0 } }, idempotentReplayed: true },
      });
    });

    it('are given back by refunds, at most what is left of them', async () => {
      const id = await rich();
      const { eventId } = (await spend(id, 60, 'order-1')).json;
      expect(await refund(id, eventId, 'back-1', { amount: 25 })).toMatchObject({
        status: 201,
        json: { refunded: 25, points: { xp: { total: 65, added: 25 } } },
      });
      expect(await refund(id, eventId, 'back-2', { amount: 36 })).toMatchObject({
        status: 422,
        json: { code: 'already_refunded', left: 35 },
      });
      expect(await refund(id, eventId, 'back-3')).toMatchObject({ status: 201, json: { refunded: 35 } });
      expect(await refund(id, eventId, 'back-1')).toMatchObject({ status: 202, json: { refunded: 25 } });
      expect(await totalOf(id)).toBe(100);
      const { events } = await client.read(`/admin/v1/users/${id}/events?limit=2`);
      expect(events.map(({ type }: Json) => type)).toEqual(['RefundRequested', 'RefundRequested']);
    });
  });
}
