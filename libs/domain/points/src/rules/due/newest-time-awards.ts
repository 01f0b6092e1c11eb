import { onePull, stretchesOf } from './stretches.ts';
import { firstInstant, stretchTally } from './tally.ts';
import { timeAwards, type Debt, type TimeAward } from './time-awards.ts';

/** A stretch of a debt, and the total at its beginning. */
interface Leg {
  readonly stretch: Debt;
  readonly awards: number;
}

/**
 * The newest `limit` due awards, oldest first.
 *
 * Keeps at most `limit` awards at a time, and skips older ones by arithmetic if all triggers move the total in the same
 * direction.
 */
export function newestTimeAwards(debt: Debt, limit: number): readonly TimeAward[] {
  const legs = legsOf(debt);
  let missing = limit;
  let first = legs.length;
  while (missing > 0 && first > 0) missing -= legs[--first]?.awards ?? 0;
  const from = legs[first];
  if (from === undefined) return [];
  const { window, total } = missing < 0 ? behind(from.stretch, -missing) : from.stretch;
  return lastOf(timeAwards({ ...debt, window: { after: window.after, upTo: debt.window.upTo }, total }), limit);
}

function legsOf(debt: Debt): readonly Leg[] {
  let { total } = debt;
  return stretchesOf(debt).map((part) => {
    const stretch = { ...part, total };
    const tally = stretchTally(stretch);
    total = tally.total;
    return { stretch, awards: tally.awards };
  });
}

/** The rest of a stretch after skipping about `awards` awards, as exactly as arithmetic allows; never skips more. */
function behind(stretch: Debt, awards: number): Debt {
  if (onePull(stretch) === null) return stretch;
  const { window } = stretch;
  const tallyUpTo = (upTo: number) => stretchTally({ ...stretch, window: { ...window, upTo } });
  const after = firstInstant(window, (instant) => tallyUpTo(instant).awards > awards) - 1;
  return { ...stretch, window: { ...window, after }, total: tallyUpTo(after).total };
}

function lastOf(awards: Iterable<TimeAward>, limit: number): readonly TimeAward[] {
  const kept: TimeAward[] = [];
  for (const award of awards) {
    kept.push(award);
    if (kept.length > limit) kept.shift();
  }
  return kept;
}
