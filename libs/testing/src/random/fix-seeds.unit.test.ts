import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { newUuid } from './new-uuid.ts';
import { seedOf } from './seed-of.ts';

const ROOT = new URL('../../../../', import.meta.url);
const FILE = 'libs/testing/src/random/fix-seeds.unit.test.ts';

function inputsOf(parameters?: fc.Parameters<[number]>): number[] {
  const inputs: number[] = [];
  fc.assert(
    fc.property(fc.integer(), (input) => void inputs.push(input)),
    parameters,
  );
  return inputs;
}

describe('a law', () => {
  it('has the seed that follows from its file and its name', () => {
    const seed = seedOf(FILE, 'a law has the seed that follows from its file and its name');
    expect(inputsOf()).toEqual(inputsOf({ seed }));
    expect(inputsOf()).not.toEqual(inputsOf({ seed: seed + 1 }));
    expect(fc.readConfigureGlobal()).toEqual({ seed });
  });

  it('keeps that seed beside parameters of its own', () => {
    const seed = seedOf(FILE, 'a law keeps that seed beside parameters of its own');
    expect(inputsOf({ numRuns: 7 })).toEqual(inputsOf({ seed, numRuns: 7 }));
    expect(inputsOf({ numRuns: 7 })).not.toEqual(inputsOf({ seed: seed + 1, numRuns: 7 }));
  });
});

it('newUuid returns a different version 4 UUID each time', () => {
  const some = Array.from({ length: 3 }, newUuid);
  expect(new Set(some).size).toBe(3);
  for (const uuid of some) expect(uuid).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-a[\da-f]{3}-[\da-f]{12}$/);
});

const configurations = readdirSync(fileURLToPath(ROOT)).filter((name) => /^jest\..*config\.mjs$/.test(name));

it('the configurations of all test suites are found', () => expect(configurations.length).toBeGreaterThanOrEqual(7));

it.each(configurations)('the seeds are fixed for every test file of %s', async (name) => {
  const { default: configuration } = (await import(new URL(name, ROOT).href)) as {
    default: { setupFilesAfterEnv: string[] };
  };
  expect(configuration.setupFilesAfterEnv).toContain('<rootDir>/libs/testing/src/random/fix-seeds.ts');
});
