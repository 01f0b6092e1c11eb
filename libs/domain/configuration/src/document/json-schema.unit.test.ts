import { readdir, readFile } from 'node:fs/promises';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { HTTP_SUITE_CONFIGURATION } from '@laurel/testing/http-suite';
import { parse } from 'yaml';
import { COMPLETE_DOCUMENT } from '../complete-document.test-data.ts';
import { DEMO_CONFIGURATION } from '../demo-configuration.ts';
import { configurationJsonSchema } from './json-schema.ts';
import { parseDocument } from './parse-document.ts';

const REPOSITORY = new URL('../../../../../', import.meta.url);
const FILE = new URL('docs/configuration.schema.json', REPOSITORY);

const ajv = new Ajv({ strict: true, strictRequired: false, strictTypes: false, allErrors: true });
formats.default(ajv);
const check = ajv.compile(configurationJsonSchema());

/** Where the schema objects to a YAML text, as JSON pointers; empty: nowhere. */
function objectionsTo(text: string): readonly string[] {
  check(parse(text));
  return (check.errors ?? []).map(({ instancePath }) => instancePath);
}

/** README and everything below docs. */
async function guides(): Promise<readonly string[]> {
  const files = await readdir(new URL('docs/', REPOSITORY), { recursive: true });
  return ['README.md', ...files.filter((file) => file.endsWith('.md')).map((file) => `docs/${file}`)];
}

/** The YAML examples of a guide that are whole configurations. */
async function examplesIn(path: string): Promise<readonly string[]> {
  const guide = await readFile(new URL(path, REPOSITORY), 'utf8');
  return [...guide.matchAll(/^```yaml\n(.*?)^```$/gms)]
    .map(([, text = '']) => text)
    .filter((text) => /^version:/m.test(text));
}

const BASE = 'version: 1\nmetrics: [{ key: runs, name: Runs }]\n';
const board = (fields: string) => `${BASE}leaderboards: [{ key: top, name: Top, start: 2026-01-01, ${fields} }]`;
const trigger = (fields: string) => `${BASE}points: [{ key: xp, name: XP, triggers: [{ ${fields} }] }]`;
const freezes = (fields: string) =>
  `${BASE}streak: { frequency: daily, conditions: [{ metric: runs, threshold: 1 }], freezes: { ${fields} } }`;

describe('the JSON Schema of the configuration', () => {
  it('equals the committed file (else run: npx laurel config schema > docs/configuration.schema.json, and format it)', async () => {
    expect(JSON.parse(await readFile(FILE, 'utf8'))).toEqual(configurationJsonSchema());
  });

  it('describes every field', () => {
    const undescribed: string[] = [];
    const look = (schema: unknown, path: string): void => {
      if (typeof schema !== 'object' || schema === null) return;
      const { properties, items, anyOf, oneOf, description } = schema as Record<string, unknown>;
      for (const [name, inner] of Object.entries(properties ?? {})) {
        if (!('description' in (inner as object)) && !('const' in (inner as object)))
          undescribed.push(`${path}.${name}`);
        look(inner, `${path}.${name}`);
      }
      for (const [index, inner] of [anyOf ?? [], oneOf ?? []].flat().entries()) look(inner, `${path}|${index}`);
      if (typeof items === 'object' && (items as { properties?: object }).properties)
        expect(items).toHaveProperty('description');
      look(items, `${path}[]`);
      if (path === '') expect(description).toEqual(expect.any(String));
    };
    look(configurationJsonSchema(), '');
    expect(undescribed).toEqual([]);
  });

  it('accepts every configuration of this repository', async () => {
    const shown = await Promise.all((await guides()).map(examplesIn));
    const examples = [DEMO_CONFIGURATION, HTTP_SUITE_CONFIGURATION, COMPLETE_DOCUMENT, ...shown.flat()];
    expect(examples.length).toBeGreaterThan(3);
    for (const text of examples) expect(objectionsTo(text)).toEqual([]);
  });

  it.each([
    ['null for absent fields', board('rankBy: metric, metric: runs, end: null, runUnit: null, runInterval: null')],
    ['null in one of a pair of fields', board('rankBy: metric, metric: runs, runUnit: null')],
    ['a pair of fields', board('rankBy: metric, metric: runs, runUnit: day, runInterval: 7')],
    ['a board by streak', board('rankBy: streak, runUnit: null')],
    ['freezes that are not earned', freezes('initial: 1, max: 1')],
    ['freezes that are earned', freezes('earnEvery: 7, earn: 1')],
    [
      'an instant with a fraction',
      trigger('type: time, unit: day, interval: 1, points: 1, activeFrom: 2026-01-01T00:00:00.5Z'),
    ],
    [
      'an address beyond ASCII',
      `${BASE}achievements: [{ key: a, name: A, badgeUrl: "https://x.example/ü", trigger: { type: api } }]`,
    ],
    ['six decimals', trigger('type: metric, metric: runs, threshold: 0.000001, points: -1000000000')],
  ])('accepts %s, as the service does', (_, text) => {
    expect(parseDocument(text, 'app.yaml').problems).toBeUndefined();
    expect(objectionsTo(text)).toEqual([]);
  });

  it.each([
    ['a misspelt field', `${BASE}leaderboard: []`, ''],
    ['a missing field', 'version: 1\nmetrics: [{ key: runs }]', '/metrics/0'],
    ['another version', BASE.replace('1', '2'), '/version'],
    ['a number as text', BASE.replace('Runs', '7'), '/metrics/0/name'],
    ['a key with a space', BASE.replace('runs', '"a b"'), '/metrics/0/key'],
    ['an empty list of metrics', 'version: 1\nmetrics: []', '/metrics'],
    ['a trigger of 0 points', trigger('type: user_creation, points: 0'), '/points/0/triggers/0/points'],
    ['a field of another trigger', trigger('type: streak, threshold: 1, points: 1'), '/points/0/triggers/0'],
    ['an unknown trigger', trigger('type: level, points: 1'), '/points/0/triggers/0/type'],
    [
      'a local instant',
      trigger('type: time, unit: day, interval: 1, points: 1, activeFrom: 2026-01-01T00:00:00+01:00'),
      '/points/0/triggers/0/activeFrom',
    ],
    [
      'a date that does not exist',
      board('rankBy: streak').replace('2026-01-01', '2026-02-30'),
      '/leaderboards/0/start',
    ],
    ['no metric beside rankBy', board('rankBy: metric'), '/leaderboards/0'],
    [
      'a points system beside rankBy metric',
      board('rankBy: metric, metric: runs, pointsSystem: xp'),
      '/leaderboards/0/pointsSystem',
    ],
    ['runs of a board by streak', board('rankBy: streak, runUnit: day, runInterval: 1'), '/leaderboards/0/runUnit'],
    ['a unit without an interval', board('rankBy: metric, metric: runs, runUnit: day'), '/leaderboards/0'],
    ['an interval without a unit', board('rankBy: metric, metric: runs, runInterval: 1'), '/leaderboards/0'],
    ['earnEvery without earn', freezes('earnEvery: 7'), '/streak/freezes'],
    [
      'an address with another scheme',
      `${BASE}achievements: [{ key: a, name: A, badgeUrl: "ftp://x", trigger: { type: api } }]`,
      '/achievements/0/badgeUrl',
    ],
  ])('rejects %s, as the service does', (_, text, path) => {
    expect(parseDocument(text, 'app.yaml').problems).toBeDefined();
    expect(objectionsTo(text)).toContain(path);
  });
});
