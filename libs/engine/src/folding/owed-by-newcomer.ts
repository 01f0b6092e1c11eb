import type { Instant } from '@laurel/calendar';
import {
  everyMs,
  Fold,
  MOST_OWED_AWARDS,
  type Configuration,
  type RecordedEvent,
  type UserEvent,
} from '@laurel/kernel';
import type { AnyUserArea } from './document.ts';

/**
 * How many time awards are owed at `now` to the user whom this record creates, by the areas themselves: they apply it to a user
 * of whom nothing is stored. At most {@link MOST_OWED_AWARDS}, and then perhaps not exact, if there are not that many instants.
 */
export function owedByNewcomer(
  areas: readonly AnyUserArea[],
  record: RecordedEvent<UserEvent>,
  configuration: Configuration,
  now: Instant,
): number {
  const instants = dueInstants(configuration, record.occurredAt, now);
  if (instants <= MOST_OWED_AWARDS) return instants;
  try {
    return applied(areas, record, configuration, now);
  } catch {
    // The area stops at the record when it is applied, which says why.
    return 0;
  }
}

function applied(
  areas: readonly AnyUserArea[],
  record: RecordedEvent<UserEvent>,
  configuration: Configuration,
  now: Instant,
): number {
  const fold = Fold.ofNobody(areas, configuration);
  fold.apply(record, configuration);
  return areas.reduce((owed, area, index) => owed + (area.owed?.(fold.states[index], configuration, now) ?? 0), 0);
}

/** No more awards than these can fall due: whether one is given depends on the total. */
export function dueInstants({ pointsSystems }: Configuration, createdAt: Instant, now: Instant): number {
  const spans = pointsSystems.flatMap(({ validityPeriods }) => validityPeriods);
  const length = Math.max(0, now - createdAt);
  return spans.reduce((sum, { trigger }) => sum + Math.floor(length / everyMs(trigger)), 0);
}
