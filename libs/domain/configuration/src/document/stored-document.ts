import { storedEntries } from '@laurel/kernel';
import { isMap } from './place.ts';

/** A document of the log in the words of today. What it means is what it meant to the release that published it. */
export function storedDocument(value: unknown): unknown {
  if (!isMap(value)) return value;
  const { outgoing } = value;
  if (!isMap(outgoing) || outgoing['events'] !== 'all') return value;
  return { ...value, outgoing: { ...outgoing, events: storedEntries('all') } };
}
