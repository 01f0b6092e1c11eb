import { jest } from '@jest/globals';
import { Controller, Module, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { fullScopeKey } from '../api-keys.ts';
import { createClock } from '../clock.ts';
import { Health } from '../health.ts';
import { createLogger } from '../logging.ts';
import { createHttpApplication, type HttpApplication } from './application.ts';
import { jsonBody } from './json-body.ts';
import { operation } from './operation.fixture.ts';
import { Route } from './route.ts';

@Controller()
class TestController {
  @Route(operation('post', '/object', 'ingest'))
  object(@Req() request: FastifyRequest): object {
    return jsonBody(request);
  }

  @Route(operation('post', '/finish', 'admin'))
  finish(): object {
    return { finished: true };
  }

  @Route(operation('delete', '/keys/1', 'admin'))
  revoke(): object {
    return { revoked: true };
  }
}

@Module({ controllers: [TestController] })
class TestHttpModule {}

const JSON_TYPE = 'application/json';

describe('the body of a request', () => {
  let http: HttpApplication;
  let url: string;
  beforeAll(async () => {
    http = await createHttpApplication({
      modules: [{ module: TestHttpModule }],
      keys: fullScopeKey('key', 'acme'),
      health: new Health(createClock({ type: 'system' })),
      logger: createLogger('silent'),
    });
    url = await http.listen(0, '127.0.0.1');
  });
  afterAll(() => http.close());

  const send = async (method: string, path: string, type: string | null, body?: string | Buffer) => {
    const headers = { 'x-api-key': 'key', ...(type !== null && { 'content-type': type }) };
    const response = await fetch(url + path, { method, headers, ...(body !== undefined && { body }) });
    const json = (await response.json()) as { readonly detail?: string; readonly code?: string };
    return { status: response.status, json };
  };
  const refusal = async (type: string | null, body?: string | Buffer) => {
    const { status, json } = await send('POST', '/object', type, body);
    return [status, json.code, json.detail];
  };

  it.each([null, JSON_TYPE, 'application/x-www-form-urlencoded', 'text/plain'])(
    'may be empty where none is expected, whatever the content type (%s)',
    async (type) => {
      for (const body of [undefined, '']) {
        expect(await send('DELETE', '/keys/1', type, body)).toEqual({ status: 200, json: { revoked: true } });
        expect(await send('POST', '/finish', type, body)).toEqual({ status: 200, json: { finished: true } });
      }
    },
  );

  it('must be JSON when there is one where none is expected', async () => {
    expect((await send('POST', '/finish', 'text/plain', 'x')).status).toBe(415);
    expect((await send('POST', '/finish', JSON_TYPE, '{')).status).toBe(400);
    expect((await send('POST', '/finish', JSON_TYPE, '{}')).status).toBe(200);
  });

  it('is reported as empty or of the wrong type where one is required', async () => {
    expect(await refusal(JSON_TYPE)).toEqual([400, 'malformed_body', 'The body is empty.']);
    expect(await refusal('application/problem+json; charset=utf-8', '')).toEqual([
      400,
      'malformed_body',
      'The body is empty.',
    ]);
    const wanted = 'The Content-Type must be application/json';
    expect(await refusal(null)).toEqual([415, 'unsupported_media_type', `${wanted}.`]);
    for (const body of ['', '{"a":1}'])
      expect(await refusal('application/x-www-form-urlencoded', body)).toEqual([
        415,
        'unsupported_media_type',
        `${wanted}, not application/x-www-form-urlencoded.`,
      ]);
  });

  it('may begin with a byte order mark', async () => {
    expect(await send('POST', '/object', JSON_TYPE, '\ufeff{"a":"\ufeff"}')).toEqual({
      status: 200,
      json: { a: '\ufeff' },
    });
    expect(await refusal(JSON_TYPE, '\ufeff')).toEqual([400, 'malformed_body', 'The body is empty.']);
    expect((await refusal(JSON_TYPE, '\ufeff\ufeff{}'))[0]).toBe(400);
  });

  it('is refused with position and text of the first error in its JSON', async () => {
    expect(await refusal(JSON_TYPE, '{\n  "value": 1,\n}')).toEqual([
      400,
      'malformed_body',
      'The body is not JSON: expected a field name in double quotes at line 3, column 1, found }.',
    ]);
    expect(await refusal(JSON_TYPE, Buffer.from([0x22, 0xff, 0x22]))).toEqual([
      400,
      'malformed_body',
      'The body is not UTF-8.',
    ]);
  });

  it('may be nested 64 levels deep, and is refused unparsed beyond', async () => {
    const deep = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;
    expect((await send('POST', '/object', JSON_TYPE, deep(64))).status).toBe(200);
    const parse = jest.spyOn(JSON, 'parse');
    expect(await refusalByInjection(deep(65))).toEqual([400, 'The body is nested more than 64 levels deep.']);
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
  });

  const refusalByInjection = async (payload: string) => {
    const headers = { 'x-api-key': 'key', 'content-type': JSON_TYPE };
    const { statusCode, body } = await http.fastify.inject({ method: 'POST', url: '/object', headers, payload });
    return [statusCode, /"detail":"([^"]*)"/.exec(body)?.[1]];
  };

  it.each(['/object/', '/object'])('arrives with and without a trailing slash in the path (%s)', async (path) => {
    expect(await send('POST', path, JSON_TYPE, '{"a":1}')).toEqual({ status: 200, json: { a: 1 } });
  });
});
