import { ALWAYS_MADE } from '@laurel/kernel';
import type { OutgoingDocument } from '@laurel/schemas';
import { canonicalEntries, type OutcomeEntry } from '../document/outcome-entries.ts';
import { added, changedFields, removed, type Change } from './change.ts';

type Outgoing = OutgoingDocument | undefined;

export function compareOutgoing(before: Outgoing, after: Outgoing): Change[] {
  if (before === undefined) return after === undefined ? [] : [added('outgoing', after, WHEN_ADDED)];
  if (after === undefined) return [removed('outgoing', before, WHEN_REMOVED)];
  return changedFields<OutgoingDocument, never>('outgoing', before, after, {
    events: (was, is) => eventsEffect(canonicalEntries(was), canonicalEntries(is)),
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

function eventsEffect(was: readonly OutcomeEntry[], is: readonly OutcomeEntry[]): string {
  const [before, after] = [was.map(describeEntry), is.map(describeEntry)];
  const more = after.filter((entry) => !before.includes(entry) && !isAlwaysMade(entry));
  const fewer = before.filter((entry) => !after.includes(entry) && !isAlwaysMade(entry));
  const sentences = [
    more.length > 0 && `From publication, Laurel also makes outcomes of these types: ${more.join(', ')}.`,
    fewer.length > 0 && `From publication, Laurel no longer makes outcomes of these types: ${fewer.join(', ')}.`,
  ].filter((sentence) => sentence !== false);
  return sentences.length > 0 ? sentences.join(' ') : 'Laurel makes outcomes of the same types as before.';
}

/** For example `points.changed (points systems hearts; triggers metric, grant)`. */
function describeEntry(entry: OutcomeEntry): string {
  if (typeof entry === 'string') return entry;
  const { type, pointsSystems, triggers } = entry;
  const limits = [
    pointsSystems && `points systems ${pointsSystems.join(', ')}`,
    triggers && `triggers ${triggers.join(', ')}`,
  ].filter((limit) => limit !== undefined);
  return `${type} (${limits.join('; ')})`;
}

const isAlwaysMade = (type: string): boolean => ALWAYS_MADE.some((always) => always === type);
