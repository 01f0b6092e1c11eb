import { storedEntries } from '@laurel/kernel';
import { isMap } from './place.ts';

/**
 * Converts a document of the log to the present fields, with the meaning that it had in the release that published it.
 */
export function storedDocument(value: unknown): unknown {
  if (!isMap(value)) return value;
  const { outgoing } = value;
  if (!isMap(outgoing) || outgoing['events'] !== 'all') return value;
  return { ...value, outgoing: { ...outgoing, events: storedEntries('all') } };
}
