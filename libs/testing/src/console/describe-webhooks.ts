import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parse } from 'yaml';
import { HTTP_SUITE_CONFIGURATION, type Json } from '../http-suite/index.ts';
import type { ConsoleUnderTest } from './describe-user-page.ts';

/** Tests the page of webhooks, at a service that may send to 127.0.0.1. */
export function describeWebhooks({ visit, ask, settled }: ConsoleUnderTest): void {
  describe('webhooks', () => {
    const HOSTILE = '<img src=x onerror=alert(1)>';
    const received: string[] = [];
    let isWell = false;
    const receiver = createServer((request, response) => {
      received.push(String(request.headers['webhook-id']));
      request.resume();
      response.writeHead(isWell ? 204 : 500).end(isWell ? undefined : HOSTILE);
    });
    let url: string;
    const button = (name: string | RegExp) => visit().page.getByRole('button', { name });
    const chip = (text: string) => visit().page.locator('.chip', { hasText: new RegExp(`^${text}$`) });

    beforeAll(async () => {
      await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
      url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
      const document = { ...(parse(HTTP_SUITE_CONFIGURATION) as object), outgoing: { events: 'all' } };
      await ask('POST', '/admin/v1/configurations', { document });
      await settled();
    });
    afterAll(() => {
      receiver.closeAllConnections();
      receiver.close();
    });

    it('are created, shown with what was answered, sent again, disabled and rotated', async () => {
      await visit().openWhole('/webhooks');
      await button('Create an endpoint …').click();
      await visit().page.getByLabel('URL').fill(url);
      await visit().page.getByLabel('Types of outcomes').fill('user.created, points.changed');
      await visit().picture('webhooks-create');
      expect(await visit().violations()).toEqual([]);
      await button(/^Create$/).click();
      const secret = (await visit().page.locator('.secret').textContent()) ?? '';
      expect(secret).toMatch(/^whsec_/);

      await ask('POST', '/v1/metrics/lessons/event', { user: { id: 'hedy' }, value: 3 });
      const deliveries = visit().page.getByRole('region', { name: 'Deliveries, newest first' });
      const created = deliveries.getByRole('row', { name: /^user\.created/ });
      await created.getByText('failed', { exact: true }).waitFor();
      await created.getByText('500', { exact: true }).waitFor();
      await created.getByText('First KiB').click();
      expect(await created.locator('.answer').textContent()).toBe(HOSTILE);
      await visit().picture('webhooks-failed');
      expect([await visit().violations(), await visit().page.locator('.answer img').count()]).toEqual([[], 0]);

      isWell = true;
      await created.getByRole('button', { name: /^Resend/ }).click();
      await created.getByText('delivered', { exact: true }).waitFor();
      const webhook = (await ask('GET', '/admin/v1/webhooks')).find((one: Json) => one.url === url);
      const { deliveries: listed } = await ask('GET', `/admin/v1/webhooks/${webhook.id}/deliveries`);
      const { outcome } = listed.find(({ type }: Json) => type === 'user.created');
      const before = received.filter((id) => id === outcome).length;
      await created.getByRole('button', { name: /^Resend/ }).click();
      while (received.filter((id) => id === outcome).length === before)
        await new Promise((resolve) => setImmediate(resolve));

      await button('Send a test').click();
      await visit().shows('Answered with 204');
      await button('Disable').click();
      await chip('disabled').waitFor();
      await button('Enable').click();
      await chip('disabled').waitFor({ state: 'detached' });
      visit().page.once('dialog', (dialog) => void dialog.accept());
      await button('Rotate the secret').click();
      await visit().shows('Earlier secret');
      const rotated = (await visit().page.locator('.secret').textContent()) ?? '';
      expect(rotated).toMatch(/^whsec_/);
      expect(rotated).not.toBe(secret);
      await visit().openWhole('/webhooks');
      const content = await visit().page.content();
      expect([content.includes(secret), content.includes(rotated)]).toEqual([false, false]);
    });
  });
}
