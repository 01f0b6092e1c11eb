import { storedTypes, type OutgoingDocument } from '@laurel/contracts';
import { added, changedFields, removed, type Change } from './change.ts';

type Outgoing = OutgoingDocument | undefined;

export function compareOutgoing(before: Outgoing, after: Outgoing): Change[] {
  if (before === undefined) return after === undefined ? [] : [added('outgoing', after, FROM_THEN_ON)];
  if (after === undefined) return [removed('outgoing', before, WHEN_REMOVED)];
  return changedFields<OutgoingDocument, never>('outgoing', before, after, {
    events: (was, is) => eventsEffect(storedTypes(was), storedTypes(is)),
    keep: 'Outcomes that are older than that are deleted from then on.',
    recap: 'Users are told at that time from the next event that they report on.',
    reactivation: 'Days count from the last event that was recorded under a version that asks for it.',
    atRisk: 'Users are reminded at that time from the next period on, and of the present one if it is still to come.',
    announceTop: 'From then on so many of a run are those whose moves are made known.',
  });
}

const FROM_THEN_ON = 'What happens from then on is made known; of what happened before, nothing is.';
const WHEN_REMOVED =
  'What happens from then on is not made known. What was before still is, and is kept for as long as it was to be.';

function eventsEffect(was: readonly string[], is: readonly string[]): string {
  const more = is.filter((type) => !was.includes(type));
  const fewer = was.filter((type) => !is.includes(type));
  const sentences = [
    more.length > 0 && `From then on these are made known as well: ${more.join(', ')}.`,
    fewer.length > 0 && `From then on these are not: ${fewer.join(', ')}.`,
  ].filter((sentence) => sentence !== false);
  return sentences.length > 0 ? sentences.join(' ') : 'The same types are made known.';
}
