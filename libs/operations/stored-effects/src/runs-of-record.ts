import { dayAt, formatDay, type Day, type Instant } from '@laurel/calendar';
import type { Configuration, Effect, Subject } from '@laurel/kernel';
import { daysOnAnyClock, runHolding } from '@laurel/contributions';
import type { RunOfUser } from '@laurel/leaderboards';

/**
 * The days, on the user's clock, on which effects of the event count. The end of a streak counts on the user's clock before the event; an
 * erasure counts in every run that is not final.
 * @param zone the user's zone after the event
 */
export function daysOf(
  { occurredAt, fact }: { readonly occurredAt: Instant; readonly fact: { readonly type: string } },
  zone: string,
  effects: readonly Effect[],
): ReadonlySet<Day> {
  const zoneBefore = effects.find((effect) => effect.type === 'ZoneChanged')?.from ?? zone;
  const days = effects.flatMap((effect) => {
    if ('day' in effect) return [effect.day];
    return 'at' in effect ? [dayAt(effect.at, effect.type === 'StreakEnded' ? zoneBefore : zone)] : [];
  });
  const running = fact.type === 'UserErased' ? daysOnAnyClock(occurredAt) : [];
  return new Set([dayAt(occurredAt, zone), ...running, ...days]);
}

/** The runs of configured boards that contain one of the days. */
export function runsOf(
  subject: Subject,
  days: ReadonlySet<Day>,
  { leaderboards, names }: Pick<Configuration, 'leaderboards' | 'names'>,
): readonly RunOfUser[] {
  return leaderboards.flatMap((definition) => {
    const starts = [...days].flatMap((day) => runHolding(definition, formatDay(day))?.start ?? []);
    const run = { subject, board: definition.key, boardNumber: names.boards.numberOf(definition.key) };
    return [...new Set(starts)].map((start) => ({ ...run, start }));
  });
}
