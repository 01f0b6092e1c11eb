import type { Instant } from '@laurel/calendar';
import type { StreakChange, StreakDefinition } from '@laurel/contracts';
import { accountUnder, freezesAt, lastOfFormerTerms, useFreeze } from './freeze-account.ts';
import { skippedPeriods } from './kept-period.ts';
import type { KeptPeriod } from './kept-period.ts';
import { endOfStreak, periodAfter } from './streak-end.ts';
import type { Streak, StreakState } from './streak-state.ts';

/** A state, and what became of the streak on the way to it. */
export interface Settled {
  readonly state: StreakState;
  /** Periods that a freeze bridged, in order of time. */
  readonly kept: readonly KeptPeriod[];
  readonly changes: readonly StreakChange[];
}

/**
 * What time has done to the streak up to an instant, inclusive, on the clock of the state: at each E that has passed a
 * freeze is used, or the streak ends. The state must be of the definition's generation. Settling twice changes nothing.
 */
export function settle(state: StreakState, upTo: Instant, definition: StreakDefinition): Settled {
  const { createdAt } = state;
  if (createdAt === null) return { state, kept: [], changes: [] };
  const former = lastOfFormerTerms(state.freezes, definition.freezes);
  const earlier = former === null ? unchanged(state) : passEnds(state, createdAt, Math.min(former, upTo), definition);
  const freezes = accountUnder(earlier.state.freezes, createdAt, definition.freezes);
  const later = passEnds({ ...earlier.state, freezes }, createdAt, upTo, definition);
  return {
    state: later.state,
    kept: [...earlier.kept, ...later.kept],
    changes: [...earlier.changes, ...later.changes],
  };
}

/** The streak is over at `at`; what was announced before is taken back once. */
export function announceEnd(state: StreakState, at: Instant): Settled {
  const { streak } = state;
  if (streak === null || streak.ended) return unchanged(state);
  return { state: { ...state, streak: { ...streak, ended: true } }, kept: [], changes: [{ at, length: 0 }] };
}

export function unchanged(state: StreakState): Settled {
  return { state, kept: [], changes: [] };
}

/** Passes every E up to an instant, under the account that the state has. Each turn moves L on, or ends the streak. */
function passEnds(before: StreakState, createdAt: Instant, upTo: Instant, definition: StreakDefinition): Settled {
  let { streak, freezes } = before;
  const kept: KeptPeriod[] = [];
  while (streak !== null && !streak.ended) {
    const end = endOfStreak(streak, before.zone, definition.period);
    if (end > upTo) break;
    if (freezes === null || freezesAt(freezes, createdAt, end) < 1) {
      const over = announceEnd({ ...before, streak, freezes }, end);
      return { ...over, kept };
    }
    freezes = useFreeze(freezes, createdAt, end);
    const bridged = bridge(streak, before, definition);
    kept.push(...bridged);
    streak = { ...streak, lastPeriod: bridged.at(-1)?.start ?? streak.lastPeriod };
  }
  return { state: { ...before, streak, freezes }, kept, changes: [] };
}

/** Period L + 1, bridged by a freeze, and before it the dates that the clock never showed. */
function bridge(streak: Streak, { zone }: StreakState, { period: rule }: StreakDefinition): readonly KeptPeriod[] {
  const { start } = periodAfter(streak.lastPeriod, zone, rule);
  return [...skippedPeriods(streak, start, rule), { start, length: streak.length, usedFreeze: true }];
}
