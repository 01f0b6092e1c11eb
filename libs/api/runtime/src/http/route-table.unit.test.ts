import { RouteTable } from './route-table.ts';

describe('the route table', () => {
  const table = new RouteTable();
  table.add({ method: 'GET', path: '/v1/users/:id', scopes: ['read'] });
  table.add({ method: 'PATCH', path: '/v1/users/:id', scopes: ['ingest'] });
  table.add({ method: 'GET', path: '/healthz', scopes: null });

  it('returns the methods at a path, whatever its parameters contain', () => {
    expect(table.methodsAt('/v1/users/a%2Fb?x=1')).toEqual(['GET', 'PATCH']);
    expect(table.methodsAt('/v1/users/__proto__#x')).toEqual(['GET', 'PATCH']);
    expect(table.methodsAt('/healthz')).toEqual(['GET']);
  });

  it('ignores a trailing slash', () => {
    expect(table.methodsAt('/healthz/')).toEqual(['GET']);
    expect(table.methodsAt('/v1/users/a/?x=1')).toEqual(['GET', 'PATCH']);
  });

  it('returns no methods for another path, an empty parameter or a malformed escape', () => {
    for (const url of ['/v1/users/', '/v1/users/a/b', '/v1/users/%zz', '/V1/users/a', '', '*', '/healthz//', '/'])
      expect(table.methodsAt(url)).toEqual([]);
  });
});
