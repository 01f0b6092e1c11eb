/* eslint-disable no-template-curly-in-string -- so are variables written there */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// The tools have no types: what they take and give is in their comments.
const { builtServices, readCompose, requiredVariables } = await import(new URL('./compose.mjs', import.meta.url).href);
const { composeProblems } = await import(new URL('./compose-schema.mjs', import.meta.url).href);
const { composeRulesBroken } = await import(new URL('./compose-rules.mjs', import.meta.url).href);

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const COMPOSE_FILES = ['docker/compose.yaml', 'docker/standalone.compose.yaml'];
// Changed by the tests, each its own copy.
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- of any form
type Any = any;
const composeOf = (path = 'docker/compose.yaml'): Any =>
  readCompose(ROOT + path, new Map(requiredVariables(ROOT + path).map((name: string) => [name, 'x'])));

const folder = mkdtempSync(join(tmpdir(), 'compose-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'compose.yaml');
const read = (text: string, variables: Record<string, string> = {}) => {
  writeFileSync(file, text);
  return readCompose(file, new Map(Object.entries(variables)));
};

describe('a compose file', () => {
  it('substitutes given variables and the defaults of missing or empty ones', () => {
    expect(read('a: ${A}-${B:-b}-${C:-c}-$$', { A: '1', C: '' })).toEqual({ a: '1-b-c-$' });
  });

  it('is refused while a required variable is missing', () => {
    expect(() => read('a: ${A:?fill it in}')).toThrow('required variable A is missing a value: fill it in');
    expect(() => read('a: ${A}')).toThrow('required variable A');
    expect(requiredVariables(file)).toEqual([]);
    writeFileSync(file, 'a: [${A:?x}, "${B:-}", "${A:?y}"]');
    expect(requiredVariables(file)).toEqual(['A']);
  });

  it('is refused when it uses an unsupported substitution', () => {
    for (const text of ['$A', '${A-b}', '${A:+b}', '${A/b/c}'])
      expect(() => read(`a: '${text}'`, { A: '1' })).toThrow('not known here');
  });

  it('merges the shared parts of its services', () => {
    const compose = read(
      'x-all: &all { restart: always, environment: { A: 1 } }\nservices: { s: { <<: *all, environment: { B: 2 }, build: { args: { APP: x } } }, t: { image: y } }',
    );
    expect(compose.services.s).toEqual({ restart: 'always', environment: { B: 2 }, build: { args: { APP: 'x' } } });
    expect(builtServices(compose)).toEqual(new Map([['s', 'x']]));
  });
});

describe('the compose files', () => {
  it.each(COMPOSE_FILES)('%s matches the specification and the rules', (file) => {
    const compose = composeOf(file);
    expect(composeProblems(compose)).toEqual([]);
    expect(composeRulesBroken(compose)).toEqual([]);
  });

  it.each<[string, (compose: Any) => void]>([
    [
      '/services/kafka must NOT have additional properties helthcheck',
      ({ services }) => (services.kafka.helthcheck = {}),
    ],
    ['must NOT have additional properties volums', (compose) => (compose.volums = {})],
    [
      '/services/kafka/deploy/resources/limits/memory must be string',
      ({ services }) => (services.kafka.deploy.resources.limits.memory = 5),
    ],
    ['/name must match pattern', (compose) => (compose.name = 'A b')],
  ])('are refused by their schema: %s', (problem, change) => {
    const compose = composeOf();
    change(compose);
    expect(composeProblems(compose)).toEqual([expect.stringContaining(problem)]);
  });

  it.each<[string, (services: Any) => void]>([
    [
      'ingestion-gateway: it publishes a port to other machines',
      (services) => (services['ingestion-gateway'].ports = ['3000:3000']),
    ],
    ['kafka: it is not started again', ({ kafka }) => delete kafka.restart],
    ['kafka: it has no limits', ({ kafka }) => delete kafka.deploy],
    ['kafka: nothing says how long it may take to stop', ({ kafka }) => delete kafka.stop_grace_period],
    ['kafka: its image has no exact version', ({ kafka }) => (kafka.image = 'apache/kafka:latest')],
    ['kafka: it has no health check', ({ kafka }) => delete kafka.healthcheck],
    ['points-service: it is built of something else', (services) => (services['points-service'].build.context = '.')],
    ['points-service: it can write to its image', (services) => delete services['points-service'].read_only],
    ['points-service: it keeps capabilities', (services) => delete services['points-service'].cap_drop],
    ['points-service: it may gain rights', (services) => (services['points-service'].security_opt = [])],
    ['points-service: its user is not the image’s', (services) => (services['points-service'].user = 'root')],
    ['points-service: its command is not the image’s', (services) => (services['points-service'].command = 'sh')],
    [
      'points-service: it does not wait until kafka is healthy',
      (services) => (services['points-service'].depends_on = { kafka: { condition: 'service_started' } }),
    ],
    ['postgres: volume data is not declared', ({ postgres }) => (postgres.volumes = ['data:/var/lib/postgresql'])],
  ])('are reported when they break a rule: %s', (rule, change) => {
    const compose = composeOf();
    change(compose.services);
    expect(composeRulesBroken(compose)).toEqual([rule]);
  });
});
