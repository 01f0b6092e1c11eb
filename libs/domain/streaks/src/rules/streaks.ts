import { add, type Exact } from '@laurel/amounts';
import {
  dayAt,
  dayExists,
  nextPeriodStart,
  parseDay,
  periodStart,
  type Day,
  type Instant,
  type PeriodRule,
} from '@laurel/calendar';
import type {
  DaysExcused,
  ReportedMetric,
  Occasion,
  Emitter,
  StreakAfter,
  StreakEnded,
  Unstamped,
  UserRules,
} from '@laurel/kernel';
import { isExcused, remembered, withExcused } from './excused-days.ts';
import {
  accountAtEnd,
  accountUnder,
  addFreezes,
  freezesAt,
  freezesShown,
  lastEarnedAt,
  returnFreezes,
  termsToCome,
  useFreeze,
  withGiven,
} from './freeze-account.ts';
import { lastDay, livingLength, livingStreak, periodAfter, withEnd, type Streak } from './streak-end.ts';
import { nextReminder, settleReminder } from './streak-reminder.ts';
import { decode, encode } from './streaks-codec.ts';
import { copyOf, initialStreaks, NO_PROGRESS, type StreaksState } from './streaks-state.ts';
import { compileStreaks, type StreakRules, type StreaksPlan } from './streaks-plan.ts';

/** Settles due changes by the user's old clock, then changes the clock, then applies the event. */
export const streaksRules: UserRules<StreaksState, StreaksPlan> = {
  compile: compileStreaks,
  initial: initialStreaks,
  clone: copyOf,
  apply,
  isLate: ({ latest }, occurredAt) => latest !== null && occurredAt < latest,
  /**
   * A sweep must emit the end of a streak, and before it a reminder that the streak is at risk. If a publication has
   * ended the streak, it is due at once.
   */
  dueAt: (state, { rules }) => {
    const { streak, generation } = state;
    if (streak === null || streak.ended) return null;
    if (generation !== rules?.generation) return -Infinity;
    return nextReminder(state, rules)?.at ?? streak.endsAt;
  },
  encode,
  decode,
};

function apply(state: StreaksState, occasion: Occasion, { rules, tellsLength }: StreaksPlan, out: Emitter): void {
  applyRules(state, occasion, rules, out);
  if (tellsLength) occasion.user.streakLength = livingLength(state.streak);
}

function applyRules(state: StreaksState, occasion: Occasion, rules: StreakRules | null, out: Emitter): void {
  const { event, reported, occurredAt, user } = occasion;
  const instant = state.latest === null ? occurredAt : Math.max(state.latest, occurredAt);
  state.createdAt = user.createdAt;
  if (rules === null) return keepNoStreak(state, occasion, instant, out);
  enterGeneration(state, instant, rules, out);
  settle(state, user.createdAt, instant, rules, out);
  if (user.zone !== state.zone) move(state, occasion, instant, rules, out);
  if (reported !== null) count(state, reported, instant, rules, out);
  const grant = event.type === 'GrantRecorded' ? event.grant : null;
  if (grant?.kind === 'streak') restore(state, instant, rules, out);
  earnFreezes(state, user.createdAt, instant, rules, out);
  if (grant?.kind === 'freezes') giveFreezes(state, grant.amount, instant, out);
  if (grant?.kind === 'excused') excuse(state, grant, instant, rules, out);
  // Nobody is there to keep it, and it is due no more.
  if (event.type === 'UserErased') end(state, out, BY_ERASURE);
  if (rules.atRisk !== null) remind(state, instant, rules, out);
}

function remind(state: StreaksState, instant: Instant, rules: StreakRules, out: Emitter): void {
  const atRisk = settleReminder(state, instant, currentPeriod(state, instant, rules), rules);
  if (atRisk !== null) out.dueAt(atRisk.at).emit({ type: 'StreakAtRisk', ...atRisk.effect });
}

/** A length that was reached is taken back; clock and latest instant go on. */
function keepNoStreak(state: StreaksState, { reported, user }: Occasion, instant: Instant, out: Emitter): void {
  end(state, out.dueAt(instant));
  state.zone = user.zone;
  if (reported !== null) state.latest = instant;
  state.freezes = null;
  state.held = 0;
  state.reminded = null;
}

/** After a publication with another `frequency` or `weekStart`, all streaks start anew. Freezes stay. */
export function enterGeneration(
  state: StreaksState,
  instant: Instant,
  { generation }: StreakRules,
  out: Emitter,
): void {
  if (state.generation === generation) return;
  end(state, out.dueAt(instant));
  state.generation = generation;
  state.streak = null;
  state.lapses = [];
  state.frozen = [];
  state.reminded = null;
  enterPeriod(state, null);
}

/**
 * Settles everything that fell due up to an instant, inclusive. At each end E, the period is excused, a freeze is used,
 * or the streak ends. Freezes follow the terms in force at the time. Settling twice changes nothing.
 */
export function settle(state: StreaksState, createdAt: Instant, upTo: Instant, rules: StreakRules, out: Emitter): void {
  if (rules.freezes !== null || state.freezes !== null) keepToTerms(state, createdAt, upTo, rules, out);
  passEnds(state, createdAt, upTo, rules, out);
}

/** Settles ends under earlier terms first. Freezes that a user gets at the start do not count as earned. */
function keepToTerms(state: StreaksState, createdAt: Instant, upTo: Instant, rules: StreakRules, out: Emitter): void {
  for (const { since, freezes } of termsToCome(state.freezes, createdAt, upTo, rules.freezeTerms)) {
    passEnds(state, createdAt, since - 1, rules, out);
    // Freezes earned under the old terms must be emitted before the terms change.
    if (rules.notifiesOfEarning) earnFreezes(state, createdAt, since - 1, rules, out);
    const isNew = state.freezes === null;
    state.freezes = accountUnder(state.freezes, createdAt, freezes);
    if (state.freezes === null) state.held = 0;
    else if (isNew) state.held = Math.max(state.held, state.freezes.held);
  }
}

function passEnds(state: StreaksState, createdAt: Instant, upTo: Instant, rules: StreakRules, out: Emitter): void {
  for (let { streak } = state; streak !== null && !streak.ended && streak.endsAt <= upTo; streak = state.streak) {
    const at = streak.endsAt;
    const period = periodAfter(streak.lastPeriod, state.zone, rules.period);
    if (isExcused(state.excused, period, rules.period, state.zone)) {
      passOver(streak, period, rules, out);
      state.streak = withEnd({ ...streak, lastPeriod: period }, state.zone, rules.period);
      continue;
    }
    if (state.freezes === null || freezesAt(state.freezes, createdAt, at) < 1) return end(state, out.dueAt(at));
    earnFreezes(state, createdAt, at, rules, out);
    state.freezes = useFreeze(state.freezes, createdAt, at);
    state.held -= 1;
    bridge(state, streak, rules, out.dueAt(at));
  }
}

function earnFreezes(state: StreaksState, createdAt: Instant, at: Instant, rules: StreakRules, out: Emitter): void {
  if (state.freezes === null) return;
  const held = freezesAt(state.freezes, createdAt, at);
  if (held <= state.held) return;
  const told = rules.notifiesOfEarning && { earnedAt: lastEarnedAt(state.freezes, createdAt, at) };
  out.emit({ type: 'FreezeEarned', earned: held - state.held, held, ...told });
  state.held = held;
}

/** Gives as many freezes as fit below the maximum. Freezes beyond a lowered maximum stay. */
function giveFreezes(state: StreaksState, amount: number, instant: Instant, out: Emitter): void {
  const { freezes, createdAt } = state;
  if (freezes === null || createdAt === null) return;
  const given = addFreezes(freezes, createdAt, instant, amount);
  const granted = given.held - freezesAt(freezes, createdAt, instant);
  if (granted <= 0) return;
  state.freezes = given;
  state.held += granted;
  out.emit({ type: 'FreezesGranted', granted, held: state.held });
}

/**
 * Revives an ended streak with its length, as if the period before the present one had been met. The present period can
 * extend it; the periods in between stay as they were.
 */
function restore(state: StreaksState, instant: Instant, rules: StreakRules, out: Emitter): void {
  const { streak, zone } = state;
  if (streak === null || !streak.ended) return;
  const before = periodStart(currentPeriod(state, instant, rules) - 1, rules.period);
  const lastPeriod = Math.max(before, streak.lastPeriod);
  state.streak = withEnd({ ...streak, lastPeriod, zoneAtMet: zone, ended: false }, zone, rules.period);
  out.emit({ type: 'StreakRevived', length: streak.length });
}

/** Bridges period L + 1 with a freeze. Periods before it that the clock never showed are skipped. */
function bridge(state: StreaksState, streak: Streak, rules: StreakRules, out: Emitter): void {
  const { period: rule, isNotified } = rules;
  const period = periodAfter(streak.lastPeriod, state.zone, rule);
  skipPeriods(streak, period, rule, out);
  out.emit({ type: 'FreezeUsed', period, length: streak.length, ...(isNotified && { held: state.held }) });
  state.streak = withEnd({ ...streak, lastPeriod: period }, state.zone, rule);
  state.frozen = remembered(state.frozen, { period, length: streak.length });
}

/** Passes an excused period. Periods before it that the clock never showed are skipped. */
function passOver(streak: Streak, period: Day, { period: rule }: StreakRules, out: Emitter): void {
  skipPeriods(streak, period, rule, out);
  out.emit({ type: 'PeriodExcused', period, length: streak.length });
}

/**
 * Excuses dates: freezes used there are returned, and a streak that ended because of them is revived. It is joined with
 * earlier streaks if all days in between are excused. The state must be settled up to the instant.
 */
function excuse(state: StreaksState, grant: DaysExcused, instant: Instant, rules: StreakRules, out: Emitter): void {
  state.excused = withExcused(state.excused, { from: parseDay(grant.from), to: parseDay(grant.to) });
  const returned = takeFreezesBack(state, instant, rules, out);
  const { streak } = state;
  if (streak?.ended === true && (returned > 0 || isNextExcused(state, streak, rules.period)))
    liveOn(state, instant, returned, rules, out);
  while (joinLapse(state, rules, out));
  if (state.createdAt !== null) earnFreezes(state, state.createdAt, instant, rules, out);
}

const isNextExcused = ({ excused, zone }: StreaksState, { lastPeriod }: Streak, rule: PeriodRule): boolean =>
  isExcused(excused, periodAfter(lastPeriod, zone, rule), rule, zone);

/** @returns the number of excused periods that had used a freeze */
function takeFreezesBack(state: StreaksState, instant: Instant, { period: rule }: StreakRules, out: Emitter): number {
  const { excused, frozen, freezes, createdAt, zone } = state;
  const back = frozen.filter(({ period }) => isExcused(excused, period, rule, zone));
  if (back.length === 0) return 0;
  state.frozen = frozen.filter((one) => !back.includes(one));
  for (const { period, length } of back) out.emit({ type: 'PeriodExcused', period, length });
  if (freezes === null || createdAt === null) return 0;
  state.freezes = returnFreezes(freezes, back.length);
  const granted = freezesAt(state.freezes, createdAt, instant) - state.held;
  if (granted > 0) out.emit({ type: 'FreezesGranted', granted, held: (state.held += granted) });
  return back.length;
}

/**
 * Revives an ended streak with the returned freezes, as if it had not ended there. It stays ended if it would have
 * ended since: freezes granted later do not bridge earlier periods.
 */
function liveOn(state: StreaksState, instant: Instant, returned: number, rules: StreakRules, out: Emitter): void {
  const { streak, createdAt, freezes } = state;
  if (streak === null || createdAt === null) return;
  const isOlder = freezes !== null && freezes.asOf <= streak.endsAt;
  const past = isOlder ? freezes : accountAtEnd(createdAt, streak.endsAt, returned, rules.freezeTerms);
  const alive = { ...state, freezes: past, streak: { ...streak, ended: false } };
  const bridged = out.aside();
  settle(alive, createdAt, instant, rules, bridged);
  if (alive.streak.ended) return;
  if (!isOlder && freezes !== null && alive.freezes !== null) {
    const used = bridged.effects.filter(({ type }) => type === 'FreezeUsed').length;
    alive.freezes = withGiven(alive.freezes, freezes, used, createdAt);
  }
  Object.assign(state, alive);
  out.emit({ type: 'StreakRevived', length: streak.length });
  out.take(bridged);
}

/**
 * Joins the previous streak if every period in between is excused. @returns whether the streak is alive and a streak
 * was joined
 */
function joinLapse(state: StreaksState, rules: StreakRules, out: Emitter): boolean {
  const { streak, excused, zone } = state;
  const lapse = state.lapses.at(-1);
  if (streak === null || streak.ended || lapse === undefined) return false;
  const { period: rule } = rules;
  const between: Unstamped[] = [];
  for (
    let period = nextPeriodStart(lapse.lastPeriod, rule);
    period < lapse.resumed;
    period = nextPeriodStart(period, rule)
  ) {
    const type = rule.frequency !== 'daily' || dayExists(period, zone) ? 'PeriodExcused' : 'PeriodSkipped';
    if (type === 'PeriodExcused' && !isExcused(excused, period, rule, zone)) return false;
    between.push({ type, period, length: lapse.length });
  }
  for (const effect of between) out.emit(effect);
  const length = lapse.length + streak.length;
  state.lapses = state.lapses.slice(0, -1);
  state.streak = { ...streak, length, startedOn: lapse.startedOn };
  out.emit({ type: 'StreakRejoined', length, joined: lapse.length });
  return true;
}

/** The periods strictly between L and `next` count as kept, with the streak's length. */
function skipPeriods({ lastPeriod, length }: Streak, next: Day, rule: PeriodRule, out: Emitter): void {
  for (let period = nextPeriodStart(lastPeriod, rule); period < next; period = nextPeriodStart(period, rule))
    out.emit({ type: 'PeriodSkipped', period, length });
}

/** Ends the streak. The end is emitted only once. */
function end(state: StreaksState, out: Emitter, by: Pick<StreakEnded, 'byErasure'> = {}): void {
  const { streak } = state;
  if (streak === null || streak.ended) return;
  state.streak = { ...streak, ended: true };
  out.emit({ type: 'StreakEnded', length: streak.length, generation: state.generation, ...by });
}

const BY_ERASURE = { byErasure: true } as const;

/**
 * Changes the clock. An ended streak is revived if the new clock moves E beyond the instant; a living one may end if
 * the clock is moved back.
 */
function move(state: StreaksState, { user }: Occasion, instant: Instant, rules: StreakRules, out: Emitter) {
  state.zone = user.zone;
  if (state.streak === null) return;
  const streak = withEnd(state.streak, user.zone, rules.period);
  state.streak = streak;
  if (!streak.ended) return settle(state, user.createdAt, instant, rules, out);
  if (streak.endsAt <= instant) return;
  state.streak = { ...streak, ended: false };
  out.emit({ type: 'StreakRevived', length: streak.length });
}

/**
 * Counts a metric event at the instant that counts for it. Checks the conditions after every metric event, even of a
 * metric without a condition, because a published change may have met them.
 */
function count(
  state: StreaksState,
  { metric, value }: ReportedMetric,
  instant: Instant,
  rules: StreakRules,
  out: Emitter,
): void {
  state.latest = instant;
  const period = currentPeriod(state, instant, rules);
  if (period !== state.reached) enterPeriod(state, period);
  const place = rules.placeOfMetric[metric] ?? -1;
  if (place >= 0) state.progress[place] = add(state.progress[place] ?? 0, value);
  const isOpen = state.streak === null || period > state.streak.lastPeriod;
  const isMet = isOpen && areMet(state, rules);
  if (out.reasons !== null) explainConditions(state, period, !isOpen || isMet, rules, out);
  if (isMet) extend(state, period, instant, rules, out);
}

/** First day of the instant's period on the user's clock, but never of a period before one already reached. */
export function currentPeriod({ zone, reached }: StreaksState, at: Instant, rules: StreakRules): Day {
  const today = periodStart(dayAt(at, zone), rules.period);
  return reached !== null && reached > today ? reached : today;
}

/** Begins a new period with all sums at 0. */
function enterPeriod(state: StreaksState, period: Day | null): void {
  state.reached = period;
  state.progress.fill(undefined);
  state.otherProgress = NO_PROGRESS;
}

function areMet({ progress }: StreaksState, { mode, conditions }: StreakRules): boolean {
  const isMet = ({ place, threshold }: { place: number; threshold: Exact }) => (progress[place] ?? 0) >= threshold;
  return mode === 'all' ? conditions.every(isMet) : conditions.some(isMet);
}

function explainConditions(
  state: StreaksState,
  period: Day,
  periodMet: boolean,
  rules: StreakRules,
  out: Emitter,
): void {
  for (const { place, threshold } of rules.conditions) {
    const progress = state.progress[place] ?? 0;
    const metric = rules.metrics[place] as string;
    out.reasons?.conditionChecked({ period, metric, progress, threshold, periodMet });
  }
}

function lapse(state: StreaksState, resumed: Day): void {
  if (state.streak === null) return;
  const { length, startedOn, lastPeriod } = state.streak;
  state.lapses = remembered(state.lapses, { length, startedOn, lastPeriod, resumed });
}

function extend(
  state: StreaksState,
  period: Day,
  instant: Instant,
  { period: rule, isNotified }: StreakRules,
  out: Emitter,
): void {
  const { zone } = state;
  const alive = livingStreak(state, instant);
  // A sweep may already have emitted the end of a streak that a late import still finds alive.
  if (alive?.ended === true) out.emit({ type: 'StreakRevived', length: alive.length });
  if (alive !== null) skipPeriods(alive, period, rule, out);
  else lapse(state, period);
  const length = (alive?.length ?? 0) + 1;
  // After travelling west, the user's day may be before the period already reached.
  const startedOn = alive?.startedOn ?? Math.max(dayAt(instant, zone), period);
  const met = { length, startedOn, lastPeriod: period, zoneAtMet: zone, extendedAt: instant, ended: false };
  const streak = withEnd(met, zone, rule);
  state.streak = streak;
  const told = isNotified ? { after: afterwards(state, streak, instant) } : {};
  out.emit(
    length === 1
      ? { type: 'StreakStarted', length, period, ...told }
      : { type: 'StreakExtended', length, period, ...told },
  );
}

const afterwards = ({ zone, freezes, createdAt }: StreaksState, streak: Streak, instant: Instant): StreakAfter => ({
  startedOn: streak.startedOn,
  expiresOn: lastDay(streak, zone),
  held: freezesShown(freezes, createdAt, instant),
});
