import { exactOf, type Exact } from '@laurel/amounts';
import {
  boundedWindow,
  isActiveAt,
  type ActiveWindow,
  type Configuration,
  type Emitter,
  type ExplanationListener,
  type Grant,
  type Occasion,
  type UserRules,
} from '@laurel/kernel';

/** Which achievements a user has completed. */
export interface AchievementsState {
  /** One bit for each achievement of the plan, 31 to a word. */
  readonly completed: number[];
  /** Completed achievements that the plan's version no longer has. */
  others: readonly string[];
}

export interface AchievementsPlan {
  /** Keys in configuration order, in which the answer lists achievements that one event completes. */
  readonly keys: readonly string[];
  readonly placeByKey: ReadonlyMap<string, number>;
  /** Achievements that a metric's total completes, by the metric's index. */
  readonly onMetric: readonly (readonly MetricAchievement[])[];
  readonly onStreak: readonly StreakAchievement[];
  readonly byCall: ReadonlySet<number>;
  readonly composites: readonly CompositeAchievement[];
  /** When events complete an achievement, by its place; null: always. */
  readonly windows: readonly (ActiveWindow | null)[];
}

interface MetricAchievement {
  readonly place: number;
  readonly value: Exact;
}

interface StreakAchievement {
  readonly place: number;
  readonly length: number;
}

interface CompositeAchievement {
  readonly place: number;
  readonly needs: readonly number[];
  /**
   * Required achievements that the version no longer has: this one is complete only if the user completed them earlier.
   */
  readonly otherNeeds: readonly string[];
}

/**
 * Completes achievements (specification, section 5): on the event's metric, on the streak, by API call, then on other achievements, round
 * by round. An achievement is completed once, by hand at any time, otherwise only within its window, and revoked only by a correction
 * (section 10).
 */
export const achievementsRules: UserRules<AchievementsState, AchievementsPlan> = {
  compile,
  initial: (plan) => ({ completed: noneOf(plan), others: [] }),
  clone: ({ completed, others }) => ({ completed: completed.slice(), others }),
  apply,
  encode: completedKeys,
  decode,
};

function apply(state: AchievementsState, occasion: Occasion, plan: AchievementsPlan, out: Emitter): void {
  const { event, reported } = occasion;
  switch (event.type) {
    case 'MetricEventRecorded':
      reachTotals(state, occasion, reported === null ? [] : (plan.onMetric[reported.metric] ?? []), plan, out);
      reachLength(state, plan, out);
      break;
    case 'AchievementCompletedByCall':
      completeByCall(state, event.achievement, plan, out);
      break;
    case 'GrantRecorded':
      if (!receive(state, event.grant, plan, out)) return;
      break;
    case 'UserIdentified':
    case 'SpendRequested':
    case 'RefundRequested':
    case 'CorrectionRecorded':
    case 'UserErased':
    case 'UserSwept':
      return;
  }
  completeComposites(state, plan, out);
}

function reachTotals(
  state: AchievementsState,
  occasion: Occasion,
  achievements: readonly MetricAchievement[],
  plan: AchievementsPlan,
  out: Emitter,
): void {
  const have = occasion.user.total;
  if (have === null) throw new Error('a metric event came without its total');
  for (const { place, value: need } of achievements) {
    if (has(state, place)) continue;
    if (have >= need) completeIfActive(state, place, plan, out);
    else out.reasons?.achievementMissed({ achievement: keyOf(plan, place), missing: { type: 'amount', have, need } });
  }
}

function reachLength(state: AchievementsState, plan: AchievementsPlan, out: Emitter): void {
  if (plan.onStreak.length === 0) return;
  for (const { effect, emitter: ofEffect } of out.firings('StreakStarted', 'StreakExtended'))
    for (const { place, length: need } of plan.onStreak) {
      if (has(state, place)) continue;
      const have = effect.length;
      if (have >= need) completeIfActive(state, place, plan, ofEffect);
      else out.reasons?.achievementMissed({ achievement: keyOf(plan, place), missing: { type: 'count', have, need } });
    }
}

function completeByCall(state: AchievementsState, key: string, plan: AchievementsPlan, out: Emitter) {
  const place = plan.placeByKey.get(key);
  if (place !== undefined && plan.byCall.has(place) && !has(state, place)) completeIfActive(state, place, plan, out);
}

/**
 * @returns whether the grant completes an achievement of this version, so that achievements that require it may be
 * complete as well
 */
function receive(state: AchievementsState, grant: Grant, plan: AchievementsPlan, out: Emitter): boolean {
  if (grant.kind !== 'achievement' && grant.kind !== 'revocation') return false;
  const place = plan.placeByKey.get(grant.achievement);
  if (place === undefined) return false;
  if (grant.kind === 'achievement' && !has(state, place)) complete(state, place, plan, out);
  if (grant.kind === 'revocation' && has(state, place)) revoke(state, place, plan, out);
  return grant.kind === 'achievement';
}

function revoke(state: AchievementsState, place: number, plan: AchievementsPlan, out: Emitter): void {
  unset(state.completed, place);
  out.emit({ type: 'AchievementRevoked', achievement: keyOf(plan, place) });
}

/** Each round sees the completions of earlier rounds, so that chains of any depth complete within one event. */
function completeComposites(state: AchievementsState, plan: AchievementsPlan, out: Emitter): void {
  for (;;) {
    const ready = plan.composites.filter(
      (composite) => !has(state, composite.place) && isReady(state, composite) && isActive(plan, composite.place, out),
    );
    if (ready.length === 0) break;
    for (const { place } of ready) complete(state, place, plan, out);
  }
  if (out.reasons !== null) explainOpen(state, plan, out.reasons);
}

const isReady = (state: AchievementsState, { needs, otherNeeds }: Omit<CompositeAchievement, 'place'>): boolean =>
  needs.every((place) => has(state, place)) && otherNeeds.every((key) => state.others.includes(key));

function explainOpen(state: AchievementsState, plan: AchievementsPlan, reasons: ExplanationListener): void {
  for (const { place, needs, otherNeeds } of plan.composites) {
    if (has(state, place)) continue;
    if (isReady(state, { needs, otherNeeds })) {
      explainWindow(place, plan, reasons);
      continue;
    }
    const missing = needs.filter((need) => !has(state, need)).map((need) => keyOf(plan, need));
    const others = otherNeeds.filter((key) => !state.others.includes(key));
    const achievements = [...missing, ...others];
    reasons.achievementMissed({ achievement: keyOf(plan, place), missing: { type: 'achievements', achievements } });
  }
}

/** Whether the instant of what is emitted lies in the window of the achievement. */
function isActive({ windows }: AchievementsPlan, place: number, out: Emitter): boolean {
  const window = windows[place] ?? null;
  return window === null || isActiveAt(window, out.stamp.at);
}

function completeIfActive(state: AchievementsState, place: number, plan: AchievementsPlan, out: Emitter): void {
  if (isActive(plan, place, out)) complete(state, place, plan, out);
  else if (out.reasons !== null) explainWindow(place, plan, out.reasons);
}

function explainWindow(place: number, plan: AchievementsPlan, reasons: ExplanationListener): void {
  reasons.achievementMissed({ achievement: keyOf(plan, place), missing: { type: 'window' } });
}

function complete(state: AchievementsState, place: number, plan: AchievementsPlan, out: Emitter): void {
  set(state.completed, place);
  out.emit({ type: 'AchievementCompleted', achievement: keyOf(plan, place) });
}

const keyOf = (plan: AchievementsPlan, place: number): string => plan.keys[place] as string;

const BITS = 31;

const noneOf = ({ keys }: AchievementsPlan): number[] => new Array<number>(Math.ceil(keys.length / BITS)).fill(0);

const has = ({ completed }: AchievementsState, place: number): boolean =>
  (((completed[Math.floor(place / BITS)] as number) >>> (place % BITS)) & 1) === 1;

function set(completed: number[], place: number): void {
  const word = Math.floor(place / BITS);
  completed[word] = (completed[word] as number) | (1 << (place % BITS));
}

function unset(completed: number[], place: number): void {
  const word = Math.floor(place / BITS);
  completed[word] = (completed[word] as number) & ~(1 << (place % BITS));
}

function compile({ achievements, metrics }: Configuration): AchievementsPlan {
  const placeByKey = new Map(achievements.map(({ key }, place) => [key, place]));
  const onMetric = new Map(metrics.map(({ key }) => [key, [] as MetricAchievement[]]));
  const onStreak: StreakAchievement[] = [];
  const byCall = new Set<number>();
  const composites: CompositeAchievement[] = [];
  for (const [place, { trigger }] of achievements.entries()) {
    switch (trigger.type) {
      case 'metric':
        onMetric.get(trigger.metric.key)?.push({ place, value: exactOf(trigger.value) });
        break;
      case 'streak':
        onStreak.push({ place, length: trigger.length });
        break;
      case 'api':
        byCall.add(place);
        break;
      case 'achievement':
        composites.push({
          place,
          ...needsOf(
            trigger.achievements.map(({ key }) => key),
            placeByKey,
          ),
        });
        break;
      default:
        throw new Error(`an unknown achievement trigger: ${JSON.stringify(trigger satisfies never)}`);
    }
  }
  const keys = achievements.map(({ key }) => key);
  const windows = achievements.map(boundedWindow);
  return { keys, placeByKey, onMetric: [...onMetric.values()], onStreak, byCall, composites, windows };
}

function needsOf(keys: readonly string[], placeByKey: ReadonlyMap<string, number>) {
  const needs = keys.map((key) => placeByKey.get(key)).filter((place) => place !== undefined);
  return { needs, otherNeeds: keys.filter((key) => !placeByKey.has(key)) };
}

/** The keys of completed achievements, in their stored form. */
export function completedKeys({ completed, others }: AchievementsState, plan: AchievementsPlan): readonly string[] {
  return [...plan.keys.filter((_, place) => has({ completed, others }, place)), ...others];
}

/** @throws TypeError unless the JSON is a list: the letters of a text would be read as keys. */
function decode(json: unknown, plan: AchievementsPlan): AchievementsState {
  if (!Array.isArray(json)) throw new TypeError('the completed achievements are not a list');
  const completed = noneOf(plan);
  const others: string[] = [];
  for (const key of json as string[]) {
    const place = plan.placeByKey.get(key);
    if (place === undefined) others.push(key);
    else set(completed, place);
  }
  return { completed, others };
}

/** Counts these achievements as completed, whether or not the plan still has them. */
export function keepCompleted(state: AchievementsState, keys: readonly string[], plan: AchievementsPlan): void {
  const others: string[] = [];
  for (const key of keys) {
    const place = plan.placeByKey.get(key);
    if (place === undefined) others.push(key);
    else set(state.completed, place);
  }
  state.others = [...state.others, ...others];
}
