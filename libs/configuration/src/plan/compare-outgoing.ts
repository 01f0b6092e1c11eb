import { ALWAYS_MADE, storedTypes, type OutgoingDocument } from '@laurel/contracts';
import { added, changedFields, removed, type Change } from './change.ts';

type Outgoing = OutgoingDocument | undefined;

export function compareOutgoing(before: Outgoing, after: Outgoing): Change[] {
  if (before === undefined) return after === undefined ? [] : [added('outgoing', after, WHEN_ADDED)];
  if (after === undefined) return [removed('outgoing', before, WHEN_REMOVED)];
  return changedFields<OutgoingDocument, never>('outgoing', before, after, {
    events: (was, is) => eventsEffect(storedTypes(was), storedTypes(is)),
    keep: 'From publication, Laurel deletes outcomes that are older than this.',
    recap: "Recaps come at this time, starting with each user's next event.",
    reactivation:
      "Laurel counts the days from a user's last event that was recorded under a version that asks for this reminder.",
    atRisk:
      'Reminders come at this time from the next period on, and in the current period if the time is still to come.',
    announceTop: (_, top) =>
      `From publication, Laurel makes leaderboard.rank_lost and leaderboard.changed for the first ${top} of a run.`,
  });
}

const WHEN_ADDED = 'Laurel makes outcomes of what happens after publication, and none of what happened before.';
const WHEN_REMOVED =
  'Laurel makes no outcomes of what happens after publication, except user.corrected and user.erased. It still makes outcomes of what happened before, and keeps them for as long as the removed section says.';

function eventsEffect(was: readonly string[], is: readonly string[]): string {
  const more = is.filter((type) => !was.includes(type) && !isAlwaysMade(type));
  const fewer = was.filter((type) => !is.includes(type) && !isAlwaysMade(type));
  const sentences = [
    more.length > 0 && `From publication, Laurel also makes outcomes of these types: ${more.join(', ')}.`,
    fewer.length > 0 && `From publication, Laurel no longer makes outcomes of these types: ${fewer.join(', ')}.`,
  ].filter((sentence) => sentence !== false);
  return sentences.length > 0 ? sentences.join(' ') : 'Laurel makes outcomes of the same types as before.';
}

const isAlwaysMade = (type: string): boolean => ALWAYS_MADE.some((always) => always === type);
