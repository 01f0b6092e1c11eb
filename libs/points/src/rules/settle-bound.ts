import type { Instant } from '@laurel/calendar';
import type { Configuration } from '@laurel/contracts';
import type { PointsState } from './points-state.ts';
import { debtOf } from './settle.ts';
import { timeAwards } from './time-awards.ts';
import { countTicks } from './time-schedule.ts';

/**
 * How far a user may be settled at once so that not more than `atMost` time awards are given: `upTo`, or an earlier instant
 * behind which more are due. Always far enough for the first award, so that settling piece by piece comes to an end.
 */
export function settleBound(state: PointsState, configuration: Configuration, upTo: Instant, atMost: number): Instant {
  if (state.kind === 'unknown') return upTo;
  const debts = configuration.pointsSystems.map((definition) => debtOf(state, definition, upTo));
  const ticks = debts.flatMap(({ schedule, window }) =>
    schedule.spans.map((span) => countTicks(schedule, span, window)),
  );
  if (ticks.reduce((sum, count) => sum + count, 0) <= atMost) return upTo;
  const due = debts.flatMap(({ schedule, window, total }) =>
    firstInstants(timeAwards(schedule, window, total), atMost + 1),
  );
  due.sort((a, b) => a - b);
  const first = due[0];
  const beyond = due[atMost];
  return first === undefined || beyond === undefined ? upTo : Math.max(beyond - 1, first);
}

function firstInstants(awards: Iterable<{ readonly at: Instant }>, limit: number): Instant[] {
  const instants: Instant[] = [];
  for (const { at } of awards) {
    instants.push(at);
    if (instants.length === limit) break;
  }
  return instants;
}
