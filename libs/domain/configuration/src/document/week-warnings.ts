import { daysBetween, weekdayOf } from '@laurel/calendar';
import type { ConfigurationDocument } from '@laurel/schemas';
import type { Warning } from './document-warnings.ts';
import { formatPath } from './path.ts';

const EPOCH = '1970-01-01';
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const FIRST_DAYS = { monday: 0, sunday: 6 };

/** Warnings about boards whose runs last whole weeks but begin on another day than the document's week. */
export function weekWarnings({ streak, leaderboards }: ConfigurationDocument): readonly Warning[] {
  const first = FIRST_DAYS[streak?.weekStart ?? 'monday'];
  return leaderboards.flatMap(({ start, runUnit, runInterval }, index) => {
    if (runUnit !== 'day' || (runInterval ?? 0) % 7 !== 0) return [];
    const weekday = weekdayOf(daysBetween(EPOCH, start));
    if (weekday === first) return [];
    const [is, expected] = [WEEKDAYS[weekday], WEEKDAYS[first]];
    const message = `is a ${is}, so each run begins on a ${is}; weeks begin on a ${expected} in this configuration`;
    return [{ path: formatPath(['leaderboards', index, 'start']), message }];
  });
}
