import {
  createClock,
  createHttpApplication,
  createLogger,
  fullScopeKey,
  Health,
  type HttpApplication,
} from '@laurel/runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { gunzipSync } from 'node:zlib';
import type { Configuration } from '@laurel/kernel';
import { OPERATIONS, PROBLEM_CODES, problemOf, type Tag, TAGS } from '@laurel/schemas';
import { DocumentsController, DocumentsModule } from './documents-module.ts';
import { homePage } from './home-page.ts';
import { openApiDocument, type OpenApiDocument } from './openapi-document.ts';

const NOTHING_PUBLISHED = { configuration: () => null };

let http: HttpApplication;
beforeAll(async () => {
  http = await createHttpApplication({
    modules: [DocumentsModule.register(NOTHING_PUBLISHED)],
    keys: fullScopeKey('a key for the tests only', 'default'),
    health: new Health(createClock({ type: 'system' })),
    logger: createLogger('silent'),
  });
});
afterAll(() => http.close());

const whole = JSON.parse(JSON.stringify(openApiDocument())) as OpenApiDocument;
const pathsByTag = Object.fromEntries(
  Object.keys(TAGS).map((tag) => [
    tag,
    [...new Set(OPERATIONS.filter((operation) => operation.tag === tag).map(({ path }) => path))],
  ]),
) as Record<Tag, string[]>;

const get = (url: string, headers: Record<string, string> = {}) => http.fastify.inject({ url, headers });

describe('the home page of a service', () => {
  it('links to the console only when there is one', () => {
    expect(homePage('0.1.0', true)).toContain('<a href="console">console</a>');
    expect(homePage('0.1.0', false)).not.toContain('console');
  });
});

describe('the API document', () => {
  it('is served as /openapi.json without a key', async () => {
    const { statusCode, headers, body } = await get('/openapi.json');
    expect([statusCode, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    const { paths, webhooks } = JSON.parse(body) as OpenApiDocument;
    const { Console: _console, Documents: _documents, ...served } = pathsByTag;
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(Object.values(served).flat()));
    expect(Object.keys(paths).filter((path) => path === '/' || /^\/(?:console|docs|openapi)/.test(path))).toEqual([]);
    expect(Object.keys(webhooks)).toEqual(Object.keys(whole.webhooks));
  });

  it('is served whole when every tag is named', async () => {
    const { body } = await get(`/openapi.json?tags=${Object.keys(TAGS).join()}`);
    expect(JSON.parse(body)).toEqual(whole);
  });

  it('is limited to the operations of the given tags and the schemas that they use', async () => {
    const { body } = await get('/openapi.json?tags=Users,Events');
    for (const query of ['tags=Events&tags=Users', 'tags=Events%2CUsers,Users'])
      expect((await get(`/openapi.json?${query}`)).body).toBe(body);
    const document = JSON.parse(body) as OpenApiDocument;
    expect(document.tags.map(({ name }) => name)).toEqual(['Events', 'Users']);
    expect(Object.keys(document.paths).toSorted()).toEqual([...pathsByTag.Events, ...pathsByTag.Users].toSorted());
    expect(document.webhooks).toEqual({});
    expect(Object.keys(document.components.schemas)).toContain('MetricEventRequest');
    expect(document.components.schemas).not.toHaveProperty('Webhook');
    const referred = new Set([...body.matchAll(/"#\/components\/([^"]+)"/g)].map(([, name]) => name));
    const { securitySchemes, ...components } = document.components;
    expect(Object.keys(securitySchemes ?? {})).toEqual(['ApiKey']);
    const there = Object.entries(components).flatMap(([kind, named]) =>
      Object.keys(named).map((name) => `${kind}/${name}`),
    );
    expect(there.toSorted()).toEqual([...referred].toSorted());
    expect(there.length * 3).toBeLessThan(Object.keys(whole.components.schemas).length);
  });

  it('is refused for an unknown tag with the nearest known one', async () => {
    for (const [query, message] of [
      ['tags=Events,Userz', /^must be one of Events, .*Documents \(did you mean 'Users'\?\)$/],
      ['tags=', /^must be one of /],
      ['Tags=Events', /^is unknown: use tags$/],
    ] as const) {
      const { statusCode, body } = await get(`/openapi.json?${query}`);
      const { errors } = JSON.parse(body) as { errors: unknown };
      expect([statusCode, errors]).toEqual([
        422,
        [{ path: query.slice(0, query.indexOf('=')), message: expect.stringMatching(message) }],
      ]);
    }
  });

  it('is compressed for clients that accept it, and plain for others', async () => {
    const plain = await get('/openapi.json');
    for (const accepted of ['gzip', 'br, GZIP;q=0.5', '*', 'deflate, gzip, br']) {
      const { headers, rawPayload } = await get('/openapi.json', { 'accept-encoding': accepted });
      expect([accepted, headers['content-encoding'], headers.vary]).toEqual([accepted, 'gzip', 'accept-encoding']);
      expect(gunzipSync(rawPayload).equals(plain.rawPayload)).toBe(true);
      expect(rawPayload.length * 5).toBeLessThan(plain.rawPayload.length);
      expect(headers.etag).not.toBe(plain.headers.etag);
      expect((await get('/openapi.json', { 'if-none-match': String(headers.etag) })).statusCode).toBe(304);
    }
    for (const accepted of ['br', 'gzip;q=0', 'gzip; q=0.0', 'xgzip', '']) {
      const { headers, rawPayload } = await get('/openapi.json', { 'accept-encoding': accepted });
      expect([accepted, headers['content-encoding']]).toEqual([accepted, undefined]);
      expect(rawPayload.equals(plain.rawPayload)).toBe(true);
    }
  });

  it('is built once per configuration, and all answers share the same buffer', () => {
    const published = (key: string) =>
      ({ metrics: [{ key }], achievements: [], pointsSystems: [], leaderboards: [] }) as unknown as Configuration;
    let inForce = published('runs');
    const controller = new DocumentsController({ configuration: () => inForce });
    const sent = (accepted: string): unknown => {
      const found: unknown[] = [];
      const reply = { headers: () => reply, header: () => reply, send: (content: unknown) => found.push(content) };
      const request = { headers: { 'accept-encoding': accepted }, url: '/openapi.json', query: {} };
      controller.document(request as unknown as FastifyRequest, reply as unknown as FastifyReply);
      return found[0];
    };
    for (const accepted of ['gzip', 'identity']) {
      const first = sent(accepted);
      expect(first).toBeInstanceOf(Buffer);
      expect(sent(accepted)).toBe(first);
      inForce = published('swims');
      expect(sent(accepted)).not.toBe(first);
      expect(String(sent('identity'))).toContain('"swims"');
    }
  });

  it('is not sent again to a client that has it', async () => {
    for (const url of ['/openapi.json', '/docs', '/docs/swagger-ui.css']) {
      const { etag } = (await get(url)).headers as { etag: string };
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const { statusCode, body } = await get(url, { 'if-none-match': known });
        expect([url, known, statusCode, body]).toEqual([url, known, 304, '']);
      }
      expect((await get(url, { 'if-none-match': '"other"' })).statusCode).toBe(200);
    }
  });

  it('can be browsed at /docs, whose page loads only files of the service', async () => {
    const { statusCode, headers, body } = await get('/docs');
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const referred = [...body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url ?? '');
    expect(referred).toHaveLength(5);
    for (const url of referred) expect([url, (await get(`/${url}`)).statusCode]).toEqual([url, 200]);
    expect(body).not.toMatch(/<script>|style="|https?:/);
  });

  it('is linked from the home page, which also shows how to send an event', async () => {
    const { statusCode, headers, body } = await get('/');
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(body).toMatch(/<h1>Laurel \d+\.\d+\.\d+<\/h1>/);
    expect(body).toContain('curl http://127.0.0.1:3000/api/metrics/METRIC/event -H "X-API-KEY:');
    const referred = [...body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url ?? '');
    expect(referred).toEqual(expect.arrayContaining(['docs', 'docs/errors', 'openapi.json', 'docs/home.js']));
    const ofHealth = new Set(['readyz', 'healthz']);
    for (const url of referred.filter((referred) => !ofHealth.has(referred)))
      expect([url, (await get(`/${url}`)).statusCode]).toEqual([url, 200]);
    expect(body).not.toMatch(/<script>|style="/);
  });

  it('is shown under a policy that permits only files of the service', async () => {
    const policy = String((await get('/docs')).headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(policy).not.toMatch(/unsafe|\*|http/);
    const { body } = await get('/docs/docs.js');
    expect(body).toContain("url: 'openapi.json'");
    expect(body).toContain('validatorUrl: null');
  });

  it('has pages whose files are sent with their content type and nosniff', async () => {
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

  it('has pages that expose no other file of the disk, whatever its name', async () => {
    const names = ['index.html', 'package.json', 'swagger-ui.js', 'openapi.json', 'docs', '__proto__', 'toString'];
    const tricks = ['..%2fpackage.json', '%2e%2e%2fpackage.json', '..%5cpackage.json', '%2fetc%2fpasswd', 'docs.js%00'];
    for (const name of [...names, ...tricks]) {
      const { statusCode, body } = await get(`/docs/${name}`);
      expect([name, statusCode, JSON.parse(body).code]).toEqual([name, 404, 'unknown_path']);
    }
    for (const url of ['/docs/../package.json', '/docs/docs.js/x', '/docs.js'])
      expect([url, (await get(url)).statusCode]).toEqual([url, 404]);
  });

  it('is served with a trailing slash, and its pages redirect to the path without one', async () => {
    expect((await get('/openapi.json/')).statusCode).toBe(200);
    expect((await get('/docs/docs.js/')).statusCode).toBe(200);
    for (const page of ['/docs', '/docs/errors'])
      for (const slash of ['/', '/?x']) {
        const { statusCode, headers } = await get(page + slash);
        const target = new URL(String(headers.location), `http://host/behind/a/proxy${page}${slash}`);
        expect([statusCode, target.pathname]).toEqual([308, `/behind/a/proxy${page}`]);
      }
  });

  it('is served for HEAD', async () => {
    for (const url of ['/openapi.json', '/docs', '/docs/docs.js']) {
      const { statusCode, body, headers } = await http.fastify.inject({ method: 'HEAD', url });
      expect([url, statusCode, body]).toEqual([url, 200, '']);
      expect(Number(headers['content-length'])).toBeGreaterThan(100);
    }
  });
});

describe('the page of errors', () => {
  it('explains every code of an error at the address in its `type`', async () => {
    for (const code of PROBLEM_CODES) {
      const type = new URL(problemOf(code, '').type, 'http://host/v1/users');
      const { statusCode, headers, body } = await get(type.pathname);
      expect([code, statusCode, headers['content-type']]).toEqual([code, 200, 'text/html; charset=utf-8']);
      const [, section = ''] = body.split(`<section id="${type.hash.slice(1)}">`);
      expect(section).toContain(`<code>${code}</code>`);
      expect(section.split('</section>')[0]).toContain(`&quot;status&quot;: ${problemOf(code, '').status},`);
    }
  });

  it('is linked from a refusal to its explanation', async () => {
    const { type, code } = (await get('/nothing')).json<{ type: string; code: string }>();
    const { pathname, hash } = new URL(type, 'http://host/nothing');
    expect((await get(pathname)).body).toContain(`id="${hash.slice(1)}"`);
    expect(code).toBe('unknown_path');
  });

  it('loads only files of the service and runs no foreign scripts', async () => {
    const { body, headers } = await get('/docs/errors');
    const referred = [...body.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, url]) => url ?? '');
    for (const url of referred)
      expect([url, (await get(new URL(url, 'http://host/docs/errors').pathname)).statusCode]).toEqual([url, 200]);
    expect(body).not.toMatch(/<script|style="|https?:/);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
  });
});
