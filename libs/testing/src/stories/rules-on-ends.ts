import { add, smaller, subtract, type Exact } from '@laurel/amounts';
import { USER_AREAS } from '@laurel/areas';
import { dayAt, type Instant } from '@laurel/calendar';
import {
  effectsOfType,
  type Bound,
  type Configuration,
  type Occasion,
  type Sink,
  type StreakEnded,
} from '@laurel/contracts';
import type { AnyUserArea } from '@laurel/engine';
import type { PointsPlan, PointsState } from '@laurel/points';

/** The instant at which a rule gives points for the end of a streak. */
type Dating = (ended: StreakEnded, occasion: Occasion) => Instant;

const GIVEN = 4;

/** In the first system, cut to the room that there is. */
function award(state: PointsState, at: Instant, { user }: Occasion, configuration: Configuration, sink: Sink): void {
  const [system] = configuration.pointsSystems;
  const [before] = state.systems;
  const [trigger] = system?.triggers ?? [];
  if (system === undefined || before === undefined || trigger === undefined) return;
  const room: Exact = system.maxPoints === null ? GIVEN : subtract(system.maxPoints, before.total);
  const awarded = smaller(GIVEN, room);
  if (awarded <= 0) return;
  const total = add(before.total, awarded);
  state.systems[0] = { ...before, total };
  const day = dayAt(at, user.previousZone);
  sink.emit({ type: 'PointsAwarded', system: system.key, triggerId: trigger.id, awarded, total, at, day, due: false });
}

/**
 * The areas of the product with a rule that breaks ADR 0004. It gives points for the end of a streak, written like a trigger that an event
 * fires. But a streak ends by itself, and whoever looks first finds the end.
 */
const awardingEnds = (dating: Dating): readonly AnyUserArea[] =>
  USER_AREAS.map((area) => (area.name === 'points' ? awarding(area, dating) : area));

const awarding = (area: AnyUserArea, dating: Dating): AnyUserArea => ({
  ...area,
  apply(draft, occasion, configuration, sink) {
    area.apply(draft, occasion, configuration, sink);
    const { state } = draft as Bound<PointsState, PointsPlan>;
    for (const ended of effectsOfType(sink.effects, 'StreakEnded'))
      award(state, dating(ended, occasion), occasion, configuration, sink);
  },
});

/** Dates the award by the event or sweep that finds the end. */
export const AWARDING_ENDS_WHEN_FOUND = awardingEnds((_ended, { occurredAt }) => occurredAt);

/** Dates the award by the end, but gives it behind all time awards that are due, even later ones. */
export const AWARDING_ENDS_TOO_LATE = awardingEnds(({ at }) => at);
