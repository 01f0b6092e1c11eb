import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { consoleSuite, type Visit } from '@laurel/testing/console';
import { HTTP_SUITE_CONFIGURATION } from '@laurel/testing/http-suite';
import { parse } from 'yaml';
import { TEST_KEY, serveInProcess } from './testing/serve-in-process.ts';

const suite = consoleSuite((connection) => serveInProcess(connection, HTTP_SUITE_CONFIGURATION));
const { ask, record } = suite;
let visit: Visit;
const LOST = /may have been carried out anyway/;
const button = (name: string) => visit.page.getByRole('button', { name, exact: true });
const dialog = () => visit.page.getByRole('dialog');

/** The service does what the next request asks for, and its answer is lost on the way. */
const loseAnswer = (method: string, path: string): Promise<unknown> => {
  let isLost = false;
  return visit.page.route(
    (url) => url.pathname === path && !url.searchParams.has('preview'),
    async (route) => {
      if (isLost || route.request().method() !== method) return route.continue();
      isLost = true;
      await route.fetch();
      await route.abort();
    },
  );
};

beforeAll(() => record({ id: 'ada' }));
beforeEach(async () => {
  visit = await suite.visit();
  await visit.signIn(TEST_KEY);
});
afterEach(async () => {
  await visit.page.unrouteAll({ behavior: 'ignoreErrors' });
  await visit.end();
});

it('the list of keys shows a key whose answer was lost', async () => {
  await visit.openWhole('/keys');
  await loseAnswer('POST', '/admin/v1/keys');
  await visit.page.getByLabel('Label', { exact: true }).fill('unseen');
  await button('Create key').click();
  await visit.page.getByRole('alert').getByText(LOST).waitFor();
  await visit.page.getByRole('row', { name: /^unseen/ }).waitFor();
});

it('the points behind the dialog include a grant whose answer was lost', async () => {
  const total = async () => Number((await ask('GET', '/admin/v1/users/ada')).points[0].total);
  const before = await total();
  await visit.openWhole('/users/ada');
  await button('Grant …').click();
  await dialog()
    .getByLabel(/^Points \(/)
    .fill('7');
  await dialog()
    .getByLabel(/^Reason/)
    .fill('Because.');
  await loseAnswer('POST', '/admin/v1/users/ada/grants/points');
  await dialog().getByRole('button', { name: 'Grant', exact: true }).click();
  await dialog().getByRole('alert').getByText(LOST).waitFor();
  await button('Cancel').click();
  await visit.page
    .locator('.figure strong')
    .getByText(String(before + 7), { exact: true })
    .first()
    .waitFor();
  expect(await total()).toBe(before + 7);
});

it('an erasure whose answer was lost is reported as done when it is tried again', async () => {
  await record({ id: 'gone' });
  await visit.openWhole('/users/gone');
  await button('Erase …').click();
  await dialog().getByRole('row').nth(1).waitFor();
  await dialog()
    .getByLabel(/^Reason/)
    .fill('As requested.');
  await dialog()
    .getByLabel(/^Type the id/)
    .fill('gone');
  await loseAnswer('DELETE', '/admin/v1/users/gone');
  await button('Erase for good').click();
  await dialog().getByRole('alert').getByText(LOST).waitFor();
  await button('Erase for good').click();
  await dialog().getByRole('alert').getByText('The user was erased').waitFor();
});

describe('the webhooks page', () => {
  const received: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
  const receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      response.writeHead(204).end();
    });
  });
  const urlOf = (path: string) => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}${path}`;

  beforeAll(async () => {
    await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
    const document = { ...(parse(HTTP_SUITE_CONFIGURATION) as object), outgoing: { events: 'all' } };
    await ask('POST', '/admin/v1/configurations', { document });
  });
  afterAll(() => {
    receiver.closeAllConnections();
    receiver.close();
  });

  it('creates a second endpoint when the answer to the first request was lost', async () => {
    await visit.openWhole('/webhooks');
    await button('Create an endpoint …').click();
    await dialog().getByLabel('URL').fill(urlOf('/twice'));
    await loseAnswer('POST', '/admin/v1/webhooks');
    await button('Create').click();
    await dialog().getByRole('alert').getByText(LOST).waitFor();
    await button('Create').click();
    await visit.page.locator('.secret').waitFor();
    const all = (await ask('GET', '/admin/v1/webhooks')) as readonly { readonly url: string }[];
    expect(all.filter(({ url }) => url === urlOf('/twice'))).toHaveLength(2);
  });

  it('asks before it rotates a secret again, which cuts off receivers with the previous secret', async () => {
    const made = await ask('POST', '/admin/v1/webhooks', { url: urlOf('/rotated') });
    const isSigned = async () => {
      received.length = 0;
      await button('Send a test').click();
      await visit.shows('Answered with 204');
      const [{ headers, body } = { headers: {}, body: '' }] = received;
      const key = Buffer.from(made.secret.replace(/^whsec_/, ''), 'base64');
      const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
      const signature = createHmac('sha256', key).update(signed).digest('base64');
      return String(headers['webhook-signature']).includes(signature);
    };
    const asked: string[] = [];
    visit.page.on('dialog', (question) => {
      asked.push(question.message());
      void question.accept();
    });
    await visit.openWhole(`/webhooks?endpoint=${made.id}`);
    await loseAnswer('POST', `/admin/v1/webhooks/${made.id}/secret`);
    await button('Rotate the secret').click();
    await visit.page.getByRole('alert').getByText(LOST).waitFor();
    await visit.shows('Earlier secret');
    expect(await isSigned()).toBe(true);
    await button('Rotate the secret').click();
    await visit.page.locator('.secret').waitFor();
    expect(await isSigned()).toBe(false);
    expect(asked).toEqual([
      expect.stringContaining('also signs for 24 hours'),
      expect.stringContaining('stops signing at once'),
    ]);
  });
});
