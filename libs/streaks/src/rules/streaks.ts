import { add, exactOf, formatMillionths, parseMillionths, type Exact } from '@laurel/amounts';
import {
  dayAt,
  dayExists,
  endOfDay,
  formatDay,
  nextPeriodStart,
  parseDay,
  periodStart,
  type Day,
  type Instant,
  type LocalDate,
  type PeriodRule,
  type Zone,
} from '@laurel/calendar';
import type { Configuration, FreezeDefinition, MetricReported, Occasion, Sink, UserRules } from '@laurel/contracts';
import { accountUnder, freezesAt, lastOfFormerTerms, useFreeze, type FreezeAccount } from './freeze-account.ts';

/** What the next event of a user needs to know of their streak (specification, section 4). */
export interface StreaksState {
  /** The generation of the definition that `reached`, `progress` and the streak belong to; 0: none yet. */
  generation: number;
  /** null until the first event of the user. */
  createdAt: Instant | null;
  /** The user's clock as of the last event. */
  zone: Zone;
  /** The latest instant of the user's metric events; null before the first. */
  latest: Instant | null;
  /** First day of the latest period that an event made current. */
  reached: Day | null;
  /** Sums of values in the period `reached`, by the place of the metric among those of the plan's conditions. */
  progress: (Exact | undefined)[];
  /** Sums of metrics that are no condition under this plan, by key. */
  otherProgress: ReadonlyMap<string, Exact>;
  /** The last streak, alive or not; null if there never was one. */
  streak: Streak | null;
  /** null without freezes configured. */
  freezes: FreezeAccount | null;
  /** Freezes held as of the last event, those earned by then included. */
  held: number;
}

/** Immutable: replaced when it changes. */
export interface Streak {
  readonly length: number;
  /** The user's day of the extension that began it. */
  readonly startedOn: Day;
  /** First day of L, the last period that was met or bridged. */
  readonly lastPeriod: Day;
  /** The clock in force when the last met period was met. */
  readonly zoneAtMet: Zone;
  readonly extendedAt: Instant;
  /** True once an event has found that it ended: its end was emitted, and it uses no more freezes. */
  readonly ended: boolean;
  /** E on the user's present clock: the instant at which it ends unless it is extended. */
  readonly endsAt: Instant;
}

/** null: no streaks are kept. */
export type StreaksPlan = StreakRules | null;

export interface StreakRules {
  readonly generation: number;
  readonly period: PeriodRule;
  readonly mode: 'all' | 'any';
  /** The metrics of the conditions, each once. */
  readonly metrics: readonly string[];
  /** By the metric's place in the configuration: its place among `metrics`; -1: it is no condition. */
  readonly placeOfMetric: readonly number[];
  readonly conditions: readonly { readonly place: number; readonly threshold: Exact }[];
  readonly freezes: FreezeDefinition | null;
  /** Somebody other than a read of the streak sees that it ends: a board, or the freezes that are used. */
  readonly endIsSeen: boolean;
}

/** Streaks: what time has done on the clock that the user had, then the change of clock, then the event. */
export const streaksRules: UserRules<StreaksState, StreaksPlan> = {
  compile,
  initial: (plan) => ({
    generation: 0,
    createdAt: null,
    zone: 'UTC',
    latest: null,
    reached: null,
    progress: noProgress(plan),
    otherProgress: NONE,
    streak: null,
    freezes: null,
    held: 0,
  }),
  clone: (state) => ({ ...state, progress: state.progress.slice() }),
  apply,
  dueAt: ({ streak, generation }, plan) => {
    if (streak === null || streak.ended || !(plan?.endIsSeen ?? false)) return null;
    return generation === plan?.generation ? streak.endsAt : -Infinity;
  },
  encode,
  decode,
};

const NONE: ReadonlyMap<string, Exact> = new Map();

const noProgress = (plan: StreaksPlan): undefined[] => plan?.metrics.map(() => undefined) ?? [];

function apply(state: StreaksState, occasion: Occasion, plan: StreaksPlan, sink: Sink): void {
  const { cause, occurredAt, user } = occasion;
  const instant = state.latest === null ? occurredAt : Math.max(state.latest, occurredAt);
  state.createdAt = user.createdAt;
  if (plan === null) return keepNoStreak(state, occasion, instant, sink);
  enterGeneration(state, plan, instant, sink);
  settle(state, user.createdAt, instant, plan, sink);
  if (user.zone !== state.zone) move(state, occasion, instant, plan, sink);
  if (cause.type === 'MetricReported') count(state, cause, occasion, instant, plan, sink);
  earnFreezes(state, user.createdAt, instant, sink);
}

/** A length that was reached is taken back; clock and latest instant go on. */
function keepNoStreak(state: StreaksState, { cause, user }: Occasion, instant: Instant, sink: Sink): void {
  end(state, instant, sink);
  state.zone = user.zone;
  if (cause.type === 'MetricReported') state.latest = instant;
  state.freezes = null;
  state.held = 0;
}

/** A change of `frequency` or `weekStart` starts everyone afresh. Freezes held stay. */
function enterGeneration(
  state: StreaksState,
  { generation, metrics }: StreakRules,
  instant: Instant,
  sink: Sink,
): void {
  if (state.generation === generation) return;
  end(state, instant, sink);
  state.generation = generation;
  state.reached = null;
  state.progress = metrics.map(() => undefined);
  state.otherProgress = NONE;
  state.streak = null;
}

/**
 * What time has done up to an instant, inclusive: at each E that has passed a freeze is used, or the streak ends. Freezes keep to
 * the terms that were in force. Settling twice changes nothing.
 */
export function settle(state: StreaksState, createdAt: Instant, upTo: Instant, plan: StreakRules, sink: Sink): void {
  if (plan.freezes !== null || state.freezes !== null) keepToTerms(state, createdAt, upTo, plan, sink);
  passEnds(state, createdAt, upTo, plan, sink);
}

/** Ends that passed under former terms first, then the terms of the plan. What a user is given at first is not earned. */
function keepToTerms(state: StreaksState, createdAt: Instant, upTo: Instant, plan: StreakRules, sink: Sink): void {
  const former = lastOfFormerTerms(state.freezes, plan.freezes);
  if (former !== null) passEnds(state, createdAt, Math.min(former, upTo), plan, sink);
  const isNew = state.freezes === null;
  state.freezes = accountUnder(state.freezes, createdAt, plan.freezes);
  if (isNew || state.freezes === null) state.held = state.freezes?.held ?? 0;
}

function passEnds(state: StreaksState, createdAt: Instant, upTo: Instant, plan: StreakRules, sink: Sink): void {
  for (let { streak } = state; streak !== null && !streak.ended && streak.endsAt <= upTo; streak = state.streak) {
    const at = streak.endsAt;
    if (state.freezes === null || freezesAt(state.freezes, createdAt, at) < 1) return end(state, at, sink);
    earnFreezes(state, createdAt, at, sink);
    state.freezes = useFreeze(state.freezes, createdAt, at);
    state.held = Math.max(0, state.held - 1);
    bridge(state, streak, at, plan, sink);
  }
}

/** Period L + 1, bridged by a freeze, and before it the days that the clock never showed. */
function bridge(state: StreaksState, streak: Streak, at: Instant, plan: StreakRules, sink: Sink): void {
  const period = periodAfter(streak.lastPeriod, state.zone, plan.period);
  skipPeriods(streak, period, plan.period, sink);
  sink.emit({ type: 'FreezeUsed', at, period, length: streak.length });
  state.streak = withEnd({ ...streak, lastPeriod: period }, state.zone, plan.period);
}

/** The periods strictly between L and `next` count as kept, at the length that the streak had. */
function skipPeriods({ lastPeriod, length }: Streak, next: Day, rule: PeriodRule, sink: Sink): void {
  for (let period = nextPeriodStart(lastPeriod, rule); period < next; period = nextPeriodStart(period, rule))
    sink.emit({ type: 'PeriodSkipped', period, length });
}

/** The streak is over at `at`, which is said once. */
function end(state: StreaksState, at: Instant, sink: Sink): void {
  const { streak } = state;
  if (streak === null || streak.ended) return;
  state.streak = { ...streak, ended: true };
  sink.emit({ type: 'StreakEnded', at, length: streak.length });
}

/** An ended streak lives again if the new clock moves E beyond the instant; a living one may end by going back to an old clock. */
function move(state: StreaksState, { user, occurredAt }: Occasion, instant: Instant, plan: StreakRules, sink: Sink) {
  state.zone = user.zone;
  if (state.streak === null) return;
  const streak = withEnd(state.streak, user.zone, plan.period);
  state.streak = streak;
  if (!streak.ended) return settle(state, user.createdAt, instant, plan, sink);
  if (streak.endsAt <= instant) return;
  state.streak = { ...streak, ended: false };
  sink.emit({ type: 'StreakRevived', at: occurredAt, length: streak.length });
}

/**
 * Counts a metric event at the instant that counts for it. The conditions are asked after every metric event, also of a metric
 * that is no condition: a published change may have made them met.
 */
function count(
  state: StreaksState,
  { metric, value }: MetricReported,
  occasion: Occasion,
  instant: Instant,
  plan: StreakRules,
  sink: Sink,
): void {
  const period = currentPeriod(state, instant, plan);
  if (period !== state.reached) {
    state.progress.fill(undefined);
    state.otherProgress = NONE;
    state.reached = period;
  }
  const place = plan.placeOfMetric[metric] ?? -1;
  if (place >= 0) state.progress[place] = add(state.progress[place] ?? 0, value);
  state.latest = instant;
  const isOpen = state.streak === null || period > state.streak.lastPeriod;
  const isMet = isOpen && areMet(state, plan);
  if (sink.reasons !== null) explainConditions(state, period, !isOpen || isMet, plan, sink);
  if (isMet) extend(state, period, occasion, instant, plan, sink);
}

/** First day of the instant's period on the user's clock, but never of one before the period that they have already reached. */
export function currentPeriod(state: StreaksState, at: Instant, plan: StreakRules): Day {
  const today = periodStart(dayAt(at, state.zone), plan.period);
  return state.reached !== null && state.reached > today ? state.reached : today;
}

function areMet({ progress }: StreaksState, { mode, conditions }: StreakRules): boolean {
  const isMet = ({ place, threshold }: { place: number; threshold: Exact }) => (progress[place] ?? 0) >= threshold;
  return mode === 'all' ? conditions.every(isMet) : conditions.some(isMet);
}

function extend(
  state: StreaksState,
  period: Day,
  { occurredAt }: Occasion,
  instant: Instant,
  plan: StreakRules,
  sink: Sink,
): void {
  const alive = livingStreak(state, instant);
  if (alive !== null) skipPeriods(alive, period, plan.period, sink);
  const length = (alive?.length ?? 0) + 1;
  const streak = {
    length,
    // Having travelled west the user's day may lie before the period that they have already reached.
    startedOn: alive?.startedOn ?? Math.max(dayAt(instant, state.zone), period),
    lastPeriod: period,
    zoneAtMet: state.zone,
    extendedAt: instant,
    ended: false,
  };
  state.streak = withEnd(streak, state.zone, plan.period);
  if (length === 1) sink.emit({ type: 'StreakStarted', at: occurredAt, length, period });
  else sink.emit({ type: 'StreakExtended', at: occurredAt, length, period });
}

/** The streak if it is alive at that instant. The state must be settled up to it. */
export const livingStreak = ({ streak }: StreaksState, at: Instant): Streak | null =>
  streak !== null && at < streak.endsAt ? streak : null;

/**
 * E: period L + 1 must be over both on the present clock and on the clock in force when L was met. So nobody loses a day by
 * travelling west, and travelling east skips days, never the streak.
 */
function withEnd(streak: Omit<Streak, 'endsAt'>, zone: Zone, rule: PeriodRule): Streak {
  const { length, startedOn, lastPeriod, zoneAtMet, extendedAt, ended } = streak;
  const here = endOfPeriodAfter(lastPeriod, zone, rule);
  const endsAt = zone === zoneAtMet ? here : Math.max(here, endOfPeriodAfter(lastPeriod, zoneAtMet, rule));
  return { length, startedOn, lastPeriod, zoneAtMet, extendedAt, ended, endsAt };
}

const endOfPeriodAfter = (start: Day, zone: Zone, rule: PeriodRule): Instant =>
  endOfDay(nextPeriodStart(periodAfter(start, zone, rule), rule) - 1, zone);

/** First day of the period after the one that starts on `start`. A day that the clock never showed is passed over: nobody could have met it. */
function periodAfter(start: Day, zone: Zone, rule: PeriodRule): Day {
  let next = nextPeriodStart(start, rule);
  if (rule.frequency === 'daily') while (!dayExists(next, zone)) next++;
  return next;
}

function earnFreezes(state: StreaksState, createdAt: Instant, at: Instant, sink: Sink): void {
  if (state.freezes === null) return;
  const held = freezesAt(state.freezes, createdAt, at);
  if (held <= state.held) return;
  sink.emit({ type: 'FreezeEarned', earned: held - state.held, held });
  state.held = held;
}

function explainConditions(state: StreaksState, period: Day, periodMet: boolean, plan: StreakRules, sink: Sink): void {
  for (const { place, threshold } of plan.conditions) {
    const progress = state.progress[place] ?? 0;
    sink.reasons?.conditionChecked({ period, metric: plan.metrics[place] as string, progress, threshold, periodMet });
  }
}

function compile({ streak, metrics, leaderboards }: Configuration): StreaksPlan {
  if (streak === null) return null;
  const conditionMetrics = [...new Set(streak.conditions.map(({ metric }) => metric))];
  return {
    generation: streak.generation,
    period: streak.period,
    mode: streak.mode,
    metrics: conditionMetrics,
    placeOfMetric: metrics.map(({ key }) => conditionMetrics.indexOf(key)),
    conditions: streak.conditions.map(({ metric, threshold }) => ({
      place: conditionMetrics.indexOf(metric),
      threshold: exactOf(threshold),
    })),
    freezes: streak.freezes,
    endIsSeen: streak.freezes !== null || leaderboards.some(({ rankBy }) => rankBy.type === 'streak'),
  };
}

/** Amounts as decimals, days as dates, the progress as pairs. `endsAt` follows from the rest. */
interface StoredStreaks {
  readonly generation: number;
  readonly createdAt: Instant | null;
  readonly zone: Zone;
  readonly latest: Instant | null;
  readonly reached: LocalDate | null;
  readonly progress: readonly (readonly [metric: string, sum: string])[];
  readonly streak: StoredStreak | null;
  readonly freezes: FreezeAccount | null;
  /** Absent in states of releases that did not keep it, and without freezes. */
  readonly held?: number;
}

interface StoredStreak extends Omit<Streak, 'startedOn' | 'lastPeriod' | 'endsAt'> {
  readonly startedOn: LocalDate;
  readonly lastPeriod: LocalDate;
}

function encode(state: StreaksState, plan: StreaksPlan): StoredStreaks {
  const { generation, createdAt, zone, latest, reached, progress, otherProgress, streak, freezes, held } = state;
  const known = progress.flatMap((sum, place) =>
    sum === undefined ? [] : [[plan?.metrics[place] as string, formatMillionths(sum)] as const],
  );
  const others = [...otherProgress].map(([metric, sum]) => [metric, formatMillionths(sum)] as const);
  return {
    generation,
    createdAt,
    zone,
    latest,
    reached: reached === null ? null : formatDay(reached),
    progress: [...known, ...others],
    streak: streak === null ? null : encodeStreak(streak),
    freezes,
    ...(freezes !== null && { held }),
  };
}

const encodeStreak = ({ length, startedOn, lastPeriod, zoneAtMet, extendedAt, ended }: Streak): StoredStreak => ({
  length,
  startedOn: formatDay(startedOn),
  lastPeriod: formatDay(lastPeriod),
  zoneAtMet,
  extendedAt,
  ended,
});

function decode(json: unknown, plan: StreaksPlan): StreaksState {
  const stored = json as StoredStreaks;
  const { generation, createdAt, zone, latest, freezes } = stored;
  const progress: (Exact | undefined)[] = noProgress(plan);
  const otherProgress = new Map<string, Exact>();
  for (const [metric, sum] of stored.progress) {
    const place = plan?.metrics.indexOf(metric) ?? -1;
    if (place < 0) otherProgress.set(metric, parseMillionths(sum));
    else progress[place] = parseMillionths(sum);
  }
  const heldThen = freezes === null || createdAt === null ? 0 : freezesAt(freezes, createdAt, latest ?? freezes.asOf);
  return {
    generation,
    createdAt,
    zone,
    latest,
    reached: stored.reached === null ? null : parseDay(stored.reached),
    progress,
    otherProgress,
    streak: stored.streak === null ? null : decodeStreak(stored.streak, stored, plan),
    freezes,
    held: stored.held ?? heldThen,
  };
}

/** A streak of another generation, or under a version without streaks, is over: its E has no meaning. */
function decodeStreak(stored: StoredStreak, { zone, generation }: StoredStreaks, plan: StreaksPlan): Streak {
  const streak = { ...stored, startedOn: parseDay(stored.startedOn), lastPeriod: parseDay(stored.lastPeriod) };
  return plan?.generation === generation ? withEnd(streak, zone, plan.period) : { ...streak, endsAt: -Infinity };
}
