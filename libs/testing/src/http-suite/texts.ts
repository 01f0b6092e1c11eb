import { describe, expect, it } from '@jest/globals';
import { type Client, newUserId } from './client.ts';
import { HTTP_SUITE_CONFIGURATION } from './configuration.ts';

const CURRENT = '/admin/v1/configurations/current';

/** Tests the text of the configuration in force (specification, section 9.2). */
export function describeTexts(client: Client): void {
  describe('the text of the configuration', () => {
    it('is shown as it was written; one that says the same replaces it and makes no version', async () => {
      const before = await client.read(CURRENT);
      const comment = `# ${newUserId('commented')}: ☕\r\n`;
      const text = `${comment}${HTTP_SUITE_CONFIGURATION}`;
      const published = await client.send('POST', '/admin/v1/configurations', { body: { text } });
      expect([published.status, published.json]).toEqual([200, { ...before, text }]);
      expect(await client.read(CURRENT)).toEqual({ ...before, text });
    });
  });
}
