import { COMPLETE_DOCUMENT } from '../complete-document.test-data.ts';
import { documentWith, marked } from './document-fields.test-data.ts';
import { LARGEST_DOCUMENT, parseDocument } from './parse-document.ts';
import { formatProblems } from './problem.ts';

function problemsIn(text: string) {
  return parseDocument(text, 'app.yaml').problems ?? [];
}

describe('parseDocument', () => {
  it('fills in every default', () => {
    const { document } = parseDocument(
      documentWith({
        streak: 'streak: { frequency: daily, conditions: [{ metric: reads, threshold: 1 }] }',
        leaderboards: 'leaderboards: [{ key: top, name: Top, rankBy: streak, start: 2024-01-01 }]',
      }),
      'app.yaml',
    );
    expect(document).toEqual({
      version: 1,
      metrics: [{ key: 'reads', name: 'Reads' }],
      streak: {
        frequency: 'daily',
        mode: 'all',
        weekStart: 'monday',
        conditions: [{ metric: 'reads', threshold: 1 }],
      },
      achievements: [
        {
          ...{ key: 'first', name: 'First', description: null, badgeUrl: null },
          ...{ group: null, tier: null, hidden: false, activeFrom: null, activeUntil: null, where: null },
          trigger: { type: 'api' },
        },
      ],
      points: [
        {
          key: 'xp',
          name: 'XP',
          description: null,
          badgeUrl: null,
          maxPoints: null,
          caps: [],
          triggers: [],
          levels: [],
          levelsBy: 'total',
          boosts: [],
        },
      ],
      leaderboards: [
        {
          key: 'top',
          name: 'Top',
          description: null,
          rankBy: 'streak',
          start: '2024-01-01',
          end: null,
          runUnit: null,
          runInterval: null,
          maxParticipants: 1000,
        },
      ],
    });
  });

  it('reads a document with every field from YAML, and the same from JSON', () => {
    const { document } = parseDocument(COMPLETE_DOCUMENT, 'app.yaml');
    expect(document?.leaderboards).toHaveLength(3);
    expect(parseDocument(JSON.stringify(document, null, '\t'), 'app.json')).toEqual({ document });
  });

  it('keeps dates and words as text, even under a YAML 1.1 directive', () => {
    const text = `%YAML 1.1\n---\n${documentWith({
      leaderboards: 'leaderboards: [{ key: no, name: yes, rankBy: streak, start: 2004-11-01 }]',
    })}`;
    expect(parseDocument(text, 'app.yaml').document?.leaderboards).toMatchObject([
      { key: 'no', name: 'yes', start: '2004-11-01' },
    ]);
  });

  it('follows anchors', () => {
    const text = documentWith({ metrics: 'metrics: [{ key: reads, name: &name Reads }, { key: more, name: *name }]' });
    expect(parseDocument(text, 'app.yaml').document?.metrics[1]).toEqual({ key: 'more', name: 'Reads' });
  });

  it('locates a problem behind an alias at the anchored text', () => {
    const { text, line, column } = marked('x: &m { key: reads, name: «7 }\nversion: 1\nmetrics: [*m]');
    const problem = problemsIn(text).find(({ path }) => path === 'metrics[0].name');
    expect(problem).toMatchObject({ line, column });
  });

  it('reports every problem, in the order of the file', () => {
    const text = [
      'version: 1',
      'metrics: [{ key: reads, name: 7 }]',
      'streak: { frequency: daily, conditions: [{ metric: raeds, threshold: 0 }] }',
      'points: [{ key: xp, name: XP, triggers: [], levles: [] }]',
      'leaderboards: [{ key: top, name: Top, rankBy: metric, start: 2024-02-30, end: 2024-01-01, runUnit: day }]',
    ].join('\n');
    expect(problemsIn(text).map(({ line, path }) => `${line} ${path}`)).toEqual([
      '2 metrics[0].name',
      '3 streak.conditions[0].metric',
      '3 streak.conditions[0].threshold',
      '4 points[0].levles',
      '5 leaderboards[0].metric',
      '5 leaderboards[0].start',
      '5 leaderboards[0].runUnit',
    ]);
  });

  it('reports each cycle of achievements at the reference that closes it', () => {
    const text = documentWith({
      achievements: `achievements:
  - { key: a, name: A, trigger: { type: achievement, achievements: [b, c] } }
  - { key: b, name: B, trigger: { type: achievement, achievements: [a] } }
  - { key: c, name: C, trigger: { type: achievement, achievements: [d, a] } }
  - { key: d, name: D, trigger: { type: achievement, achievements: [free] } }
  - { key: free, name: F, trigger: { type: api } }`,
    });
    expect(problemsIn(text).map(({ path, message }) => `${path} ${message}`)).toEqual([
      'achievements[1].trigger.achievements[0] expected no cycle of achievements, found "a" → "b" → "a"',
      'achievements[2].trigger.achievements[1] expected no cycle of achievements, found "a" → "c" → "a"',
    ]);
  });
});

describe('parseDocument given text that is not a document', () => {
  it.each([
    ['an unclosed bracket', 'version: 1\nmetrics: [{ key: a, name: b }\n«points: []', ']'],
    ['a tag that would change the value', 'version: 1\nx: «!!timestamp 2004-11-01', 'Unresolved tag'],
    ['a second document', 'version: 1\n«---\nversion: 1', 'one document'],
    [
      'a field given twice',
      'version: 1\nmetrics: [{ key: a, name: b, «key: c }]',
      'expected each field only once, found "key" again',
    ],
    ['an unknown anchor', 'version: 1\nmetrics: «*m', 'expected a known anchor, found "m"'],
    ['an alias within its own anchor', 'version: 1\nmetrics: &m [«*m]', 'to a value that contains it'],
    ['a map as a field name', 'version: 1\n? «[a]\n: b', 'keys must be strings'],
    ['no content', '«', 'expected a map of fields, found nothing'],
    ['plain text', '«hello', 'expected a map of fields, found "hello"'],
    ['too many levels of nesting', `x: ${'['.repeat(62)}«[[`, 'expected at most 64 levels of nesting'],
  ])('refuses %s and reports where', (_, source, message) => {
    const { text, line, column } = marked(source);
    const problem = problemsIn(text).find((one) => one.message.includes(message));
    expect(problem).toMatchObject({ file: 'app.yaml', line, column });
  });

  it('reports the path of a field given twice', () => {
    expect(problemsIn(documentWith({ metrics: 'metrics: [{ key: reads, name: b, key: c }]' }))).toMatchObject([
      { path: 'metrics[0].key' },
    ]);
  });

  it('takes no field from the prototype of objects', () => {
    const problems = problemsIn('"__proto__": { version: 1, metrics: [{ key: a, name: b }] }\nconstructor: 1');
    expect(problems.map(({ path }) => path)).toEqual(['version', 'metrics', '__proto__', 'constructor']);
  });

  it('refuses a document of more than 1 MiB, counted in bytes', () => {
    const filler = `# ${'ü'.repeat(LARGEST_DOCUMENT / 2)}`;
    expect(problemsIn(`${documentWith({})}\n${filler}`)).toMatchObject([{ line: 1, column: 1, path: '' }]);
    expect(problemsIn(`${documentWith({})}\n${'#'.repeat(LARGEST_DOCUMENT / 2)}`)).toEqual([]);
  });

  const BOMBS: readonly (readonly [what: string, text: string, message: string])[] = [
    ['aliases of aliases', `a0: &a0 [x]\n${exponential(30)}`, 'at most 400000 values'],
    ['a chain of aliases', `a0: &a0 [x]\n${chain(20_000)}`, 'at most 64 levels'],
    ['half a million open brackets', '['.repeat(500_000), 'at most 64 levels'],
    ['more than six hundred thousand tokens', `x: [${'a,'.repeat(300_000)}]`, 'at most 600000 YAML tokens'],
    ['as many dashes', '- '.repeat(500_000), 'at most 64 levels'],
    ['a hundred thousand errors', ']'.repeat(100_000), 'Unexpected'],
    [
      'thirty thousand unknown fields',
      Array.from({ length: 30_000 }, (_, i) => `a${i}:`).join('\n'),
      'missing: expected 1',
    ],
  ];
  it.each(BOMBS)('refuses %s without exhausting the process', (_, text, message) => {
    expect(problemsIn(text)[0]?.message).toContain(message);
  });

  function exponential(levels: number): string {
    return Array.from({ length: levels }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]`).join('\n');
  }

  function chain(links: number): string {
    return Array.from({ length: links }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}]`).join('\n');
  }
});

describe('formatProblems', () => {
  it('writes one line per problem, beginning with file, line and column', () => {
    const problems = problemsIn('version: 2\nmetrics: []');
    expect(formatProblems(problems)).toBe(
      [
        'app.yaml:1:10 version: expected 1, found 2',
        'app.yaml:2:10 metrics: expected at least 1 in the list, found an empty list',
      ].join('\n'),
    );
  });

  it('omits the path if the problem concerns the whole document', () => {
    expect(formatProblems(problemsIn('hello'))).toBe('app.yaml:1:1 expected a map of fields, found "hello"');
  });

  it('writes no control characters, whatever names and values the document has', () => {
    const hostile = '"\\e]52;c;AA\\a\\u202E\\u009B\\n"';
    const text = `${hostile}: 1\nversion: ${hostile}\nmetrics: *\u202Ex`;
    const printed = formatProblems(parseDocument(text, '\u001b]52;c;AA\u0007.yaml').problems ?? []);
    expect(printed.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(printed.length).toBeGreaterThan(0);
  });
});
