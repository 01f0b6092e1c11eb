import {
  add,
  exactOf,
  formatMillionths,
  multiplesReached,
  multiply,
  parseMillionths,
  subtract,
  type Exact,
} from '@laurel/amounts';
import { dayAt, type Instant, type Zone } from '@laurel/calendar';
import type {
  Configuration,
  MetricReported,
  Occasion,
  PointsSystemDefinition,
  PointsTrigger,
  Sink,
  TriggerFired,
  UserRules,
} from '@laurel/contracts';
import { cutToRoom } from './due/room.ts';
import { countTicks, spansOf, type Span } from './due/schedule.ts';
import { tallyOf } from './due/tally.ts';
import { firstDue, timeAwards, type Debt, type TimeAward } from './due/time-awards.ts';

/** What the next event of a user needs to know of their points (specification, section 6). */
export interface PointsState {
  /** null until the first event of the user. */
  createdAt: Instant | null;
  /** The user's clock as of the last event: due time awards are placed by it. */
  zone: Zone;
  /** Position of the last event applied. */
  position: number;
  /** By the system's place in the plan; undefined until the first event under a version that holds the system. */
  readonly systems: (SystemState | undefined)[];
  /** By the place of a metric trigger in the plan; undefined: it has counted nothing yet. */
  readonly sums: (MetricSum | undefined)[];
  /** Systems that the plan's version does not hold, as they are stored: one that comes back goes on where it was. */
  readonly others: readonly StoredSystem[];
}

/** Immutable: replaced when it changes. */
interface SystemState {
  readonly total: Exact;
  /** Up to here, inclusive, due time awards were given. Per system: one that was out of the configuration still owes what fell due before. */
  readonly settledTo: Instant;
  /** Sums of triggers that the version does not hold, as they are stored. */
  readonly otherSums: readonly StoredSum[];
}

interface MetricSum {
  readonly sum: Exact;
  /** The highest that the sum has been, at least 0. */
  readonly high: Exact;
}

/** Triggers by what fires them. Within each list: by system, then configuration order, which is the order of recording. */
export interface PointsPlan {
  readonly systems: readonly SystemPlan[];
  readonly systemByKey: ReadonlyMap<string, number>;
  readonly onCreation: readonly Trigger[];
  /** By the metric's place. */
  readonly onMetric: readonly (readonly MetricTrigger[])[];
  readonly onStreak: readonly StreakTrigger[];
  readonly onAchievement: readonly AchievementTrigger[];
  readonly metricTriggers: readonly MetricTrigger[];
  readonly sumByTrigger: ReadonlyMap<string, number>;
  /** Places of the systems with time triggers, in force or not. */
  readonly timed: readonly number[];
}

interface SystemPlan {
  readonly key: string;
  /** null: no cap. */
  readonly maxPoints: Exact | null;
  /** Ascending. */
  readonly levels: readonly { readonly key: string; readonly points: Exact }[];
  readonly spans: readonly Span[];
}

interface Trigger {
  readonly type: Exclude<PointsTrigger['type'], 'time'>;
  readonly id: string;
  /** The system's place. */
  readonly system: number;
  readonly points: Exact;
}

type MetricTrigger = Trigger & { readonly place: number; readonly threshold: Exact };
type StreakTrigger = Trigger & { readonly length: number };
type AchievementTrigger = Trigger & { readonly achievement: string };

/** Points: due time awards first, then what the event itself causes. */
export const pointsRules: UserRules<PointsState, PointsPlan> = {
  compile,
  initial: (plan) => ({
    createdAt: null,
    zone: 'UTC',
    position: 0,
    systems: plan.systems.map(() => undefined),
    sums: plan.metricTriggers.map(() => undefined),
    others: [],
  }),
  clone: (state) => ({ ...state, systems: state.systems.slice(), sums: state.sums.slice() }),
  apply,
  dueAt,
  settleBound,
  owed: (state, plan, upTo) =>
    state.createdAt === null
      ? 0
      : plan.timed.reduce((awards, system) => awards + tallyOf(debtOf(state, system, plan, upTo)).awards, 0),
  encode,
  decode,
};

function apply(state: PointsState, occasion: Occasion, plan: PointsPlan, sink: Sink): void {
  const { user, cause, position } = occasion;
  state.createdAt ??= user.createdAt;
  settle(state, occasion, plan, sink);
  openSystems(state, plan);
  const before = plan.systems.length === 0 ? NO_TOTALS : totalsOf(state, plan);
  const created = sink.effects.some(({ type }) => type === 'UserCreated');
  if (created) for (const trigger of plan.onCreation) fire(state, trigger, 1, occasion, plan, sink);
  if (cause.type === 'MetricReported') countMetric(state, cause, occasion, plan, sink);
  fireOnStreak(state, occasion, plan, sink);
  fireOnAchievements(state, occasion, plan, sink);
  announceLevels(before, state, false, plan, sink);
  state.zone = user.zone;
  state.position = position;
}

const NO_TOTALS: readonly Exact[] = [];

const totalsOf = (state: PointsState, plan: PointsPlan): readonly Exact[] =>
  plan.systems.map((_, system) => totalOf(state, system));

export const totalOf = ({ systems }: PointsState, system: number): Exact => systems[system]?.total ?? 0;

/** Every system of the version has begun once the user's first event under it is applied. */
function openSystems(state: PointsState, { systems }: PointsPlan): void {
  for (let system = 0; system < systems.length; system++) state.systems[system] ??= newSystem(state);
}

const newSystem = ({ createdAt }: PointsState): SystemState => ({ total: 0, settledTo: createdAt ?? 0, otherSums: [] });

/** What a system of a user owes up to an instant. */
export function debtOf(state: PointsState, system: number, plan: PointsPlan, upTo: Instant): Debt {
  const { total, settledTo } = state.systems[system] ?? newSystem(state);
  const { spans } = plan.systems[system] as SystemPlan;
  return { createdAt: state.createdAt ?? 0, spans, window: { after: settledTo, upTo }, total };
}

/**
 * Gives what is due up to the event, inclusive, in every system: by instant, then configuration order. An instant before the last
 * settlement (a late import) settles nothing.
 *
 * An event of the user's own settles up to its instant, also what was cut to nothing. A sweep settles a system only up to the last
 * award that it gives: so whether anybody was swept, and for the sake of which system, makes no difference to what a late import finds.
 */
function settle(state: PointsState, occasion: Occasion, plan: PointsPlan, sink: Sink): void {
  if (plan.timed.length === 0) return;
  const before = totalsOf(state, plan);
  const due: (TimeAward & { readonly system: number })[] = [];
  for (const system of plan.timed) {
    const debt = debtOf(state, system, plan, occasion.occurredAt);
    if (debt.window.upTo <= debt.window.after) continue;
    const awards = firstDue(debt) === null ? [] : [...timeAwards(debt)];
    settleSystem(state, system, awards.at(-1), occasion);
    for (const award of awards) due.push({ ...award, system });
  }
  if (due.length === 0) return;
  due.sort((a, b) => a.at - b.at);
  for (const award of due) give(award, occasion, plan, sink);
  announceLevels(before, state, true, plan, sink);
}

function settleSystem(
  state: PointsState,
  system: number,
  last: TimeAward | undefined,
  { cause, occurredAt }: Occasion,
): void {
  const { total, settledTo, otherSums } = state.systems[system] ?? newSystem(state);
  const settled = cause.type === 'TimePassed' ? (last?.at ?? settledTo) : occurredAt;
  state.systems[system] = { total: last?.total ?? total, settledTo: settled, otherSums };
}

/** A due award is placed by the clock in force at its instant, the one before the event. */
function give(award: TimeAward & { readonly system: number }, { user }: Occasion, plan: PointsPlan, sink: Sink): void {
  const { span, at, awarded, total } = award;
  const { key } = plan.systems[award.system] as SystemPlan;
  const cutBy = cutOf(span.points, awarded);
  sink.reasons?.triggerFired({
    system: key,
    triggerId: span.triggerId,
    type: 'time',
    times: 1,
    nominal: span.points,
    awarded,
    cutBy,
  });
  const day = dayAt(at, user.previousZone);
  sink.emit({ type: 'PointsAwarded', system: key, triggerId: span.triggerId, awarded, total, at, day, due: true });
}

/** A metric trigger fires for each multiple of its threshold that the highest sum so far reaches. */
function countMetric(
  state: PointsState,
  { metric, value }: MetricReported,
  occasion: Occasion,
  plan: PointsPlan,
  sink: Sink,
) {
  for (const trigger of plan.onMetric[metric] ?? []) {
    const { sum, high } = state.sums[trigger.place] ?? NOTHING;
    const grown = add(sum, value);
    const highest = grown > high ? grown : high;
    state.sums[trigger.place] = { sum: grown, high: highest };
    const times = subtract(multiplesReached(highest, trigger.threshold), multiplesReached(high, trigger.threshold));
    if (times > 0) fire(state, trigger, times, occasion, plan, sink);
    else if (sink.reasons !== null) explainMiss(trigger, grown, highest, plan, sink);
  }
}

const NOTHING: MetricSum = { sum: 0, high: 0 };

function explainMiss(
  { system, id, threshold }: MetricTrigger,
  sum: Exact,
  high: Exact,
  plan: PointsPlan,
  sink: Sink,
): void {
  const next = multiply(add(multiplesReached(high, threshold), 1), threshold);
  const { key } = plan.systems[system] as SystemPlan;
  sink.reasons?.triggerMissed({ system: key, triggerId: id, missing: subtract(next, sum) });
}

function fireOnStreak(state: PointsState, occasion: Occasion, plan: PointsPlan, sink: Sink): void {
  if (plan.onStreak.length === 0) return;
  const extended = sink.effects.find(({ type }) => type === 'StreakStarted' || type === 'StreakExtended');
  if (extended?.type !== 'StreakStarted' && extended?.type !== 'StreakExtended') return;
  for (const trigger of plan.onStreak)
    if (extended.length % trigger.length === 0) fire(state, trigger, 1, occasion, plan, sink);
}

function fireOnAchievements(state: PointsState, occasion: Occasion, plan: PointsPlan, sink: Sink): void {
  if (plan.onAchievement.length === 0) return;
  const completed = sink.effects.filter((effect) => effect.type === 'AchievementCompleted');
  if (completed.length === 0) return;
  for (const trigger of plan.onAchievement)
    if (completed.some(({ achievement }) => achievement === trigger.achievement))
      fire(state, trigger, 1, occasion, plan, sink);
}

/** One award: times fired × points, cut to the room there is. Nothing is recorded of an award that is cut to nothing. */
function fire(
  state: PointsState,
  trigger: Trigger,
  times: Exact,
  occasion: Occasion,
  plan: PointsPlan,
  sink: Sink,
): void {
  const { key, maxPoints } = plan.systems[trigger.system] as SystemPlan;
  const before = state.systems[trigger.system] ?? newSystem(state);
  const nominal = multiply(times, trigger.points);
  const awarded = cutToRoom(nominal, before.total, maxPoints);
  const { id: triggerId, type } = trigger;
  sink.reasons?.triggerFired({ system: key, triggerId, type, times, nominal, awarded, cutBy: cutOf(nominal, awarded) });
  if (awarded === 0) return;
  const total = add(before.total, awarded);
  state.systems[trigger.system] = { total, settledTo: before.settledTo, otherSums: before.otherSums };
  const { occurredAt: at, user } = occasion;
  sink.emit({ type: 'PointsAwarded', system: key, triggerId, awarded, total, at, day: user.day, due: false });
}

function cutOf(nominal: Exact, awarded: Exact): TriggerFired['cutBy'] {
  if (nominal === awarded) return null;
  return nominal > 0 ? 'cap' : 'zero';
}

function announceLevels(
  before: readonly Exact[],
  state: PointsState,
  due: boolean,
  plan: PointsPlan,
  sink: Sink,
): void {
  for (let place = 0; place < plan.systems.length; place++) {
    const total = totalOf(state, place);
    if (total === before[place]) continue;
    const { key, levels } = plan.systems[place] as SystemPlan;
    const [from, to] = [levelAt(levels, before[place] as Exact), levelAt(levels, total)];
    if (from !== to) sink.emit({ type: 'LevelChanged', system: key, from, to, due });
  }
}

/** The key of the highest level whose points are reached by `total`; null below all of them. */
export function levelAt(levels: SystemPlan['levels'], total: Exact): string | null {
  let reached: string | null = null;
  for (const { key, points } of levels) {
    if (points > total) break;
    reached = key;
  }
  return reached;
}

/** The first instant at which a time award falls due that is not recorded yet; null: none, unless a total changes. */
function dueAt(state: PointsState, plan: PointsPlan): Instant | null {
  let first: Instant | null = null;
  if (state.createdAt === null) return first;
  for (const system of plan.timed) {
    const due = firstDue(debtOf(state, system, plan, Number.MAX_SAFE_INTEGER));
    if (due !== null && (first === null || due < first)) first = due;
  }
  return first;
}

/**
 * How far a user may be settled at once so that not more than `atMost` time awards are given: `upTo`, or an earlier instant behind
 * which more are due. Always far enough for the first award, so that settling piece by piece comes to an end.
 */
function settleBound(state: PointsState, plan: PointsPlan, upTo: Instant, atMost: number): Instant {
  if (state.createdAt === null) return upTo;
  const debts = plan.timed.map((system) => debtOf(state, system, plan, upTo));
  const ticks = debts.flatMap(({ spans, createdAt, window }) =>
    spans.map((span) => countTicks(span, createdAt, window)),
  );
  if (ticks.reduce((sum, count) => sum + count, 0) <= atMost) return upTo;
  const due = debts.flatMap((debt) => firstInstants(timeAwards(debt), atMost + 1)).sort((a, b) => a - b);
  const [first, beyond] = [due[0], due[atMost]];
  return first === undefined || beyond === undefined ? upTo : Math.max(beyond - 1, first);
}

function firstInstants(awards: Iterable<TimeAward>, limit: number): Instant[] {
  const instants: Instant[] = [];
  for (const { at } of awards) {
    instants.push(at);
    if (instants.length === limit) break;
  }
  return instants;
}

function compile({ pointsSystems, metrics }: Configuration): PointsPlan {
  const systems = pointsSystems.map(systemPlan);
  const onMetric = new Map(metrics.map(({ key }) => [key, [] as MetricTrigger[]]));
  const metricTriggers: MetricTrigger[] = [];
  const onCreation: Trigger[] = [];
  const onStreak: StreakTrigger[] = [];
  const onAchievement: AchievementTrigger[] = [];
  for (const [system, { triggers }] of pointsSystems.entries())
    for (const trigger of triggers) {
      const common = { type: trigger.type, id: trigger.id, system, points: exactOf(trigger.points) };
      switch (trigger.type) {
        case 'user_creation':
          onCreation.push({ ...common, type: trigger.type });
          break;
        case 'metric': {
          const place = metricTriggers.length;
          const compiled = { ...common, type: trigger.type, place, threshold: exactOf(trigger.threshold) };
          metricTriggers.push(compiled);
          onMetric.get(trigger.metric.key)?.push(compiled);
          break;
        }
        case 'streak':
          onStreak.push({ ...common, type: trigger.type, length: trigger.length });
          break;
        case 'achievement':
          onAchievement.push({ ...common, type: trigger.type, achievement: trigger.achievement.key });
          break;
        case 'time':
          // Its spans are those of the system: one that was removed still owes what fell due before.
          break;
        default:
          throw new Error(`an unknown points trigger: ${JSON.stringify(trigger satisfies never)}`);
      }
    }
  return {
    systems,
    systemByKey: new Map(systems.map(({ key }, place) => [key, place])),
    onCreation,
    onMetric: [...onMetric.values()],
    onStreak,
    onAchievement,
    metricTriggers,
    sumByTrigger: new Map(metricTriggers.map(({ id }, place) => [id, place])),
    timed: systems.flatMap(({ spans }, place) => (spans.length > 0 ? [place] : [])),
  };
}

const systemPlan = (definition: PointsSystemDefinition): SystemPlan => ({
  key: definition.key,
  maxPoints: definition.maxPoints === null ? null : exactOf(definition.maxPoints),
  levels: definition.levels.map(({ key, points }) => ({ key, points: exactOf(points) })),
  spans: spansOf(definition),
});

/** Form 1. Arrays, not objects: a key may be `__proto__`, and the state is rewritten with every event. */
interface StoredPoints {
  readonly v: 1;
  readonly createdAt: Instant;
  readonly zone: Zone;
  readonly position: number;
  readonly systems: readonly StoredSystem[];
}

type StoredSystem = readonly [key: string, total: string, settledTo: Instant, sums: readonly StoredSum[]];
/** Without `high` it is equal to `sum`, as it always is unless a value was negative. */
type StoredSum = readonly [triggerId: string, sum: string, high?: string];

function encode(state: PointsState, plan: PointsPlan): StoredPoints | null {
  const { createdAt, zone, position, others } = state;
  if (createdAt === null) return null;
  const known = state.systems.flatMap((system, place) =>
    system === undefined ? [] : [encodeSystem(state, system, place, plan)],
  );
  return { v: 1, createdAt, zone, position, systems: [...known, ...others] };
}

function encodeSystem(
  state: PointsState,
  { total, settledTo, otherSums }: SystemState,
  place: number,
  plan: PointsPlan,
): StoredSystem {
  const known = plan.metricTriggers
    .filter(({ system }) => system === place)
    .flatMap((trigger) => encodeSum(state, trigger));
  return [(plan.systems[place] as SystemPlan).key, String(total), settledTo, [...known, ...otherSums]];
}

function encodeSum({ sums }: PointsState, { id, place }: MetricTrigger): readonly StoredSum[] {
  const counted = sums[place];
  if (counted === undefined) return [];
  const { sum, high } = counted;
  return [high === sum ? [id, formatMillionths(sum)] : [id, formatMillionths(sum), formatMillionths(high)]];
}

/** Reads what {@link encode} wrote. @throws RangeError for a form that this release does not know. */
function decode(json: unknown, plan: PointsPlan): PointsState {
  const state = pointsRules.initial(plan);
  if (json === null || json === undefined) return state;
  const { v, createdAt, zone, position, systems } = json as StoredPoints;
  if (v !== 1) throw new RangeError(`points state of an unknown form: ${JSON.stringify(v)}`);
  const others = systems.filter((stored) => !decodeSystem(state, stored, plan));
  return { ...state, createdAt, zone, position, others };
}

/** @returns false if the version does not hold the system */
function decodeSystem(state: PointsState, [key, total, settledTo, sums]: StoredSystem, plan: PointsPlan): boolean {
  const place = plan.systemByKey.get(key);
  if (place === undefined) return false;
  const otherSums = sums.filter((stored) => !decodeSum(state, stored, plan));
  state.systems[place] = { total: exactOf(BigInt(total)), settledTo, otherSums };
  return true;
}

function decodeSum({ sums }: PointsState, [triggerId, sum, high]: StoredSum, plan: PointsPlan): boolean {
  const place = plan.sumByTrigger.get(triggerId);
  if (place === undefined) return false;
  sums[place] = { sum: parseMillionths(sum), high: parseMillionths(high ?? sum) };
  return true;
}
