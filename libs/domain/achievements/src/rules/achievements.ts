import { add, type Exact } from '@laurel/amounts';
import {
  areMet,
  isActiveAt,
  type AchievementMissed,
  type Emitter,
  type Grant,
  type Occasion,
  type UserRules,
} from '@laurel/kernel';
import {
  compileAchievements,
  keyOf,
  type AchievementsPlan,
  type CompositeAchievement,
  type JudgedAchievement,
  type MetricAchievement,
} from './achievements-plan.ts';
import {
  copyOf,
  decode,
  encode,
  has,
  initialAchievements,
  set,
  unset,
  type AchievementsState,
} from './achievements-state.ts';

/**
 * Completes achievements (specification, section 5): on the event's metric, on the streak, by API call, then those with a condition on
 * users, then on other achievements, round by round. An achievement is completed once, by hand at any time, otherwise only within its
 * window, and revoked only by a correction (section 10).
 */
export const achievementsRules: UserRules<AchievementsState, AchievementsPlan> = {
  compile: compileAchievements,
  initial: initialAchievements,
  clone: copyOf,
  apply,
  encode,
  decode,
};

function apply(state: AchievementsState, occasion: Occasion, plan: AchievementsPlan, out: Emitter): void {
  const { event } = occasion;
  switch (event.type) {
    case 'MetricEventRecorded':
      countMatching(state, occasion, plan);
      reachTotals(state, occasion, plan, out);
      reachLength(state, plan, out);
      break;
    case 'AchievementCompletedByCall':
      completeByCall(state, event.achievement, plan, out);
      break;
    case 'GrantRecorded':
      receive(state, event.grant, plan, out);
      break;
    case 'UserIdentified':
    case 'SpendRequested':
    case 'RefundRequested':
      break;
    case 'CorrectionRecorded':
    case 'UserErased':
    case 'UserSwept':
      return;
  }
  judge(state, occasion, plan, out);
  completeComposites(state, occasion, plan, out);
}

/** Adds the event's value to the sums whose conditions it meets. */
function countMatching(state: AchievementsState, { event, reported }: Occasion, plan: AchievementsPlan): void {
  if (plan.sums.length === 0 || reported === null || event.type !== 'MetricEventRecorded') return;
  for (const place of plan.sumsOfMetric[reported.metric] ?? [])
    if (areMet(plan.sums[place]?.event ?? [], event.attributeHashes))
      state.sums[place] = add(state.sums[place] ?? 0, reported.value);
}

function reachTotals(state: AchievementsState, { reported, user }: Occasion, plan: AchievementsPlan, out: Emitter) {
  if (user.total === null || reported === null) throw new Error('a metric event came without its total');
  for (const achievement of plan.onMetric[reported.metric] ?? []) {
    const { place, sum, value: need } = achievement;
    if (has(state, place)) continue;
    const have = sum === null ? user.total : (state.sums[sum] ?? 0);
    if (have >= need) completeIfActive(state, place, plan, out);
    else miss(place, { type: 'amount', have, need }, plan, out);
  }
}

function reachLength(state: AchievementsState, plan: AchievementsPlan, out: Emitter): void {
  if (plan.onStreak.length === 0) return;
  for (const { effect, emitter: ofEffect } of out.firings('StreakStarted', 'StreakExtended'))
    for (const { place, length: need } of plan.onStreak) {
      if (has(state, place)) continue;
      const have = effect.length;
      if (have >= need) completeIfActive(state, place, plan, ofEffect);
      else miss(place, { type: 'count', have, need }, plan, out);
    }
}

function completeByCall(state: AchievementsState, key: string, plan: AchievementsPlan, out: Emitter) {
  const place = plan.placeByKey.get(key);
  if (place !== undefined && plan.byCall.has(place) && !has(state, place)) completeIfActive(state, place, plan, out);
}

function receive(state: AchievementsState, grant: Grant, plan: AchievementsPlan, out: Emitter): void {
  const place = placeGranted(grant, plan);
  if (place === undefined) return;
  if (grant.kind === 'achievement' && !has(state, place)) complete(state, place, plan, out);
  if (grant.kind === 'revocation' && has(state, place)) revoke(state, place, plan, out);
}

/** The achievement of this version that a grant gives or takes. */
const placeGranted = (grant: Grant, plan: AchievementsPlan): number | undefined =>
  grant.kind === 'achievement' || grant.kind === 'revocation' ? plan.placeByKey.get(grant.achievement) : undefined;

function revoke(state: AchievementsState, place: number, plan: AchievementsPlan, out: Emitter): void {
  unset(state, place);
  out.emit({ type: 'AchievementRevoked', achievement: keyOf(plan, place) });
}

/**
 * Completes what a user with the required attributes has reached. Every record is looked at, because any may bring an attribute.
 */
function judge(state: AchievementsState, occasion: Occasion, plan: AchievementsPlan, out: Emitter): void {
  for (const achievement of plan.judged) {
    const { place, user } = achievement;
    if (has(state, place) || isRevokedBy(occasion, place, plan)) continue;
    const missing = shortfallOf(achievement, state, occasion);
    if (missing !== null) miss(place, missing, plan, out);
    else completeIfMet(state, { place, user }, plan, out);
  }
}

/** What the user lacks of what a judged achievement counts; null if nothing. */
function shortfallOf(
  achievement: JudgedAchievement,
  state: AchievementsState,
  { user }: Occasion,
): AchievementMissed['missing'] | null {
  if ('length' in achievement) {
    const [have, need] = [user.streakLength ?? 0, achievement.length];
    return have >= need ? null : { type: 'count', have, need };
  }
  const [have, need] = [amountOf(achievement, state, user), achievement.value];
  return have >= need ? null : { type: 'amount', have, need };
}

const amountOf = (
  { metric, sum }: MetricAchievement,
  { sums }: AchievementsState,
  { totals }: Occasion['user'],
): Exact => (sum === null ? totals?.get(metric) : sums[sum]) ?? 0;

const isRevokedBy = ({ event }: Occasion, place: number, plan: AchievementsPlan): boolean =>
  event.type === 'GrantRecorded' && event.grant.kind === 'revocation' && placeGranted(event.grant, plan) === place;

/**
 * Each round sees the completions of earlier rounds, so that chains of any depth complete within one event. Metric events and calls, of
 * an achievement also by hand, are looked at for every composite. Other records are looked at for those with a condition on users, and
 * for those of which this record has completed a part.
 */
function completeComposites(state: AchievementsState, occasion: Occasion, plan: AchievementsPlan, out: Emitter): void {
  for (;;) {
    const ready = openComposites(state, occasion, plan, out).filter(
      (composite) => isReady(state, composite) && missingOf(composite, plan, out) === null,
    );
    if (ready.length === 0) break;
    for (const { place } of ready) complete(state, place, plan, out);
  }
  if (out.reasons !== null)
    for (const composite of openComposites(state, occasion, plan, out)) explainOpen(composite, state, plan, out);
}

/** The open composites that the record may complete. */
function openComposites(state: AchievementsState, occasion: Occasion, plan: AchievementsPlan, out: Emitter) {
  const open = plan.composites.filter(({ place }) => !has(state, place) && !isRevokedBy(occasion, place, plan));
  if (open.length === 0 || concernsAll(occasion, plan)) return open;
  const completed = new Set(out.firings('AchievementCompleted').map(({ effect }) => effect.achievement));
  return open.filter(({ user, needs }) => user.length > 0 || needs.some((need) => completed.has(keyOf(plan, need))));
}

function concernsAll({ event }: Occasion, plan: AchievementsPlan): boolean {
  if (event.type === 'GrantRecorded')
    return event.grant.kind === 'achievement' && placeGranted(event.grant, plan) !== undefined;
  return event.type === 'MetricEventRecorded' || event.type === 'AchievementCompletedByCall';
}

const isReady = (state: AchievementsState, { needs, otherNeeds }: CompositeAchievement): boolean =>
  needs.every((place) => has(state, place)) && otherNeeds.every((key) => state.others.includes(key));

function explainOpen(
  composite: CompositeAchievement,
  state: AchievementsState,
  plan: AchievementsPlan,
  out: Emitter,
): void {
  const { place, needs, otherNeeds } = composite;
  const parts = needs.filter((need) => !has(state, need)).map((need) => keyOf(plan, need));
  const others = otherNeeds.filter((key) => !state.others.includes(key));
  const achievements = [...parts, ...others];
  const missing =
    achievements.length > 0 ? ({ type: 'achievements', achievements } as const) : missingOf(composite, plan, out);
  if (missing !== null) miss(place, missing, plan, out);
}

/** What is missing for an achievement that is reached: its window, or attributes of the user; null if nothing. */
function missingOf(
  { place, user }: Pick<CompositeAchievement, 'place' | 'user'>,
  { windows }: AchievementsPlan,
  { stamp }: Emitter,
): AchievementMissed['missing'] | null {
  const window = windows[place] ?? null;
  if (window !== null && !isActiveAt(window, stamp.at)) return { type: 'window' };
  return areMet(user, stamp.attributeHashes) ? null : { type: 'user' };
}

const completeIfActive = (state: AchievementsState, place: number, plan: AchievementsPlan, out: Emitter): void =>
  completeIfMet(state, { place, user: [] }, plan, out);

function completeIfMet(
  state: AchievementsState,
  achievement: Pick<CompositeAchievement, 'place' | 'user'>,
  plan: AchievementsPlan,
  out: Emitter,
): void {
  const missing = missingOf(achievement, plan, out);
  if (missing === null) complete(state, achievement.place, plan, out);
  else miss(achievement.place, missing, plan, out);
}

function miss(place: number, missing: AchievementMissed['missing'], plan: AchievementsPlan, out: Emitter): void {
  out.reasons?.achievementMissed({ achievement: keyOf(plan, place), missing });
}

function complete(state: AchievementsState, place: number, plan: AchievementsPlan, out: Emitter): void {
  set(state, place);
  out.emit({ type: 'AchievementCompleted', achievement: keyOf(plan, place) });
}
