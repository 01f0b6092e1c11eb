import { add, type Exact } from '@laurel/amounts';
import {
  areaOf,
  effectsOfType,
  verdictIn,
  type StateUnderPlan,
  type PointsAnswer,
  type PointsSystemOutcome,
  type Rows,
  type Step,
} from '@laurel/kernel';
import { POINTS_EFFECTS, awardRows } from './award-rows.ts';
import { awardsOf } from './awards.ts';
import { pointsMigrations } from './migrations.ts';
import { correctPoints } from './correct-points.ts';
import { POINT_DAY_COUNTS } from './day-counts.ts';
import { correctedLevelRows, levelRows, POINTS_LEVELS } from './levels.ts';
import { POINTS_MONTHS } from './points-months.ts';
import { POINT_TOTAL_COUNTS, totalRowsOf } from './total-counts.ts';
import { tallyOf } from './rules/due/tally.ts';
import type { PointsPlan } from './rules/points-plan.ts';
import { totalOf, totalsByKey } from './rules/points-by-system.ts';
import { debtOf, pointsRules } from './rules/points.ts';
import type { PointsState } from './rules/points-state.ts';

/**
 * Versions. 2: tables by subject, and the counts of days. 3: points_months. 4: the counts of totals. 5: systems by
 * number. 6: effects. 7: levels, also in the state. 8: the position of a correction. 9: corrections move events. 10:
 * levels that are reached again. 11: the points earned. 12: the present, what is used of caps, and the boosts of the user.
 */
const POINTS_STATE_VERSION = 12;

/** Points of one user (specification, section 6): due time awards first, then what the event itself causes. */
export const pointsArea = areaOf<PointsState, PointsPlan, PointsAnswer>({
  name: 'points',
  stateVersion: POINTS_STATE_VERSION,
  tables: [POINTS_EFFECTS, POINTS_MONTHS.table, POINT_DAY_COUNTS, POINT_TOTAL_COUNTS, POINTS_LEVELS],
  migrations: pointsMigrations,
  readableRows: [
    'select month::text as date from points_months order by subject limit 1',
    'select reached_at as instant from points_levels order by subject limit 1',
  ],
  digest: `case jsonb_typeof(points) when 'object' then jsonb_set(points, '{systems}', (
    select coalesce(jsonb_agg(jsonb_set(system, '{3}', (
      select coalesce(jsonb_agg(sum order by sum), '[]') from jsonb_array_elements(system -> 3) sum)) order by system), '[]')
    from jsonb_array_elements(points -> 'systems') system)) else points end`,
  rules: pointsRules,
  needs: ['users', 'streaks', 'achievements'],
  answerPart: (step, own) => {
    const verdict = verdictIn(step.effects);
    return {
      awards: awardsOf(step.occasion, step.effects),
      systems: outcomesOf(step, own),
      ...(verdict !== null && { verdict }),
    };
  },
  rows: rowsOf,
  /** Recorded awards stay; one award per system makes up the difference. */
  correct: (correction) => {
    const { occasion, configuration, emitter: out } = correction;
    correctPoints(correction);
    const levels = correctedLevelRows(correction);
    const added = new Map([...awardRows(occasion, out.effects, configuration), [POINTS_LEVELS.name, levels]]);
    return { added, removed: new Map() };
  },
  /**
   * The present totals of systems with a trigger on the replayed event's metric, or of the grant's system
   * (specification, section 3).
   */
  view: (state, { metric, pointsSystem, at }, plan, { metrics }) => {
    const place = metrics.findIndex(({ key }) => key === metric);
    const systems = new Set((plan.onMetric[place] ?? []).map(({ system }) => system));
    const granted = pointsSystem === undefined ? undefined : plan.systemByKey.get(pointsSystem);
    if (granted !== undefined) systems.add(granted);
    return {
      awards: [],
      systems: plan.systems.flatMap(({ key }, system) =>
        systems.has(system) ? [{ key, total: BigInt(tallyOf(debtOf(state, system, plan, at)).total), added: 0n }] : [],
      ),
    };
  },
});

function rowsOf(step: Step, { state, plan }: StateUnderPlan<PointsState, PointsPlan>): Rows {
  const { occasion, effects, configuration } = step;
  const awarded = awardRows(occasion, effects, configuration);
  const levels = levelRows(step, state, plan);
  const rows = levels.length === 0 ? awarded : new Map([...awarded, [POINTS_LEVELS.name, levels]]);
  if (occasion.event.type !== 'UserErased') return rows;
  const { account } = occasion;
  const left = totalsByKey(state, plan).flatMap(([system, total]) => totalRowsOf(account, system, total, -1));
  return new Map([...rows, [POINT_TOTAL_COUNTS.name, [...(rows.get(POINT_TOTAL_COUNTS.name) ?? []), ...left]]]);
}

/** Contains `level` only if the event itself changed it, not due time awards (specification, section 6). */
function outcomesOf(
  { effects, fired }: Step,
  { state, plan }: StateUnderPlan<PointsState, PointsPlan>,
): readonly PointsSystemOutcome[] {
  return plan.systems.flatMap(({ key }, place) => {
    if (!fired.has(key)) return [];
    const own = effectsOfType(effects, 'PointsAwarded').filter(({ system, due }) => system === key && !due);
    const added = own.reduce<Exact>((sum, award) => add(sum, award.awarded), 0);
    const changed = effectsOfType(effects, 'LevelChanged').find(({ system, due }) => system === key && !due);
    const level = changed === undefined ? {} : { level: changed.to };
    return [{ key, total: BigInt(totalOf(state, place)), added: BigInt(added), ...level }];
  });
}
