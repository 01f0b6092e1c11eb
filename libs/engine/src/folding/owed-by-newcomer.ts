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
 * Number of time awards owed at `now` to the user whom this record creates. The areas compute it by applying the record
 * to an empty user. Up to {@link MOST_OWED_AWARDS}, the number may be too high.
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
    const fold = Fold.ofNobody(areas, configuration);
    fold.apply(record, configuration);
    return areas.reduce((owed, area, index) => owed + (area.owed?.(fold.states[index], configuration, now) ?? 0), 0);
  } catch {
    // The area will stop at this record when it is applied, and report the error then.
    return 0;
  }
}

/** Upper limit of the awards that can fall due: whether each is given depends on the user's total. */
export function dueInstants({ pointsSystems }: Configuration, createdAt: Instant, now: Instant): number {
  const spans = pointsSystems.flatMap(({ validityPeriods }) => validityPeriods);
  const length = Math.max(0, now - createdAt);
  return spans.reduce((sum, { trigger }) => sum + Math.floor(length / everyMs(trigger)), 0);
}
