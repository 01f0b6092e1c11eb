import { acceptsAndRefuses } from './document-fields.test-data.ts';

acceptsAndRefuses('a document and its metrics', {
  accepted: [
    ['a document of metrics alone', { achievements: '', points: '', leaderboards: '', streak: '' }],
    [
      'key: 64 characters of every kind',
      { metrics: `metrics: [{ key: reads, name: R }, { key: ${'aZ9_-'.repeat(12)}aaaa, name: B }]` },
    ],
    [
      'key: a property name that every object inherits',
      { metrics: 'metrics: [{ key: reads, name: R }, { key: __proto__, name: P }, { key: constructor, name: C }]' },
    ],
    [
      'name: 255 characters, counted as code points',
      { metrics: `metrics: [{ key: reads, name: ${'😀'.repeat(255)} }]` },
    ],
  ],
  refused: [
    ['version 2', { version: 'version: «2' }, 'version', 'expected 1, found 2'],
    ['version as text', { version: 'version: «"1"' }, 'version', 'expected 1, found "1"'],
    ['an unknown field at the root', { version: 'version: 1\n«metrix: 1' }, 'metrix', "did you mean 'metrics'?"],
    ['no metric', { metrics: 'metrics: «[]' }, 'metrics', 'expected at least 1 in the list'],
    ['metrics as a map', { metrics: 'metrics: «{}' }, 'metrics', 'expected a list, found a map of fields'],
    ['metrics left empty', { metrics: '«metrics:' }, 'metrics', 'expected a list, found nothing (null)'],
    [
      'a metric that is not a map',
      { metrics: 'metrics: [«reads]' },
      'metrics[0]',
      'expected a map of fields, found "reads"',
    ],
    ['a metric without key', { metrics: 'metrics: [«{ name: R }]' }, 'metrics[0].key', 'missing: expected text'],
    ['a metric without name', { metrics: 'metrics: [«{ key: reads }]' }, 'metrics[0].name', 'missing: expected text'],
    [
      'a key with a space',
      { metrics: 'metrics: [{ key: reads, name: R }, { key: «"a b", name: R }]' },
      'metrics[1].key',
      'expected a key',
    ],
    [
      'a key of 65 characters',
      { metrics: `metrics: [{ key: reads, name: R }, { key: «${'a'.repeat(65)}, name: R }]` },
      'metrics[1].key',
      'expected a key',
    ],
    [
      'a key that is a number',
      { metrics: 'metrics: [{ key: reads, name: R }, { key: «7, name: R }]' },
      'metrics[1].key',
      'expected text, found 7 (put it in quotes)',
    ],
    [
      'a key twice',
      { metrics: 'metrics: [{ key: reads, name: R }, { key: «reads, name: R }]' },
      'metrics[1].key',
      'also at metrics[0].key',
    ],
    [
      'an empty name',
      { metrics: 'metrics: [{ key: reads, name: «"" }]' },
      'metrics[0].name',
      'expected text of 1 to 255 characters',
    ],
    [
      'a name of 256 characters',
      { metrics: `metrics: [{ key: reads, name: «${'n'.repeat(256)} }]` },
      'metrics[0].name',
      'expected text of 1 to 255 characters',
    ],
    [
      'a name with NUL',
      { metrics: 'metrics: [{ key: reads, name: «"a\\0b" }]' },
      'metrics[0].name',
      'expected text without NUL',
    ],
    [
      'a name with a lone surrogate',
      { metrics: 'metrics: [{ key: reads, name: «"\\ud800" }]' },
      'metrics[0].name',
      'lone surrogates',
    ],
    [
      'an unknown field of a metric',
      { metrics: 'metrics: [{ key: reads, name: R, «nmae: X }]' },
      'metrics[0].nmae',
      "did you mean 'name'?",
    ],
  ],
});
