import { configurationDocument } from '@laurel/schemas';
import { COMPLETE_DOCUMENT } from '../complete-document.test-data.ts';
import { compileHistory } from '../history/compile-history.ts';
import { parseDocument } from './parse-document.ts';
import { formatProblems, MOST_FAULTS } from './problem.ts';
import { sameDocument } from './same-document.ts';
import { validateDocument, validateDocumentInSteps } from './validate-document.ts';

const fail = (): never => {
  throw new Error('the document was refused');
};

const metrics = [{ key: 'a', name: 'A' }];
const many = <T>(length: number, element: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => element(index));
const document = (parts: object) => ({ version: 1, metrics, ...parts });
const composite = (achievements: readonly string[], key = 'c') => ({
  key,
  name: 'C',
  trigger: { type: 'achievement', achievements },
});

/** A value that counts how often any of its elements was looked at. */
function counting(elements: readonly object[]) {
  const looks = { count: 0 };
  const watched = elements.map(
    (element) =>
      new Proxy(element, {
        get: (target, name, receiver) => {
          looks.count++;
          return Reflect.get(target, name, receiver) as unknown;
        },
      }),
  );
  return { looks, watched };
}

describe('validateDocument with many problems', () => {
  it.each([
    ['entries of the wrong type', document({ metrics: many(300_000, () => 1) })],
    ['entries without a field', document({ leaderboards: many(250_000, () => ({})) })],
    ['triggers without a type', document({ points: [{ key: 'p', name: 'P', triggers: many(300_000, () => ({})) }] })],
    ['unknown fields', document(Object.fromEntries(many(100_000, (index) => [`x${index}`, 1])))],
    ['the same key', document({ metrics: many(35_000, () => metrics[0]) })],
    ['unknown references', document({ achievements: [composite(many(150_000, (index) => `x${index}`))] })],
    ['repeated references', document({ achievements: [composite(many(260_000, () => 'c'))] })],
    ['wrong pairs of fields', document({ leaderboards: many(20_000, () => ({ rankBy: 'streak', metric: 'a' })) })],
  ])('returns the first problems and states that there are more: %s', (_, value) => {
    const { faults, more } = validateDocument(value);
    expect([faults?.length, more]).toEqual([MOST_FAULTS, true]);
  });

  it('stops checking after the last problem that it reports', () => {
    const { looks, watched } = counting(many(100_000, () => ({ key: 'a b', name: '' })));
    validateDocument(document({ leaderboards: watched }));
    expect(looks.count).toBeGreaterThan(0);
    expect(looks.count).toBeLessThan(20 * MOST_FAULTS);
  });

  it('reports the first problems in the order of the document', () => {
    const { faults } = validateDocument(document({ metrics: many(2_000, (index) => ({ key: index, name: 'A' })) }));
    expect(faults?.map(({ path }) => path)).toEqual(many(MOST_FAULTS, (index) => ['metrics', index, 'key']));
  });

  it('does not state that there are more if it reports all problems', () => {
    const { faults, more } = validateDocument(document({ metrics: many(MOST_FAULTS, () => 1) }));
    expect([faults?.length, more]).toEqual([MOST_FAULTS, false]);
  });

  it("adds a line to a file's problems if the search stopped early", () => {
    const text = JSON.stringify(document({ metrics: many(1_001, () => 1) }));
    const { problems = [], more } = parseDocument(text, 'app.json');
    const lines = formatProblems(problems, more).split('\n');
    expect(lines).toHaveLength(MOST_FAULTS + 1);
    expect(lines.at(-1)).toBe('there are more problems: the search stopped after 1000');
  });

  it('shortens a cycle of thousands of achievements, however often it is closed', () => {
    const keys = many(8_000, (index) => `a${index}`);
    const chain = keys.map((key, index) => composite(index + 1 < keys.length ? [`a${index + 1}`] : keys, key));
    const { faults = [] } = validateDocument(document({ achievements: chain }));
    expect(faults).toHaveLength(MOST_FAULTS);
    expect(faults[0]?.message).toMatch(/^expected no cycle of achievements, found ("a\d+" → ){8}… → "a0"$/);
  });
});

describe('validateDocumentInSteps', () => {
  const wide = document({
    achievements: many(5_000, (index) => ({ key: `a${index}`, name: 'A', trigger: { type: 'api' } })),
  });

  it('yields to other work every few hundred elements', async () => {
    let turns = 0;
    const checked = await validateDocumentInSteps(wide, () => Promise.resolve(turns++));
    expect(checked).toEqual(validateDocument(wide));
    expect(turns).toBeGreaterThanOrEqual(5_000 / 250);
  });

  it('yields to other work within a list of a single entry', async () => {
    let turns = 0;
    const triggers = many(5_000, (index) => ({ type: 'streak', length: index + 1, points: 1 }));
    await validateDocumentInSteps(document({ points: [{ key: 'p', name: 'P', triggers }] }), () =>
      Promise.resolve(turns++),
    );
    expect(turns).toBeGreaterThanOrEqual(5_000 / 250);
  });

  it('returns a document that is compiled and compared without another validation', () => {
    const { document: made = fail() } = validateDocument(document({}));
    // Nobody changes documents; here it shows who looks at one.
    Object.assign(made.metrics[0] ?? {}, { name: '' });
    const compiled = (value: object) => compileHistory('a', [{ version: 1, publishedAt: 0, document: value }]);
    expect(compiled(made).current.metrics[0]?.name).toBe('');
    expect(() => compiled({ ...made })).toThrow('metrics[0].name');
    expect(sameDocument(made, document({}))).toBe(false);
    expect(() => sameDocument({ ...made }, document({}))).toThrow();
  });

  it('returns the same document as its schema', () => {
    const { document: complete } = parseDocument(COMPLETE_DOCUMENT, 'app.yaml');
    const sparse = JSON.parse(JSON.stringify(document({ achievements: [composite(['b']), { ...composite([]), key: 'b', trigger: { type: 'api' } }] }))) as unknown; // prettier-ignore
    for (const value of [complete, sparse]) {
      const { document: checked } = validateDocument(value);
      expect(JSON.stringify(checked)).toBe(JSON.stringify(configurationDocument.parse(value)));
    }
  });
});
