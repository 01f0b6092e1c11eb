import { add, smaller, subtract, type Exact } from '@laurel/amounts';
import { USER_AREAS } from '@laurel/all-areas';
import {
  effectsOfType,
  type Bound,
  type Configuration,
  type EffectList,
  type Emitter,
  type StreakEnded,
} from '@laurel/kernel';
import type { AnyUserArea } from '@laurel/engine';
import type { PointsPlan, PointsState } from '@laurel/points';

/** Where a rule gives points for the end of a streak. */
type Giving = (ended: StreakEnded, emitter: Emitter) => Emitter;

const GIVEN = 4;

/** In the first system, cut to the room that there is. */
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
 * The areas of the product with a rule that breaks ADR 0004. It gives points for the end of a streak, written like a trigger that an event
 * fires. But a streak ends by itself, and the first read finds the end. No type lets a rule do so (ADR 0053): this one casts past it.
 */
const awardingEnds = (giving: Giving): readonly AnyUserArea[] =>
  USER_AREAS.map((area) => (area.name === 'points' ? awarding(area, giving) : area));

const awarding = (area: AnyUserArea, giving: Giving): AnyUserArea => ({
  ...area,
  apply(draft, occasion, configuration, emitter) {
    area.apply(draft, occasion, configuration, emitter);
    const { state } = draft as Bound<PointsState, PointsPlan>;
    for (const ended of effectsOfType((emitter as EffectList).effects, 'StreakEnded'))
      award(state, configuration, giving(ended, emitter));
  },
});

/** Dates the award by the event or sweep that finds the end. */
export const AWARDING_ENDS_WHEN_FOUND = awardingEnds((_ended, emitter) => emitter);

/** Dates the award by the end, but gives it behind all time awards that are due, even later ones. */
export const AWARDING_ENDS_TOO_LATE = awardingEnds(({ at }, emitter) => emitter.dueAt(at));
