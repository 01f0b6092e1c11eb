import { add, smaller, subtract, type Exact } from '@laurel/amounts';
import { USER_AREAS } from '@laurel/all-areas';
import {
  effectsOfType,
  type StateUnderPlan,
  type Configuration,
  type EffectList,
  type Emitter,
  type StreakEnded,
} from '@laurel/kernel';
import type { AnyUserArea } from '@laurel/engine';
import type { PointsPlan, PointsState } from '@laurel/points';

/** Chooses the emitter of the points for the end of a streak. */
type Giving = (ended: StreakEnded, emitter: Emitter) => Emitter;

const GIVEN = 4;

/** Awards points in the first system, cut to the remaining room. */
function award(state: PointsState, configuration: Configuration, emitter: Emitter): void {
  const [system] = configuration.pointsSystems;
  const [before] = state.systems;
  const [trigger] = system?.triggers ?? [];
  if (system === undefined || before === undefined || trigger === undefined) return;
  const room: Exact = system.maxPoints === null ? GIVEN : subtract(system.maxPoints, before.total);
  const awarded = smaller(GIVEN, room);
  if (awarded <= 0) return;
  const total = add(before.total, awarded);
  state.systems[0] = { ...before, total };
  emitter.emit({ type: 'PointsAwarded', system: system.key, triggerId: trigger.id, awarded, total });
}

/**
 * The product's areas with a rule that violates ADR 0004: it awards points for the end of a streak, like a trigger
 * fired by an event. But a streak ends without an event, and the first read notices the end. The types do not allow
 * such a rule (ADR 0053), so this one uses a cast.
 */
const awardingEnds = (giving: Giving): readonly AnyUserArea[] =>
  USER_AREAS.map((area) => (area.name === 'points' ? awarding(area, giving) : area));

const awarding = (area: AnyUserArea, giving: Giving): AnyUserArea => ({
  ...area,
  apply(draft, occasion, configuration, emitter) {
    area.apply(draft, occasion, configuration, emitter);
    const { state } = draft as StateUnderPlan<PointsState, PointsPlan>;
    for (const ended of effectsOfType((emitter as EffectList).effects, 'StreakEnded'))
      award(state, configuration, giving(ended, emitter));
  },
});

/** Dates the award by the event or sweep that notices the end. */
export const AWARDING_ENDS_WHEN_FOUND = awardingEnds((_ended, emitter) => emitter);

/** Dates the award by the end, but gives it after all due time awards, even later ones. */
export const AWARDING_ENDS_TOO_LATE = awardingEnds(({ at }, emitter) => emitter.dueAt(at));
