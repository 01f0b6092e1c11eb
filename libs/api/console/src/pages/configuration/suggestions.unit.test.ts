import { readFileSync } from 'node:fs';
import { type JsonSchema, suggestionsAt } from './suggestions.ts';

const FILE = new URL('../../../../../../docs/configuration.schema.json', import.meta.url);
const SCHEMA = JSON.parse(readFileSync(FILE, 'utf8')) as JsonSchema;

const METRICS = 'version: 1\nmetrics:\n  - { key: runs, name: Runs }\n';

/** What is suggested at `|`, behind which the word may go on. */
function labels(text: string): readonly string[] {
  const at = text.indexOf('|');
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  const word = /[\w-]*$/.exec(line)?.[0] ?? '';
  const rest = text.slice(at + 1);
  const from = at - word.length;
  return suggestionsAt(text.slice(0, at) + rest, from, at, SCHEMA).map(({ label }) => label);
}

it.each([
  [
    'fields that are not there yet',
    `${METRICS}|`,
    ['attributes', 'streak', 'achievements', 'points', 'leaderboards', 'outgoing'],
  ],
  [
    'fields of a map in a block',
    `${METRICS}streak:\n  frequency: daily\n  mo|\n`,
    ['mode', 'weekStart', 'conditions', 'freezes'],
  ],
  [
    'fields between others',
    `${METRICS}streak:\n  |\n  frequency: daily\n  mode: all\n`,
    ['weekStart', 'conditions', 'freezes'],
  ],
  [
    'fields of a map in braces',
    `${METRICS}streak: { frequency: daily, | }`,
    ['mode', 'weekStart', 'conditions', 'freezes'],
  ],
  ['the first field of an entry', `${METRICS}streak:\n  conditions:\n    - |\n`, ['metric', 'threshold']],
  ['values that the schema lists', `${METRICS}streak:\n  frequency: |\n`, ['daily', 'weekly', 'monthly']],
  ['values while they are typed', `${METRICS}streak:\n  frequency: we|\n`, ['daily', 'weekly', 'monthly']],
  ['keys of the document', `${METRICS}streak:\n  conditions:\n    - metric: |\n`, ['runs']],
  [
    'keys in a list',
    `${METRICS}achievements:\n  - { key: a, name: A, trigger: { type: achievement, achievements: [|] } }`,
    ['a'],
  ],
  [
    'what an achievement may say beside its trigger',
    `${METRICS}achievements:\n  - key: a\n    name: A\n    |\n`,
    ['description', 'badgeUrl', 'group', 'tier', 'hidden', 'activeFrom', 'activeUntil', 'where', 'trigger'],
  ],
  ['true and false', `${METRICS}achievements:\n  - key: a\n    hidden: |\n`, ['true', 'false']],
  [
    'every type of a trigger',
    `${METRICS}achievements:\n  - trigger:\n      type: |\n`,
    ['metric', 'streak', 'api', 'achievement'],
  ],
  [
    'only what goes with the type',
    `${METRICS}achievements:\n  - trigger:\n      type: metric\n      |\n`,
    ['metric', 'value'],
  ],
  ['nothing where the schema knows nothing', `${METRICS}streak:\n  nothing: |\n`, []],
])('the editor suggests %s', (_what, text, expected) => {
  expect(labels(text)).toEqual(expected);
});

it('the editor suggests nothing in a text that takes long to parse', () => {
  expect(labels(`# ${'x'.repeat(200_000)}\n|`)).toEqual([]);
});

it('the editor shows which fields are required and what they mean', () => {
  const found = suggestionsAt('', 0, 0, SCHEMA);
  expect(found.find(({ label }) => label === 'metrics')).toMatchObject({
    isRequired: true,
    about: 'The metrics. At least one is required.',
  });
  expect(found.find(({ label }) => label === 'streak')).toMatchObject({ isRequired: false });
});
