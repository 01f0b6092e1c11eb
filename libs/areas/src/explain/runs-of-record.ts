import { dayAt, formatDay, type Day, type Instant } from '@laurel/calendar';
import type { Configuration, Effect, Subject } from '@laurel/contracts';
import { daysOnAnyClock, runHolding, type RunOfUser } from '@laurel/leaderboards';

/** The days on the user's clock on which something of the event counts. An erasure counts in every run that is not final. */
export function daysOf(
  { occurredAt, fact }: { readonly occurredAt: Instant; readonly fact: { readonly type: string } },
  zone: string,
  effects: readonly Effect[],
): ReadonlySet<Day> {
  const days = effects.flatMap((effect) => {
    if ('day' in effect) return [effect.day];
    return 'at' in effect ? [dayAt(effect.at, zone)] : [];
  });
  const running = fact.type === 'UserErased' ? daysOnAnyClock(occurredAt) : [];
  return new Set([dayAt(occurredAt, zone), ...running, ...days]);
}

/** The runs of configured boards that hold one of the days. */
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
