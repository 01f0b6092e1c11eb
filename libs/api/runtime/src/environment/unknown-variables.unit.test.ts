import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EnvironmentError, readEnvironment } from './environment.ts';
import { ENVIRONMENT_VARIABLES, TOOL_VARIABLES, VARIABLE_NAMES } from './environment-variables.ts';
import { misspelledVariables, unknownVariables } from './unknown-variables.ts';

const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));

describe('an unknown variable', () => {
  it.each([
    ['LAUREL_CONFG', 'LAUREL_CONFIG'],
    ['LAUREL_CONFIGS', 'LAUREL_CONFIG'],
    ['LAUREL_DATADIR', 'LAUREL_DATA_DIR'],
    ['LAUREL_DATABASE_URI', 'LAUREL_DATABASE_URL'],
    ['LAUREL_EVENT_STORE_URL', 'LAUREL_EVENTSTORE_URL'],
    ['LAUREL_PROT', 'LAUREL_PORT'],
    ['laurel_config', 'LAUREL_CONFIG'],
    ['Laurel_Api_Key', 'LAUREL_API_KEY'],
  ])('%s is an error that suggests %s', (name, meant) => {
    const message = `${name} is unknown; did you mean ${meant}? Rename it, or unset it`;
    expect(misspelledVariables({ [name]: 'secret' })).toEqual([message]);
    expect(unknownVariables({ [name]: 'secret' })).toEqual([]);
    expect(() => readEnvironment({ [name]: 'secret' })).toThrow(new EnvironmentError([message]));
  });

  it.each(['LAUREL_ROOT', 'LAUREL_COLOUR', 'LAUREL_SERVICE_HOST', 'LAUREL_PORT_3000_TCP_ADDR', 'LAUREL_'])(
    '%s resembles no known one and causes a warning',
    (name) => {
      expect(misspelledVariables({ [name]: 'x' })).toEqual([]);
      expect(unknownVariables({ [name]: 'x' })).toEqual([`${name} is unknown to this release and has no effect`]);
      expect(() => readEnvironment({ [name]: 'x' })).not.toThrow();
    },
  );

  it('counts only with a value and with the prefix', () => {
    const variables = { LAUREL_CONFG: '', LAUREL_COLOUR: undefined, LAURELS: 'x', MY_LAUREL_PORT: 'x', PATH: '/bin' };
    expect([...misspelledVariables(variables), ...unknownVariables(variables)]).toEqual([]);
  });

  it('is none of the known variables, whichever program reads them', () => {
    const variables = Object.fromEntries([...VARIABLE_NAMES].map((name) => [name, 'x']));
    expect([...misspelledVariables(variables), ...unknownVariables(variables)]).toEqual([]);
  });
});

describe('the table of variables', () => {
  it('contains every name that the repository uses', () => {
    const used = new Map(sources().flatMap((file) => namesIn(file).map((name) => [name, file] as const)));
    expect([...used].filter(([name]) => !VARIABLE_NAMES.has(name))).toEqual([]);
    expect(TOOL_VARIABLES.filter(({ name }) => !used.has(name))).toEqual([]);
  });

  it('contains each name once', () => {
    expect(VARIABLE_NAMES.size).toBe(Object.keys(ENVIRONMENT_VARIABLES).length + TOOL_VARIABLES.length);
  });

  it('marks every secret, so an invalid one is never repeated', () => {
    const secrets = Object.values(ENVIRONMENT_VARIABLES).filter(({ secret }) => secret);
    for (const { name } of secrets) {
      const refused = () => readEnvironment({ [name]: 'hunter2\u0007' });
      expect(refused).toThrow(name);
      expect(refused).not.toThrow(/hunter2/);
    }
  });
});

/** Programs, images and manifests, but for this folder, tests and what is built. */
function sources(): string[] {
  const folders = ['apps', 'libs', 'tools', 'bench', 'docker', 'k8s', '.ci', 'examples'];
  return folders
    .flatMap((folder) => readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter(
      (path) => !/\/(?:node_modules|dist)\/|\/runtime\/src\/environment\/|\.(?:unit|process)\.test\.ts$/.test(path),
    );
}

/** A constant of the code. */
const NO_VARIABLE = 'LAUREL_NAMESPACE';

const namesIn = (path: string): string[] =>
  [...readFileSync(path, 'utf8').matchAll(/\bLAUREL_[A-Z][A-Z_]*[A-Z]\b/g)]
    .map(([name]) => name)
    .filter((name) => name !== NO_VARIABLE);
