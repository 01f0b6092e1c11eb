import {
  createClock,
  createHttpApplication,
  createLogger,
  fullScopeKey,
  Health,
  type HttpApplication,
} from '@laurel/runtime';
import { DocumentsModule } from './documents-module.ts';
import { openApiDocument } from './openapi-document.ts';

let http: HttpApplication;
beforeAll(async () => {
  http = await createHttpApplication({
    modules: [DocumentsModule.register()],
    keys: fullScopeKey('a key for the tests only', 'default'),
    health: new Health(createClock({ type: 'system' })),
    logger: createLogger('silent'),
  });
});
afterAll(() => http.close());

const get = (url: string, headers: Record<string, string> = {}) => http.fastify.inject({ url, headers });

describe('the description of the API', () => {
  it('is served without a key as /openapi.json', async () => {
    const { statusCode, headers, body } = await get('/openapi.json');
    expect([statusCode, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(JSON.parse(body)).toEqual(JSON.parse(JSON.stringify(openApiDocument())));
  });

  it('is not sent again to who has it', async () => {
    for (const url of ['/openapi.json', '/docs', '/docs/swagger-ui.css']) {
      const { etag } = (await get(url)).headers as { etag: string };
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const { statusCode, body } = await get(url, { 'if-none-match': known });
        expect([url, known, statusCode, body]).toEqual([url, known, 304, '']);
      }
      expect((await get(url, { 'if-none-match': '"other"' })).statusCode).toBe(200);
    }
  });

  it('can be browsed at /docs, whose page asks for nothing but what is served here', async () => {
    const { statusCode, headers, body } = await get('/docs');
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const referred = [...body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url ?? '');
    expect(referred).toHaveLength(5);
    for (const url of referred) expect([url, (await get(`/${url}`)).statusCode]).toEqual([url, 200]);
    expect(body).not.toMatch(/<script>|style="|https?:/);
  });

  it('lets the page run nothing but its own files, and ask nobody else', async () => {
    const policy = String((await get('/docs')).headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(policy).not.toMatch(/unsafe|\*|http/);
    const { body } = await get('/docs/docs.js');
    expect(body).toContain("url: 'openapi.json'");
    expect(body).toContain('validatorUrl: null');
  });

  it('serves each file by its type, and tells browsers not to guess', async () => {
    const types = {
      'swagger-ui.css': 'text/css',
      'swagger-ui-bundle.js': 'text/javascript',
      'docs.js': 'text/javascript',
    };
    for (const [file, type] of Object.entries(types)) {
      const { headers } = await get(`/docs/${file}`);
      expect(headers).toMatchObject({ 'content-type': `${type}; charset=utf-8`, 'x-content-type-options': 'nosniff' });
    }
    const { headers, rawPayload } = await get('/docs/favicon.png');
    expect(headers['content-type']).toBe('image/png');
    expect(rawPayload.subarray(1, 4).toString()).toBe('PNG');
  });

  it('serves no other file of the disk, whatever the name', async () => {
    const names = ['index.html', 'package.json', 'swagger-ui.js', 'openapi.json', 'docs', '__proto__', 'toString'];
    const tricks = ['..%2fpackage.json', '%2e%2e%2fpackage.json', '..%5cpackage.json', '%2fetc%2fpasswd', 'docs.js%00'];
    for (const name of [...names, ...tricks]) {
      const { statusCode, body } = await get(`/docs/${name}`);
      expect([name, statusCode, JSON.parse(body).code]).toEqual([name, 404, 'unknown_path']);
    }
    for (const url of ['/docs/../package.json', '/docs/docs.js/x', '/docs.js'])
      expect([url, (await get(url)).statusCode]).toEqual([url, 404]);
  });

  it('is there with a slash behind the path, the page by a redirect that keeps its relative addresses right', async () => {
    expect((await get('/openapi.json/')).statusCode).toBe(200);
    expect((await get('/docs/docs.js/')).statusCode).toBe(200);
    for (const url of ['/docs/', '/docs/?x']) {
      const { statusCode, headers } = await get(url);
      expect([statusCode, new URL(String(headers.location), `http://host/behind/a/proxy${url}`).pathname]).toEqual([
        308,
        '/behind/a/proxy/docs',
      ]);
    }
  });

  it('is there for HEAD as well', async () => {
    for (const url of ['/openapi.json', '/docs', '/docs/docs.js']) {
      const { statusCode, body, headers } = await http.fastify.inject({ method: 'HEAD', url });
      expect([url, statusCode, body]).toEqual([url, 200, '']);
      expect(Number(headers['content-length'])).toBeGreaterThan(100);
    }
  });
});
