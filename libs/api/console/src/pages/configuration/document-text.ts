import { stringify } from 'yaml';
import type { Schemas } from '../../api/client.ts';

type Published = Schemas['PublishedConfiguration'];

/** The text of a version with normalized line ends, or its document as YAML if no text is stored. */
export const textOf = ({ text, document }: Published): string =>
  text?.replace(/\r\n?/g, '\n') ?? writeDocument(document);

/**
 * Two versions as texts to compare. If only one of them has a stored text, both are written as YAML, so that only
 * content differs.
 */
export const comparable = (versions: readonly Published[]): readonly string[] =>
  versions.map((one) => (versions.every(({ text }) => text !== null) ? textOf(one) : writeDocument(one.document)));

/** The usual order of fields, because the database does not keep their order. */
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

/** The document as YAML, with fields in their usual order. */
const writeDocument = (document: unknown): string =>
  stringify(document, { sortMapEntries: ({ key: a }, { key: b }) => placeOf(a) - placeOf(b) });

function placeOf(key: unknown): number {
  const name = typeof key === 'object' && key !== null && 'value' in key ? key.value : key;
  const place = FIRST.indexOf(String(name));
  return place < 0 ? FIRST.length : place;
}
