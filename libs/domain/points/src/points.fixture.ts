import { type Amount, amountFromNumber } from '@laurel/amounts';
import { dayAt, type Instant, type Zone } from '@laurel/calendar';
import {
  namesWith,
  NO_NAMES,
  type BoostDefinition,
  type StateUnderPlan,
  type ChainMessage,
  type Configuration,
  type ConfiguredNames,
  type ConfigurationHistory,
  type Effect,
  type LevelsBy,
  type PointsCap,
  type PointsLevel,
  type PointsAnswer,
  type PointsSystemDefinition,
  type PointsTrigger,
  type Row,
  type TimeTrigger,
  type TimeTriggerValidity,
  type Subject,
} from '@laurel/kernel';
import { EFFECTS_TABLE } from '@laurel/ports';
import { appliedBefore, applyMessage } from '@laurel/kernel/fixtures';
import { v5 } from 'uuid';
import { pointsArea } from './points-area.ts';
import type { PointsPlan } from './rules/points-plan.ts';
import { totalOf } from './rules/points-by-system.ts';
import { pointsRules } from './rules/points.ts';
import type { PointsState } from './rules/points-state.ts';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
export const ACCOUNT = 'default';
export const USER = 7;

export const amount = (value: number): Amount => amountFromNumber(value)!;
export const at = (text: string): Instant => Date.parse(text);

const idOf = (name: string): string => v5(name, '6ba7b810-9dad-11d1-80b4-00c04fd430c8');
const metric = (key: string) => ({ id: idOf(`metric ${key}`), key, name: key });
const common = (name: string, points: number) => ({
  id: idOf(name),
  points: BigInt(points),
  publishedAt: 0,
  activeFrom: null,
  activeUntil: null,
  where: null,
});

type Trigger<Type extends PointsTrigger['type']> = Extract<PointsTrigger, { type: Type }>;

export const onCreation = (points: number, name = 'creation'): PointsTrigger => ({
  ...common(name, points),
  type: 'user_creation',
});
export const onMetric = (
  key: string,
  threshold: number,
  points: number,
  name = `${key} ${threshold}`,
): Trigger<'metric'> => ({
  ...common(name, points),
  type: 'metric',
  metric: metric(key),
  threshold: amount(threshold),
  cap: null,
});
export const onStreak = (length: number, points: number): PointsTrigger => ({
  ...common(`streak ${length}`, points),
  type: 'streak',
  length,
  cap: null,
});
export const onAchievement = (key: string, points: number): PointsTrigger => ({
  ...common(`achievement ${key}`, points),
  type: 'achievement',
  achievement: { id: idOf(key), key, name: key },
  cap: null,
});
export const every = (
  interval: number,
  unit: 'hour' | 'day',
  points: number,
  name = `every ${interval} ${unit} ${points}`,
): TimeTrigger => ({
  ...common(name, points),
  type: 'time',
  unit,
  interval,
});

export const level = (key: string, points: number): PointsLevel => ({
  id: idOf(key),
  key,
  name: key,
  description: null,
  badgeUrl: null,
  points: BigInt(points),
});

/** A boost of one key; by default it doubles all awards. */
export const boost = (key: string, fields: Partial<BoostDefinition> = {}): BoostDefinition => ({
  ...{ id: idOf(`boost ${key}`), key, name: key, multiplier: 200, rounding: 'down', start: 0, end: null },
  where: null,
  ...fields,
});

interface SystemFields {
  readonly maxPoints?: number;
  readonly caps?: readonly PointsCap[];
  readonly levels?: readonly PointsLevel[];
  /** Default: the total. */
  readonly levelsBy?: LevelsBy;
  readonly boosts?: readonly BoostDefinition[];
  /** Default: each time trigger is in force from the beginning. */
  readonly validityPeriods?: readonly TimeTriggerValidity[];
}

export function pointsSystem(
  key: string,
  triggers: readonly PointsTrigger[],
  fields: SystemFields = {},
): PointsSystemDefinition {
  const maxPoints = fields.maxPoints === undefined ? null : BigInt(fields.maxPoints);
  return {
    id: idOf(`system ${key}`),
    key,
    name: key,
    description: null,
    badgeUrl: null,
    maxPoints,
    caps: fields.caps ?? [],
    triggers,
    levels: fields.levels ?? [],
    levelsBy: fields.levelsBy ?? 'total',
    boosts: fields.boosts ?? [],
    removedBoosts: [],
    validityPeriods:
      fields.validityPeriods ??
      triggers.flatMap((trigger) => (trigger.type === 'time' ? [span(trigger, maxPoints)] : [])),
  };
}

export function span(
  trigger: TimeTrigger,
  maxPoints: bigint | null = null,
  from: Instant = -Infinity,
  until: Instant = Infinity,
): TimeTriggerValidity {
  return { trigger, maxPoints, from, until };
}

/** A validity period may belong to a trigger that only an earlier version had; its names are included. */
const namesOf = (systems: readonly PointsSystemDefinition[], before: ConfiguredNames) =>
  namesWith(before, {
    metrics: metricsOf(systems),
    achievements: [],
    leaderboards: [],
    pointsSystems: systems.map((system) => ({
      ...system,
      triggers: [...system.validityPeriods.map(({ trigger }) => trigger), ...system.triggers],
    })),
  });

/** @param before the names of earlier versions */
export function configuration(
  systems: readonly PointsSystemDefinition[],
  version = 1,
  before = NO_NAMES,
): Configuration {
  const metrics = metricsOf(systems);
  return {
    account: ACCOUNT,
    version,
    metrics,
    metricByKey: new Map(metrics.map((each) => [each.key, each])),
    streak: null,
    weekStart: 'monday',
    achievements: [],
    achievementByKey: new Map(),
    pointsSystems: systems,
    pointsSystemByKey: new Map(systems.map((system) => [system.key, system])),
    leaderboards: [],
    leaderboardByKey: new Map(),
    names: namesOf(systems, before),
  };
}

const REPORTED = ['commits', 'merges', 'undo', 'words'].map(metric);

/** The metrics that events report and triggers name. */
function metricsOf(systems: readonly PointsSystemDefinition[]): Configuration['metrics'] {
  const triggers = systems.flatMap((system) => system.triggers);
  const named = triggers.flatMap((trigger) => (trigger.type === 'metric' ? [trigger.metric] : []));
  return [...new Map([...REPORTED, ...named].map((each) => [each.key, each])).values()];
}

export function historyOf(current: Configuration): ConfigurationHistory {
  return { account: ACCOUNT, current, at: () => current, findTrigger: () => null };
}

/** One record of a user, with the effects of the areas before points. */
export interface StoryEvent {
  readonly at: Instant;
  /** Key and value of a metric event. Without it, the user is identified or swept. */
  readonly metric?: readonly [key: string, value: number];
  readonly swept?: boolean;
  readonly zone?: Zone;
  readonly extendedTo?: number;
  readonly completed?: readonly string[];
  readonly under?: Configuration;
  readonly eventId?: string;
}

export interface Life {
  readonly state: StateUnderPlan<PointsState, PointsPlan>;
  readonly sections: readonly PointsAnswer[];
  /** Rows of `effects`. */
  readonly rows: readonly Row[];
  /** Rows of points_months. */
  readonly months: readonly Row[];
  /** Rows of points_levels. */
  readonly levels: readonly Row[];
}

interface Circumstances {
  readonly created: boolean;
  readonly createdAt: Instant;
  readonly zone: Zone;
  readonly previousZone: Zone;
  readonly position: number;
  readonly subject: Subject;
}

/**
 * Folds a user's records; the first one creates the user. After each record, the state is encoded and decoded again.
 */
export function live(
  standard: Configuration,
  happenings: readonly StoryEvent[],
  subject = USER,
  firstPosition = 1,
): Life {
  let state = pointsArea.initial();
  let previousZone: Zone = 'UTC';
  const sections: PointsAnswer[] = [];
  const rows: Row[] = [];
  const months: Row[] = [];
  const levels: Row[] = [];
  happenings.forEach((happening, index) => {
    const zone = happening.zone ?? previousZone;
    const createdAt = happenings[0]!.at;
    const position = firstPosition + index;
    const message = messageOf(happening, { created: index === 0, createdAt, zone, previousZone, position, subject });
    const before = JSON.stringify(pointsArea.encode(state));
    const projected = applyMessage(pointsArea, state, message, happening.under ?? standard);
    expect(JSON.stringify(pointsArea.encode(state))).toBe(before);
    const stored: unknown = JSON.parse(JSON.stringify(pointsArea.encode(projected.state)));
    expect(pointsArea.encode(pointsArea.decode(stored))).toEqual(stored);
    const { plan } = projected.state;
    state = { state: pointsRules.decode(stored, plan), plan };
    expect(state).toEqual(projected.state);
    sections.push(projected.answerPart);
    rows.push(...(projected.rows.get(EFFECTS_TABLE) ?? []));
    months.push(...(projected.rows.get('points_months') ?? []));
    levels.push(...(projected.rows.get('points_levels') ?? []));
    previousZone = zone;
  });
  return { state, sections, rows, months, levels };
}

export function messageOf(happening: StoryEvent, circumstances: Circumstances): ChainMessage {
  const { position, subject, created, ...clock } = circumstances;
  const record = {
    eventId: happening.eventId ?? idOf(`${subject} ${position}`),
    account: ACCOUNT,
    configurationVersion: 1,
    occurredAt: happening.at,
    recordedAt: happening.at,
    position,
    fact: eventOf(happening, subject),
  };
  const user = { ...clock, day: dayAt(happening.at, clock.zone), total: null };
  return appliedBefore('points', record, user, effectsBefore(happening, created, user.day));
}

function effectsBefore({ at: when, extendedTo, completed = [] }: StoryEvent, created: boolean, day: number): Effect[] {
  const effects: Effect[] = created ? [{ type: 'UserCreated', at: when }] : [];
  if (extendedTo === 1) effects.push({ type: 'StreakStarted', at: when, length: 1, period: day });
  else if (extendedTo !== undefined)
    effects.push({ type: 'StreakExtended', at: when, length: extendedTo, period: day });
  for (const achievement of completed) effects.push({ type: 'AchievementCompleted', achievement, at: when });
  return effects;
}

function eventOf(happening: StoryEvent, subject: Subject): ChainMessage['record']['fact'] {
  if (happening.swept) return { type: 'UserSwept', subject, place: 0 };
  if (!happening.metric) return { type: 'UserIdentified', subject, user: {} };
  const [key, value] = happening.metric;
  return {
    type: 'MetricEventRecorded',
    subject,
    metric: key,
    value: amount(value),
    user: {},
    attributes: new Map(),
    keyHash: null,
    imported: false,
  };
}

/** All awards of a life in order of recording. */
export function awardsOf(life: Life) {
  return life.sections.flatMap((answerPart) => answerPart.awards);
}

/** The state of a life under a configuration. */
export function stateUnder(configured: Configuration, { state }: Life): StateUnderPlan<PointsState, PointsPlan> {
  const plan = pointsRules.compile(configured);
  return { state: pointsRules.decode(pointsArea.encode(state), plan), plan };
}

/** Totals by system. Systems that the user has not used are missing. */
export function totalsOf(configured: Configuration, life: Life): ReadonlyMap<string, bigint> {
  const { state, plan } = stateUnder(configured, life);
  return new Map(
    plan.systems.flatMap(({ key }, place) =>
      state.systems[place] === undefined ? [] : [[key, BigInt(totalOf(state, place))] as const],
    ),
  );
}
