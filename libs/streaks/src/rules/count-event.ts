import { ZERO } from '@laurel/amounts';
import type { Amount } from '@laurel/amounts';
import { localDate } from '@laurel/calendar';
import type { Instant, LocalDate, Period } from '@laurel/calendar';
import type { StreakDefinition } from '@laurel/contracts';
import { skippedPeriods } from './kept-period.ts';
import type { KeptPeriod } from './kept-period.ts';
import { currentPeriod, livingStreak } from './read-streak.ts';
import type { Streak, StreakState } from './streak-state.ts';

export interface MetricValue {
  readonly metric: string;
  readonly value: Amount;
}

export interface Counted {
  readonly state: StreakState;
  /** In order of time; the last one was met, those before it bridged. Empty: the event extended nothing. */
  readonly kept: readonly KeptPeriod[];
}

/**
 * Counts a metric event at the instant that counts for it. The state must be of the definition's
 * generation and settled up to the instant.
 *
 * The conditions are asked after every metric event, also of a metric that is no condition: a published change may
 * have made them met.
 */
export function countEvent(
  state: StreakState,
  event: MetricValue,
  instant: Instant,
  definition: StreakDefinition,
): Counted {
  const period = currentPeriod(state, instant, definition);
  const progress = progressWith(state, event, period, definition);
  const reached: StreakState = { ...state, latest: instant, reached: period.start, progress };
  const due = state.streak === null || period.start > state.streak.lastPeriod;
  return due && areMet(definition, progress)
    ? extend(reached, period, instant, definition)
    : { state: reached, kept: [] };
}

function progressWith(
  state: StreakState,
  { metric, value }: MetricValue,
  period: Period,
  definition: StreakDefinition,
): ReadonlyMap<string, Amount> {
  const before: ReadonlyMap<string, Amount> = period.start === state.reached ? state.progress : new Map();
  if (!definition.conditions.some((condition) => condition.metric === metric)) return before;
  return new Map(before).set(metric, (before.get(metric) ?? ZERO) + value);
}

function areMet(definition: StreakDefinition, progress: ReadonlyMap<string, Amount>): boolean {
  const isMet = ({ metric, threshold }: { metric: string; threshold: Amount }) =>
    (progress.get(metric) ?? ZERO) >= threshold;
  switch (definition.mode) {
    case 'all':
      return definition.conditions.every(isMet);
    case 'any':
      return definition.conditions.some(isMet);
  }
}

function extend(state: StreakState, period: Period, instant: Instant, definition: StreakDefinition): Counted {
  const alive = livingStreak(state, instant, definition);
  const streak: Streak = {
    length: (alive?.length ?? 0) + 1,
    startedOn: alive?.startedOn ?? startDate(state, period, instant),
    lastPeriod: period.start,
    zoneAtMet: state.zone,
    extendedAt: instant,
    ended: false,
  };
  const met: KeptPeriod = { start: period.start, length: streak.length, usedFreeze: false };
  const bridged = alive === null ? [] : skippedPeriods(alive, period.start, definition.period);
  return { state: { ...state, streak }, kept: [...bridged, met] };
}

/** Having travelled west the user's date may lie before the period that they have already reached. */
function startDate(state: StreakState, period: Period, instant: Instant): LocalDate {
  const today = localDate(instant, state.zone);
  return today > period.start ? today : period.start;
}
