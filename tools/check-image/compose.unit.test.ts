/* eslint-disable no-template-curly-in-string -- so are variables written there */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// The tools have no types: what they take and give is in their comments.
const { builtServices, readCompose, requiredVariables } = await import(new URL('./compose.mjs', import.meta.url).href);
const { accountFor, durationMs, environmentOf, valueHere } = await import(
  new URL('./container.mjs', import.meta.url).href
);

const folder = mkdtempSync(join(tmpdir(), 'compose-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'compose.yaml');
const read = (text: string, variables: Record<string, string> = {}) => {
  writeFileSync(file, text);
  return readCompose(file, new Map(Object.entries(variables)));
};

describe('a compose file', () => {
  it('gets its variables, and the defaults of those that are not given or empty', () => {
    expect(read('a: ${A}-${B:-b}-${C:-c}-$$', { A: '1', C: '' })).toEqual({ a: '1-b-c-$' });
  });

  it('is refused while a required variable is missing', () => {
    expect(() => read('a: ${A:?fill it in}')).toThrow('required variable A is missing a value: fill it in');
    expect(() => read('a: ${A}')).toThrow('required variable A');
    expect(requiredVariables(file)).toEqual([]);
    writeFileSync(file, 'a: [${A:?x}, "${B:-}", "${A:?y}"]');
    expect(requiredVariables(file)).toEqual(['A']);
  });

  it('is refused where it substitutes in a way that is not known', () => {
    for (const text of ['$A', '${A-b}', '${A:+b}', '${A/b/c}'])
      expect(() => read(`a: '${text}'`, { A: '1' })).toThrow('not known here');
  });

  it('merges what its services have in common', () => {
    const compose = read(
      'x-all: &all { restart: always, environment: { A: 1 } }\nservices: { s: { <<: *all, environment: { B: 2 }, build: { args: { APP: x } } }, t: { image: y } }',
    );
    expect(compose.services.s).toEqual({ restart: 'always', environment: { B: 2 }, build: { args: { APP: 'x' } } });
    expect(builtServices(compose)).toEqual(new Map([['s', 'x']]));
  });
});

describe('the environment of a container, carried over to this machine', () => {
  const here = {
    root: '/images/x',
    services: ['kafka', 'query-gateway'],
    addresses: new Map([
      ['kafka:9092', '127.0.0.1:7001'],
      ['query-gateway:3000', '127.0.0.1:7002'],
      ['query-gateway:3100', '127.0.0.1:7003'],
    ]),
  };

  it('has addresses of here for those of services, and nothing else in their place', () => {
    expect(valueHere('kafka:9092', here)).toBe('127.0.0.1:7001');
    expect(valueHere('http://query-gateway:3000/x', here)).toBe('http://127.0.0.1:7002/x');
    expect(valueHere('query-gateway', here)).toBe('127.0.0.1');
    for (const value of ['my-kafka:9092', 'kafka.example.com:9092', 'kafkaesque', '12', '0.0.0.0'])
      expect(valueHere(value, here)).toBe(value);
  });

  it('has paths below the folder that stands for the root', () => {
    expect(valueHere('/etc/laurel.yaml', here)).toBe('/images/x/etc/laurel.yaml');
  });

  it('is refused where it names a port that nobody serves', () => {
    expect(() => valueHere('kafka:9093', here)).toThrow('nobody serves kafka:9093');
    expect(() => valueHere('kafka:90921', here)).toThrow('nobody serves kafka:90921');
  });

  it('is the image’s with the service’s over it, with its own ports', () => {
    const image = {
      root: '/images/x',
      environment: new Map([
        ['LAUREL_PORT', '3000'],
        ['A', '1'],
        ['B', '1'],
      ]),
    };
    const service = { environment: { B: '2', LAUREL_INTERNAL_PORT: '3100' } };
    expect(environmentOf(image, 'query-gateway', service, here)).toEqual({
      PATH: process.env['PATH'],
      LAUREL_PORT: '7002',
      LAUREL_INTERNAL_PORT: '7003',
      A: '1',
      B: '2',
    });
    expect(() => environmentOf(image, 'query-gateway', { environment: { C: 3 } }, here)).toThrow('C must be text');
  });
});

describe('the user of an image, on this machine', () => {
  const passwd = 'root:x:0:0::/:/bin/sh\nnobody:x:65534:65534::/:/bin/false\nada:x:1000:1000::/:/bin/sh\n';

  it('is the same if it is listed, else one that is, never root', () => {
    expect(accountFor({ uid: 1000, gid: 1000 }, passwd)).toMatchObject({ uid: 1000, gid: 1000 });
    expect(accountFor({ uid: 1234, gid: 1234 }, passwd)).toMatchObject({ name: 'nobody', uid: 65534 });
    expect(() => accountFor({ uid: 1000, gid: 1000 }, 'root:x:0:0::/:/bin/sh\n')).toThrow('no user but root');
  });
});

describe('a duration of a compose file', () => {
  it('is read in minutes and seconds', () => {
    expect([durationMs('40s'), durationMs('1m30s'), durationMs('2m')]).toEqual([40_000, 90_000, 120_000]);
    for (const text of ['', '40', '1h']) expect(() => durationMs(text)).toThrow('a duration that is not known here');
  });
});
