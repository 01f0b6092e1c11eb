import { describe, expect, it } from '@jest/globals';
import { type Client, type Json, newUserId } from './client.ts';

/** Tests the audit of administrative events (specification, section 9.14). */
export function describeAudit(client: Client): void {
  describe('the audit', () => {
    const entries = async (): Promise<Json[]> => (await client.read('/admin/v1/audit?limit=100')).entries;

    it('tells of a grant whom it was given to, by whom and why', async () => {
      const [id, reason] = [newUserId('granted'), `for the outage, ${newUserId('reason')}`];
      await client.record('lessons', id, 1);
      const body = { system: 'xp', amount: 40, reason };
      const granted = await client.send('POST', `/admin/v1/users/${id}/grants/points`, { body });
      expect(granted.status).toBe(201);
      const shown = await entries();
      expect(shown.filter(({ userId }) => userId === id)).toEqual([
        {
          ...{ id: granted.json.eventId, type: 'GrantRecorded', userId: id, by: 'environment', reason },
          at: expect.any(String),
          details: { grant: expect.objectContaining({ kind: 'points', system: 'xp' }) },
        },
      ]);
    });

    it('tells of a key that it was created and revoked, newest first', async () => {
      const body = { label: 'audited', scopes: ['export'], reason: 'a till' };
      const { json: key } = await client.send('POST', '/admin/v1/keys', { body });
      await client.send('DELETE', `/admin/v1/keys/${key.id}?reason=it%20leaked`);
      const shown = await entries();
      const ofKey = shown.filter(({ details }) => details.id === key.id);
      expect(ofKey.map(({ type, reason }) => [type, reason])).toEqual([
        ['ApiKeyRevoked', 'it leaked'],
        ['ApiKeyCreated', 'a till'],
      ]);
      expect(JSON.stringify(shown)).not.toContain(key.key);
    });
  });
}
