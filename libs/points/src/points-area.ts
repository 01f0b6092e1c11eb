import { add, type Exact } from '@laurel/amounts';
import { formatDay } from '@laurel/calendar';
import {
  areaOf,
  effectsOfType,
  type Applied,
  type PointsAward,
  type PointsSection,
  type PointsSystemOutcome,
} from '@laurel/contracts';
import { dueAwardId, firedAwardId } from './award-id.ts';
import { awardRows, pointAwards } from './award-rows.ts';
import { tallyOf } from './rules/due/tally.ts';
import { debtOf, pointsRules, totalOf, type PointsPlan, type PointsState } from './rules/points.ts';

/** Points of one user (specification, section 6): due time awards first, then what the event itself causes. */
export const pointsArea = areaOf<PointsState, PointsPlan, PointsSection>({
  name: 'points',
  stateVersion: 1,
  tables: [pointAwards],
  rules: pointsRules,
  needs: ['users', 'streaks', 'achievements'],
  section: (applied) => ({ awards: awardsOf(applied), systems: outcomesOf(applied) }),
  rows: (applied) => awardRows(applied.occasion, awardsOf(applied)),
  /** The systems with a trigger on the replayed event's metric, as they stand (specification, section 3). */
  view: (state, { metric, at }, plan, { metrics }) => {
    const place = metrics.findIndex(({ key }) => key === metric);
    const systems = new Set((plan.onMetric[place] ?? []).map(({ system }) => system));
    return {
      awards: [],
      systems: plan.systems.flatMap(({ key }, system) =>
        systems.has(system) ? [{ key, total: totalAt(state, system, plan, at), added: 0n }] : [],
      ),
    };
  },
});

const totalAt = (state: PointsState, system: number, plan: PointsPlan, at: number): bigint =>
  state.createdAt === null ? 0n : BigInt(tallyOf(debtOf(state, system, plan, at)).total);

function awardsOf({ occasion, effects }: Applied<PointsState, PointsPlan>): readonly PointsAward[] {
  const { account, userId, eventId } = occasion;
  return effectsOfType(effects, 'PointsAwarded').map(({ system, triggerId, at, day, due, ...amounts }) => ({
    id: due ? dueAwardId(account, userId, system, triggerId, at) : firedAwardId(eventId, triggerId),
    system,
    triggerId,
    awarded: BigInt(amounts.awarded),
    total: BigInt(amounts.total),
    at,
    date: formatDay(day),
    due,
  }));
}

/** `level` only if the event changed it, due time awards aside (specification, section 6). */
function outcomesOf({ effects, state, plan, fired }: Applied<PointsState, PointsPlan>): readonly PointsSystemOutcome[] {
  return plan.systems.flatMap(({ key }, place) => {
    if (!fired.has(key)) return [];
    const own = effectsOfType(effects, 'PointsAwarded').filter(({ system, due }) => system === key && !due);
    const added = own.reduce<Exact>((sum, award) => add(sum, award.awarded), 0);
    const changed = effectsOfType(effects, 'LevelChanged').find(({ system, due }) => system === key && !due);
    const level = changed === undefined ? {} : { level: changed.to };
    return [{ key, total: BigInt(totalOf(state, place)), added: BigInt(added), ...level }];
  });
}
