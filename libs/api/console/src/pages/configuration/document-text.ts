import { stringify } from 'yaml';
import type { Schemas } from '../../api/client.ts';

type Published = Schemas['PublishedConfiguration'];

/** A version as it was written, with the ends of lines that the editor makes; as YAML if no text is kept. */
export const textOf = ({ text, document }: Published): string =>
  text?.replace(/\r\n?/g, '\n') ?? writeDocument(document);

/** Two versions as texts to compare. One that was written and one that was not differ in nothing but what they say. */
export const comparable = (versions: readonly Published[]): readonly string[] =>
  versions.map((one) => (versions.every(({ text }) => text !== null) ? textOf(one) : writeDocument(one.document)));

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
const writeDocument = (document: unknown): string =>
  stringify(document, { sortMapEntries: ({ key: a }, { key: b }) => placeOf(a) - placeOf(b) });

function placeOf(key: unknown): number {
  const name = typeof key === 'object' && key !== null && 'value' in key ? key.value : key;
  const place = FIRST.indexOf(String(name));
  return place < 0 ? FIRST.length : place;
}
