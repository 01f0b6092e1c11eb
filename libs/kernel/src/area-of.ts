import type { Instant } from '@laurel/calendar';
import type { Rows, UserArea, ViewRequest } from './area.ts';
import type { Configuration } from './configuration.ts';
import { NO_NAMES } from './configured-names.ts';
import type { Step } from './fold.ts';
import { perConfiguration } from './per-configuration.ts';
import type { AreaCorrection, CorrectedRows } from './correction.ts';
import type { UserRules } from './user-rules.ts';

/** A state, and the plan that defines its slots. */
export interface StateUnderPlan<State, Plan> {
  state: State;
  plan: Plan;
}

/** The declarative part of an area. */
type AreaDescription = Pick<
  UserArea<unknown, unknown>,
  'name' | 'stateVersion' | 'tables' | 'migrations' | 'readableRows' | 'digest' | 'needs'
>;

interface AreaDefinition<State, Plan, AnswerPart> extends AreaDescription {
  readonly rules: UserRules<State, Plan>;
  /** The answer part for a step. The step's effects include those of other areas. */
  answerPart(step: Step, own: StateUnderPlan<State, Plan>): AnswerPart;
  /** See `UserArea.correct`. Both states use the slots of the plan. */
  correct(correction: AreaCorrection<State> & { readonly plan: Plan }): CorrectedRows;
  /** The rows to store beside the state. @param answerPart that of the same step, or null if nobody asked for it */
  rows(step: Step, own: StateUnderPlan<State, Plan>, answerPart: AnswerPart | null): Rows;
  view(state: State, request: ViewRequest, plan: Plan, configuration: Configuration): AnswerPart;
}

/** Makes an area of its rules. */
export function areaOf<State, Plan extends object | null, AnswerPart>(
  definition: AreaDefinition<State, Plan, AnswerPart>,
): UserArea<StateUnderPlan<State, Plan>, AnswerPart> {
  const { rules, ...area } = definition;
  const { knownUser } = rules;
  const planOf = perConfiguration((configuration) => rules.compile(configuration));
  const none = rules.compile(NO_CONFIGURATION);
  const initial = { state: rules.initial(none), plan: none };

  /** The state in the slots of the wanted plan. */
  const stateIn = ({ state, plan }: StateUnderPlan<State, Plan>, wanted: Plan): State =>
    plan === wanted ? state : rules.decode(rules.encode(state, plan), wanted);

  const bringInto = (plan: Plan, bound: StateUnderPlan<State, Plan>): void => {
    bound.state = stateIn(bound, plan);
    bound.plan = plan;
  };

  const draftOf = (bound: StateUnderPlan<State, Plan>, configuration: Configuration): StateUnderPlan<State, Plan> => {
    const plan = planOf(configuration);
    if (bound === initial) return { state: rules.initial(plan), plan };
    return { state: bound.plan === plan ? rules.clone(bound.state) : stateIn(bound, plan), plan };
  };

  return {
    ...area,
    initial: () => initial,
    draft: draftOf,
    apply(draft, occasion, configuration, emitter) {
      const plan = planOf(configuration);
      bringInto(plan, draft);
      rules.apply(draft.state, occasion, plan, emitter);
    },
    correct(correction) {
      const { before, after, configuration } = correction;
      const plan = planOf(configuration);
      bringInto(plan, after);
      return area.correct({ ...correction, before: stateIn(before, plan), after: after.state, plan });
    },
    answerPart: (draft, step) => area.answerPart(step, draft),
    rows: (draft, step, answerPart) => area.rows(step, draft, answerPart),
    view(bound, request, configuration) {
      const plan = planOf(configuration);
      return area.view(stateIn(bound, plan), request, plan, configuration);
    },
    encode: ({ state, plan }) => rules.encode(state, plan),
    decode: (json) => ({ state: rules.decode(json, none), plan: none }),
    ...(rules.isLate && { isLate: ({ state }, occurredAt) => rules.isLate?.(state, occurredAt) ?? false }),
    ...(knownUser && { knownUser: ({ state }) => knownUser(state) }),
    ...(rules.boostsHeld && {
      boostsHeld(bound, configuration, system, at) {
        const plan = planOf(configuration);
        return rules.boostsHeld?.(stateIn(bound, plan), plan, system, at) ?? 0;
      },
    }),
    ...timedBy(rules, (bound, configuration) => {
      const plan = planOf(configuration);
      return [stateIn(bound, plan), plan];
    }),
  };
}

/** What happens with time alone, where an area has any of it. */
const timedBy = <State, Plan>(
  rules: UserRules<State, Plan>,
  inSlots: (bound: StateUnderPlan<State, Plan>, configuration: Configuration) => [state: State, plan: Plan],
): Pick<UserArea<StateUnderPlan<State, Plan>, unknown>, 'dueAt' | 'settleBound' | 'owed'> => ({
  ...(rules.dueAt && {
    dueAt: (bound: StateUnderPlan<State, Plan>, configuration: Configuration) =>
      rules.dueAt?.(...inSlots(bound, configuration)) ?? null,
  }),
  ...(rules.settleBound && {
    settleBound: (bound: StateUnderPlan<State, Plan>, configuration: Configuration, upTo: Instant, atMost: number) =>
      rules.settleBound?.(...inSlots(bound, configuration), upTo, atMost) ?? upTo,
  }),
  ...(rules.owed && {
    owed: (bound: StateUnderPlan<State, Plan>, configuration: Configuration, upTo: Instant) =>
      rules.owed?.(...inSlots(bound, configuration), upTo) ?? 0,
  }),
});

/**
 * Stored states are decoded without a configuration: they name everything by key, and need no slots until an event is
 * applied.
 */
const NO_CONFIGURATION: Configuration = {
  account: '',
  version: 0,
  metrics: [],
  metricByKey: new Map(),
  streak: null,
  weekStart: 'monday',
  achievements: [],
  achievementByKey: new Map(),
  pointsSystems: [],
  pointsSystemByKey: new Map(),
  leaderboards: [],
  leaderboardByKey: new Map(),
  names: NO_NAMES,
};
