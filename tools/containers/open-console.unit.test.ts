import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

// The tools have no types: what they take and give is in their comments.
const { openConsole } = await import(new URL('./open-console.mjs', import.meta.url).href);

const PAGE = ['text/html; charset=utf-8', '<script type="module" src="/console/assets/main-1.js"></script>'] as const;
const SCRIPT = ['text/javascript; charset=utf-8', 'start();'] as const;

describe('openConsole', () => {
  let server: Server;
  let url: string;
  let files: Readonly<Record<string, readonly [type: string, text: string]>>;

  beforeAll(async () => {
    server = createServer((request, response) => {
      const [type, text] = files[request.url ?? ''] ?? ['application/json', '{}'];
      response.writeHead(files[request.url ?? ''] === undefined ? 404 : 200, { 'content-type': type }).end(text);
    });
    await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server.close());

  it('accepts a page with the script that it loads', async () => {
    files = { '/console': PAGE, '/console/assets/main-1.js': SCRIPT };
    await openConsole(url);
  });

  it.each([
    ['there is no page', {}, /\/console was answered with 404/],
    ['the page loads nothing', { '/console': ['text/html', '<p>Not built.</p>'] }, /loads no script/],
    ['its script is missing', { '/console': PAGE }, /main-1\.js was answered with 404/],
    ['its script is empty', { '/console': PAGE, '/console/assets/main-1.js': [SCRIPT[0], ''] }, /is empty/],
  ] as [string, typeof files, RegExp][])('fails when %s', async (_, given, why) => {
    files = given;
    await expect(openConsole(url)).rejects.toThrow(why);
  });
});
