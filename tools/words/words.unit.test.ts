import { ESLint, type Linter } from 'eslint';
import tseslint from 'typescript-eslint';

// The tools have no types: what they take and give is in their comments.
const { wordsPlugin } = await import(new URL('./plugin.mjs', import.meta.url).href);

const TERMS = { Span: 'range', lane: 'queue', isTold: 'isNotified', LogRecord: 'RecordedEvent', Parts: 'Dependencies' };

async function reportsOf(text: string, path = 'libs/domain/points/src/a.ts'): Promise<readonly string[]> {
  const config = {
    files: ['**/*.ts'],
    languageOptions: { parser: tseslint.parser as Linter.Parser },
    plugins: { words: wordsPlugin(TERMS) as ESLint.Plugin },
    rules: { 'words/names': 'error' as const },
  };
  const eslint = new ESLint({ overrideConfigFile: true, overrideConfig: config });
  const [result] = await eslint.lintText(text, { filePath: path });
  return (result?.messages ?? []).map(({ line, message }) => `${line}: ${message}`);
}

describe('the words rule', () => {
  it.each([
    ['class AppliedSpan {}', 'AppliedSpan holds Span; say range'],
    ['interface Spans {}', 'Spans holds Span; say range'],
    ['type A<Span> = Span;', 'Span holds Span; say range'],
    ['const MAX_SPAN = 1;', 'MAX_SPAN holds Span; say range'],
    ['const lanes = [];', 'lanes holds lane; say queue'],
    ['function byLane() {}', 'byLane holds lane; say queue'],
    ['const f = (lane) => 1;', 'lane holds lane; say queue'],
    ['const f = ({ lane }) => 1;', 'lane holds lane; say queue'],
    ['const { queue: lane = 1 } = all;', 'lane holds lane; say queue'],
    ['class A { isTold() {} }', 'isTold holds isTold; say isNotified'],
    ['class A { #isTold() {} }', 'isTold holds isTold; say isNotified'],
    ['interface A { isTold(): boolean }', 'isTold holds isTold; say isNotified'],
    ['const decodeLogRecord = 1;', 'decodeLogRecord holds LogRecord; say RecordedEvent'],
    ['interface EngineParts {}', 'EngineParts holds Parts; say Dependencies'],
  ])('refuses a name in %s', async (text, message) => {
    expect(await reportsOf(text)).toEqual([`1: ${message}`]);
  });

  it.each([
    'const span = 1;',
    'const planeSpanning = 1;',
    'const one = { lane: 1, Span: 2 };',
    'const { lane: queue } = status;',
    'interface Status { readonly lane: string }',
    'type AnswerParts = object;',
    "import { Span } from './span.ts';",
    'use(status.lane, Span);',
  ])('accepts %s', async (text) => {
    expect(await reportsOf(text)).toEqual([]);
  });
});

test('the words rule checks the name of a file, too', async () => {
  expect(await reportsOf('', 'libs/a/src/append-lane.unit.test.ts')).toEqual(['1: AppendLane holds lane; say queue']);
  expect(await reportsOf('', 'libs/a/src/lifespan.ts')).toEqual([]);
});
