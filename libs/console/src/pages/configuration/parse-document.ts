import { parse, stringify } from 'yaml';

/** @throws SyntaxError with a sentence that names the line */
export function parseDocument(text: string): unknown {
  try {
    return parse(text) as unknown;
  } catch (error) {
    throw new SyntaxError(error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : 'It is no YAML.');
  }
}

/** As people write it: the database keeps no order of names. */
const FIRST = [
  'version',
  'key',
  'name',
  'type',
  'description',
  'metrics',
  'streak',
  'achievements',
  'points',
  'leaderboards',
];

/** The document as YAML, in the order in which people write it. */
export const writeDocument = (document: unknown): string =>
  stringify(document, { sortMapEntries: ({ key: a }, { key: b }) => placeOf(a) - placeOf(b) });

function placeOf(key: unknown): number {
  const name = typeof key === 'object' && key !== null && 'value' in key ? key.value : key;
  const place = FIRST.indexOf(String(name));
  return place < 0 ? FIRST.length : place;
}
