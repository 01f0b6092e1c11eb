import { add, exactOf, multiplesReached, multiply, subtract, type Exact } from '@laurel/amounts';
import { dayAt, type Day, type Instant } from '@laurel/calendar';
import {
  areMet,
  GRANT_TRIGGER,
  isActiveAt,
  levelReached,
  type Firing,
  type Occasion,
  type ExplanationListener,
  type Emitter,
  type UserRules,
} from '@laurel/kernel';
import { earnedBy } from './award/earned-by.ts';
import { presentAfter } from './award/present.ts';
import { awardsOwed, firstDueOf, settleBoundOf } from './due/debts.ts';
import { firstTick } from './due/schedule.ts';
import { firstDue, timeAwards, type Debt, type TimeAward } from './due/time-awards.ts';
import { noteLevels } from './note-levels.ts';
import { decodePoints, encodePoints } from './points-codec.ts';
import { compilePoints, systemAt, type MetricTrigger, type PointsPlan, type SystemPlan } from './points-plan.ts';
import { allFollowed, followedOf } from './points-by-system.ts';
import { fire, fireUnlessRefused, giveDue, refusalOf } from './fire.ts';
import { boostsHeld, firstEnd, giveBoost, takeEnds, type BoostEnd } from './own-boosts.ts';
import { passOver } from './pass-over.ts';
import { movePoints } from './requests.ts';
import { copyOf, initialPoints, newSystem, type MetricSum, type PointsState } from './points-state.ts';

/** Gives due time awards first, then applies the event itself. */
export const pointsRules: UserRules<PointsState, PointsPlan> = {
  compile: compilePoints,
  initial: initialPoints,
  clone: copyOf,
  apply,
  dueAt: (state, plan) => earlier(firstDueOf(debtsOf(state, plan, FOREVER)), firstEnd(state)),
  settleBound: (state, plan, upTo, atMost) => settleBoundOf(debtsOf(state, plan, upTo), upTo, atMost),
  owed: (state, plan, upTo) => awardsOwed(debtsOf(state, plan, upTo)),
  boostsHeld,
  encode: encodePoints,
  decode: (json, plan) => decodePoints(json, plan, initialPoints(plan)),
};

const earlier = (one: Instant | null, other: Instant | null): Instant | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other);

const FOREVER: Instant = Number.MAX_SAFE_INTEGER;

function apply(state: PointsState, occasion: Occasion, plan: PointsPlan, out: Emitter): void {
  const { event, occurredAt } = occasion;
  state.createdAt ??= occasion.user.createdAt;
  for (const completion of completionsIn(plan, out, true)) fireDue(state, completion, plan, out);
  settle(state, occurredAt, event.type === 'UserSwept', plan, out);
  if (isRecord(event)) moveTo(state, occurredAt, occasion.user.day, plan);
  openSystems(state, plan);
  fireTriggers(state, occasion, plan, out);
  noteLevels(state, occasion, plan, out);
  state.zone = occasion.user.zone;
  state.position = occasion.position;
  if (event.type === 'UserErased') state.erased = true;
}

/** What a user does, and nobody else for them. It makes its period current, whatever it gives. */
const isRecord = ({ type }: Occasion['event']): boolean =>
  type === 'MetricEventRecorded' || type === 'UserIdentified' || type === 'AchievementCompletedByCall';

function moveTo(state: PointsState, at: Instant, day: Day, { weekStart }: PointsPlan): void {
  state.present = presentAfter(state.present, at, day, weekStart);
}

/**
 * Achievements that were due earlier fire among the time awards, by instant, because a cap cuts awards in this order.
 */
function fireDue(state: PointsState, completion: Completion, plan: PointsPlan, out: Emitter): void {
  settle(state, completion.emitter.stamp.at, false, plan, out);
  const before = allFollowed(state, plan);
  fireOnCompletion(state, completion, plan);
  announceLevels(before, state, plan, completion.emitter);
}

/**
 * Gives what is due up to an instant, inclusive, in every system: by instant, then configuration order. An instant before the last
 * settlement (a late import) settles nothing.
 */
function settle(state: PointsState, upTo: Instant, isSweep: boolean, plan: PointsPlan, out: Emitter): void {
  const ends = takeEnds(state, upTo);
  if (plan.timed.length === 0 && ends.length === 0) return;
  let before: readonly Exact[] | null = null;
  const due: (TimeAward | BoostEnd)[] = [...ends];
  for (const system of plan.timed) {
    const debt = debtOf(state, system, plan, upTo);
    const isSettled = debt.window.upTo <= debt.window.after;
    const awards = isSettled || firstDue(debt) === null ? NO_AWARDS : [...timeAwards(debt)];
    if (out.reasons !== null) passOverPeriods(debt, awards, systemAt(plan, system), out.reasons);
    if (isSettled) continue;
    if (awards.length > 0) before ??= allFollowed(state, plan);
    settleSystem(state, system, awards, isSweep ? null : upTo);
    for (const award of awards) due.push(award);
  }
  due.sort((a, b) => a.at - b.at);
  for (const one of due) {
    if ('span' in one) giveDue(one, plan, out);
    else endBoost(one, plan, out);
  }
  const last = due.findLast((one) => 'span' in one);
  if (last !== undefined) moveTo(state, last.at, dayAt(last.at, state.zone), plan);
  if (before !== null) announceLevels(before, state, plan, out.dueAt(upTo));
}

const NO_AWARDS: readonly TimeAward[] = [];

const endBoost = ({ at, place, boost }: BoostEnd, plan: PointsPlan, out: Emitter): void =>
  out.dueAt(at).emit({ type: 'BoostEnded', system: systemAt(plan, place).key, boost });

/** Reports time triggers in force that give no award. */
function passOverPeriods(
  debt: Debt,
  awards: readonly TimeAward[],
  { key: system, windows }: SystemPlan,
  reasons: ExplanationListener,
): void {
  const { createdAt, window } = debt;
  const { upTo } = window;
  const hasGiven = (id: string) => awards.some(({ span }) => span.triggerId === id);
  for (const span of debt.spans) {
    const { triggerId, from, until } = span;
    if (upTo < from || until <= upTo || hasGiven(triggerId)) continue;
    const why = firstTick(span, createdAt, window) === null ? 'not_due' : 'no_room';
    reasons.triggerPassedOver({ system, triggerId, why, missing: null });
  }
  for (const { id: triggerId, window: active } of windows)
    if (!isActiveAt(active, upTo) && !hasGiven(triggerId))
      reasons.triggerPassedOver({ system, triggerId, why: 'not_active', missing: null });
}

/** The time awards that a system owes a user up to an instant; none before the user's first event. */
export function debtOf(state: PointsState, system: number, plan: PointsPlan, upTo: Instant): Debt {
  const { total, settledTo } = state.systems[system] ?? newSystem(state);
  const spans = state.createdAt === null || state.erased ? [] : systemAt(plan, system).spans;
  return { createdAt: state.createdAt ?? 0, spans, window: { after: settledTo, upTo }, total };
}

const debtsOf = (state: PointsState, plan: PointsPlan, upTo: Instant): readonly Debt[] =>
  plan.timed.map((system) => debtOf(state, system, plan, upTo));

/**
 * An event settles up to its instant, including awards that are cut to nothing. A sweep settles a system only up to the
 * last award that it gives. So a late import finds the same state whether or not a sweep ran.
 * @param settledAt null for a sweep
 */
function settleSystem(
  state: PointsState,
  system: number,
  awards: readonly TimeAward[],
  settledAt: Instant | null,
): void {
  const { total, earned, settledTo, level, otherSums, left, boosts, boostsEndedTo } =
    state.systems[system] ?? newSystem(state);
  const last = awards.at(-1);
  state.systems[system] = {
    total: last?.total ?? total,
    earned: awards.reduce((sum, { awarded }) => add(sum, earnedBy(awarded)), earned),
    settledTo: settledAt ?? last?.at ?? settledTo,
    level,
    otherSums,
    left,
    boosts,
    boostsEndedTo,
  };
}

/** The first event of a user under a version opens all of its systems. */
function openSystems(state: PointsState, { systems }: PointsPlan): void {
  for (let system = 0; system < systems.length; system++) state.systems[system] ??= newSystem(state);
}

/** Applies the event itself, one kind of trigger after the other. */
function fireTriggers(state: PointsState, occasion: Occasion, plan: PointsPlan, out: Emitter): void {
  const before = allFollowed(state, plan);
  fireOnCreation(state, plan, out);
  fireOnMetric(state, occasion, plan, out);
  fireOnStreak(state, plan, out);
  fireOnAchievements(state, plan, out);
  giveGrant(state, occasion, plan, out);
  grantBoost(state, occasion, plan, out);
  movePoints(state, occasion, plan, out);
  announceLevels(before, state, plan, out);
}

function fireOnCreation(state: PointsState, plan: PointsPlan, out: Emitter): void {
  if (plan.onCreation.length === 0) return;
  const [created] = out.firings('UserCreated');
  if (created === undefined) return passOver(plan.onCreation, 'user_not_new', plan, out);
  for (const trigger of plan.onCreation) fireUnlessRefused(state, trigger, 1, plan, created.emitter);
}

/** A metric trigger fires for each multiple of its threshold that the highest sum of matching events so far reaches. */
function fireOnMetric(state: PointsState, { reported, event }: Occasion, plan: PointsPlan, out: Emitter): void {
  if (out.reasons !== null)
    plan.onMetric.forEach(
      (triggers, metric) => metric !== reported?.metric && passOver(triggers, 'other_event', plan, out),
    );
  if (reported === null || event.type !== 'MetricEventRecorded') return;
  for (const trigger of plan.onMetric[reported.metric] ?? []) {
    if (trigger.where !== null && !areMet(trigger.where.event, event.attributeHashes)) {
      passOver([trigger], 'event_differs', plan, out);
      continue;
    }
    const { sum, high } = state.sums[trigger.place] ?? NOTHING;
    const grown = add(sum, reported.value);
    const highest = grown > high ? grown : high;
    state.sums[trigger.place] = { sum: grown, high: highest };
    const times = subtract(multiplesReached(highest, trigger.threshold), multiplesReached(high, trigger.threshold));
    if (times > 0) fireUnlessRefused(state, trigger, times, plan, out);
    else if (out.reasons !== null) explainMiss(trigger, grown, highest, plan, out);
  }
}

const NOTHING: MetricSum = { sum: 0, high: 0 };

function explainMiss(trigger: MetricTrigger, sum: Exact, high: Exact, plan: PointsPlan, out: Emitter) {
  const refused = refusalOf(trigger, out);
  if (refused !== null) return passOver([trigger], refused, plan, out);
  const { system, id, threshold } = trigger;
  const next = multiply(add(multiplesReached(high, threshold), 1), threshold);
  out.reasons?.triggerMissed({ system: systemAt(plan, system).key, triggerId: id, missing: subtract(next, sum) });
}

function fireOnStreak(state: PointsState, plan: PointsPlan, out: Emitter): void {
  if (plan.onStreak.length === 0) return;
  const [extension] = out.firings('StreakStarted', 'StreakExtended');
  if (extension === undefined) return passOver(plan.onStreak, 'streak_not_extended', plan, out);
  for (const trigger of plan.onStreak) {
    const beyond = extension.effect.length % trigger.length;
    if (beyond === 0) fireUnlessRefused(state, trigger, 1, plan, extension.emitter);
    else passOver([trigger], 'streak_length', plan, out, trigger.length - beyond);
  }
}

type Completion = Firing<'AchievementCompleted'>;

const NO_COMPLETIONS: readonly Completion[] = [];

const completionsIn = ({ onAchievement }: PointsPlan, out: Emitter, due: boolean): readonly Completion[] =>
  onAchievement.length === 0
    ? NO_COMPLETIONS
    : out.firings('AchievementCompleted').filter((completion) => completion.due === due);

/** Fires in configuration order, not in the order of completion. */
function fireOnAchievements(state: PointsState, plan: PointsPlan, out: Emitter): void {
  const completions = completionsIn(plan, out, false);
  for (const trigger of plan.onAchievement) {
    const completion = completions.find(({ effect }) => effect.achievement === trigger.achievement);
    if (completion !== undefined) fireUnlessRefused(state, trigger, 1, plan, completion.emitter);
    else passOver([trigger], 'achievement_not_completed', plan, out);
  }
}

function fireOnCompletion(state: PointsState, { effect, emitter: out }: Completion, plan: PointsPlan): void {
  for (const trigger of plan.onAchievement)
    if (trigger.achievement === effect.achievement) fireUnlessRefused(state, trigger, 1, plan, out);
}

/** A grant is an award without a trigger. A grant in a system that the version lacks gives nothing. */
function giveGrant(state: PointsState, occasion: Occasion, plan: PointsPlan, out: Emitter): void {
  const { event, occurredAt, user } = occasion;
  if (event.type !== 'GrantRecorded' || event.grant.kind !== 'points') return;
  const system = plan.systemByKey.get(event.grant.system);
  if (system === undefined) return;
  const award = { type: 'grant', id: GRANT_TRIGGER, system, points: exactOf(event.grant.amount) } as const;
  if (fire(state, award, 1, plan, out) !== 0) moveTo(state, occurredAt, user.day, plan);
}

function grantBoost(state: PointsState, occasion: Occasion, plan: PointsPlan, out: Emitter): void {
  const { event } = occasion;
  const boost = giveBoost(state, occasion, plan);
  if (boost !== null && event.type === 'GrantRecorded' && event.grant.kind === 'boost')
    out.emit({ type: 'BoostGiven', system: event.grant.system, boost });
}

/** Emits the change of level since the points before the awards. */
function announceLevels(before: readonly Exact[], state: PointsState, plan: PointsPlan, out: Emitter): void {
  for (let place = 0; place < plan.systems.length; place++) {
    const past = before[place] ?? 0;
    const points = followedOf(state, systemAt(plan, place), place);
    if (points === past) continue;
    const { key: system, levels } = systemAt(plan, place);
    const from = levelReached(levels, past)?.key ?? null;
    const to = levelReached(levels, points)?.key ?? null;
    if (from !== to) out.emit({ type: 'LevelChanged', system, from, to });
  }
}
