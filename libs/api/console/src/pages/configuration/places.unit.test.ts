import { lineOf, partsOf, textRangeOf, syntaxErrors } from './places.ts';

const TEXT = `version: 1
metrics:
  - { key: runs, name: Runs }
achievements:
  - key: far
    name: Far
    trigger:
      type: metric
      value: -5
`;
const at = (path: string) => {
  const { from, to } = textRangeOf(TEXT, partsOf(path) ?? []);
  return `${lineOf(TEXT, from)}: ${TEXT.slice(from, to)}`;
};

describe('the text range of a field', () => {
  it.each([
    ['achievements[0].trigger.value', '9: -5'],
    ['metrics[0].name', '3: Runs'],
    ['achievements[0].trigger', '7: trigger'],
    ['achievements', '4: achievements'],
    ['', '1: version: 1'],
  ])('%s covers its value, or only its name when the value is long', (path, place) => {
    expect(at(path)).toBe(place);
  });

  it.each([
    ['achievements[0].trigger.metric', '7: trigger'],
    ['achievements[0].description', '5: key'],
    ['achievements[7].key', '4: achievements'],
    ['points[0].key', '1: version: 1'],
  ])('%s, which is missing, covers the place that would contain it', (path, place) => {
    expect(at(path)).toBe(place);
  });

  it('is found by a quoted name', () => {
    const text = 'streak:\n  "a b": 7\n';
    const { from, to } = textRangeOf(text, partsOf('streak["a b"]') ?? []);
    expect(text.slice(from, to)).toBe('7');
  });

  it('does not exist for an invalid path', () => {
    expect(partsOf('a..b')).toBeNull();
    expect(partsOf('a[b]')).toBeNull();
  });
});

it('syntaxErrors finds where the text is not valid YAML', () => {
  const text = 'version: 1\nmetrics: [\n';
  const [error] = syntaxErrors(text);
  expect(error?.from).toBeGreaterThan(10);
  expect(error?.to).toBeLessThanOrEqual(text.length);
  expect(syntaxErrors(TEXT)).toEqual([]);
});
