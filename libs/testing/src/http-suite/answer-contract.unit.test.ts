import { AnswerContract } from './answer-contract.ts';

const user = {
  type: 'object',
  properties: { id: { type: 'string' }, created: { type: 'string', format: 'date-time', pattern: 'Z$' } },
  required: ['id', 'created'],
};
const problem = {
  type: 'object',
  properties: { status: { type: 'integer' }, code: { type: 'string' } },
  required: ['status', 'code'],
};
const json = (schema: object) => ({ content: { 'application/json': { schema } } });

const contract = new AnswerContract({
  openapi: '3.1.0',
  paths: {
    '/users/{id}': {
      get: {
        responses: {
          200: { description: 'The user.', ...json({ $ref: '#/components/schemas/User' }) },
          503: { $ref: '#/components/responses/Unavailable' },
          default: { $ref: '#/components/responses/RefusedByHttp' },
        },
      },
    },
    '/users/all': {
      get: { responses: { 200: json({ type: 'array', items: { $ref: '#/components/schemas/User' } }) } },
    },
    '/gone': { get: { responses: { 304: { description: 'As you know it.' } } } },
  },
  components: {
    schemas: { User: user, Problem: problem },
    headers: { 'Retry-After': { required: true, schema: { type: 'integer' } } },
    responses: {
      RefusedByHttp: {
        content: {
          'application/problem+json': {
            schema: { $ref: '#/components/schemas/Problem' },
            examples: { unknown_path: { value: {} }, method_not_allowed: { value: {} } },
          },
        },
      },
      Unavailable: {
        headers: { 'Retry-After': { $ref: '#/components/headers/Retry-After' } },
        content: {
          'application/problem+json': {
            schema: { $ref: '#/components/schemas/Problem' },
            examples: { unavailable: { value: {} } },
          },
        },
      },
    },
  },
});

const CREATED = '2026-03-01T20:00:00.000Z';

function differences(
  path: string,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
  method = 'GET',
) {
  const text = body === undefined ? '' : JSON.stringify(body);
  const answer = { status, text, json: body, headers: new Headers({ 'content-type': 'application/json', ...headers }) };
  return contract.differences(method, path, answer);
}

describe('AnswerContract', () => {
  it('finds no difference if exactly the described fields are present', () => {
    expect(differences('/users/ada?x=1', 200, { id: 'ada', created: CREATED })).toEqual([]);
    expect(differences('/users/all', 200, [{ id: 'ada', created: CREATED }])).toEqual([]);
    expect(differences('/gone', 304, undefined)).toEqual([]);
    expect(differences('/users/ada', 200, undefined, {}, 'HEAD')).toEqual([]);
  });

  it('reports each field that is missing, of another type or not described', () => {
    const found = differences('/users/ada', 200, { id: 7, created: '2026-03-01T20:00:00+01:00', age: 3 });
    expect(found).toHaveLength(3);
    expect(found[0]).toContain('GET /users/ada, answered 200');
    expect(found.join()).toMatch(/age.*\/id must be string.*\/created must match pattern/);
    expect(differences('/users/ada', 200, { id: 'ada' })).toEqual([expect.stringContaining('created')]);
  });

  it('reports a status, type or body that is not described', () => {
    expect(differences('/gone', 200, {})).toEqual([expect.stringContaining('this is not described')]);
    expect(differences('/users/ada', 418, {})).toEqual([expect.stringContaining('this is not described')]);
    expect(differences('/users/ada', 200, {}, { 'content-type': 'text/html' })).toEqual([
      expect.stringContaining('the type text/html is not described'),
    ]);
    expect(differences('/gone', 304, {})).toEqual([expect.stringContaining('there is a body')]);
  });

  it('reports an undescribed code, a contradictory status and missing headers of an error', () => {
    const headers = { 'content-type': 'application/problem+json; charset=utf-8', 'retry-after': '1' };
    const refused = (code: string, status: number, given = headers) =>
      differences('/users/ada', 503, { status, code }, given);
    expect(refused('unavailable', 503)).toEqual([]);
    expect(refused('overloaded', 500)).toEqual([
      expect.stringContaining('the body says status 500'),
      expect.stringContaining('the code overloaded is not described'),
    ]);
    const { 'retry-after': _, ...without } = headers;
    expect(refused('unavailable', 503, without as typeof headers)).toEqual([
      expect.stringContaining('the header Retry-After is missing'),
    ]);
  });

  it('accepts errors for undescribed paths and methods only with their codes', () => {
    const problem = { 'content-type': 'application/problem+json' };
    const refused = (path: string, code: string, status = 404, method = 'GET') =>
      differences(path, status, { status, code }, problem, method);
    expect(refused('/nothing', 'unknown_path')).toEqual([]);
    expect(refused('/users/ada', 'unknown_path')).toEqual([]);
    expect(refused('/users/ada', 'method_not_allowed', 405, 'DELETE')).toEqual([]);
    for (const found of [
      refused('/nothing', 'unknown_user'),
      refused('/users/ada', 'unknown_user'),
      differences('/nothing', 200, { id: 'ada' }),
    ])
      expect(found).toEqual([expect.stringContaining('this is not described')]);
  });
});
