import { exactOf } from '@laurel/amounts';
import { parseDay, type Instant } from '@laurel/calendar';
import {
  namesWith,
  NO_NAMES,
  type AchievementDefinition,
  type AchievementsAnswer,
  type AchievementTrigger,
  type ChainMessage,
  type Configuration,
  type Effect,
  type Grant,
  type Row,
  type UserEvent,
} from '@laurel/kernel';
import { appliedBefore, applyMessage } from '@laurel/kernel/fixtures';
import { achievementsArea } from './achievements-area.ts';

export const ACCOUNT = 'default';
export const USER = 7;

const named = (key: string, trigger: AchievementTrigger): AchievementDefinition => ({
  id: `id of ${key}`,
  key,
  name: key,
  description: null,
  badgeUrl: null,
  group: null,
  tier: null,
  hidden: false,
  activeFrom: null,
  activeUntil: null,
  where: null,
  trigger,
});

const metricOf = (key: string) => ({ id: `id of ${key}`, key, name: key });
const amount = (value: number): bigint => BigInt(Math.round(value * 1e6));

export const onTotal = (key: string, metric: string, value: number) => onAmount(key, metric, amount(value));
export const onAmount = (key: string, metric: string, value: bigint) =>
  named(key, { type: 'metric', metric: metricOf(metric), value });
export const onStreak = (key: string, length: number) => named(key, { type: 'streak', length });
export const onCall = (key: string) => named(key, { type: 'api' });
export const onAll = (key: string, ...others: string[]) =>
  named(key, {
    type: 'achievement',
    achievements: others.map((other) => ({ id: `id of ${other}`, key: other, name: other })),
  });

const METRICS = ['lessons', 'words'].map(metricOf);

export function configuration(...achievements: readonly AchievementDefinition[]): Configuration {
  return {
    account: ACCOUNT,
    version: 1,
    metrics: METRICS,
    metricByKey: new Map(METRICS.map((metric) => [metric.key, metric])),
    streak: null,
    weekStart: 'monday',
    achievements,
    achievementByKey: new Map(achievements.map((achievement) => [achievement.key, achievement])),
    pointsSystems: [],
    pointsSystemByKey: new Map(),
    leaderboards: [],
    leaderboardByKey: new Map(),
    names: namesWith(NO_NAMES, { metrics: METRICS, pointsSystems: [], achievements, leaderboards: [] }),
  };
}

/** One record of a user, with the effects of the areas before achievements. */
export interface StoryEvent {
  /** Default: the next hour. */
  readonly at?: Instant;
  /** The key of a metric, and the user's total of it after the event. */
  readonly total?: readonly [metric: string, total: number];
  /**
   * The length to which the event extended the streak. `streak` alone: a streak of that length is alive again without
   * being extended.
   */
  readonly extendedTo?: number;
  readonly streak?: number;
  readonly called?: string;
  /** Given or taken back by hand. */
  readonly granted?: Grant;
  readonly swept?: boolean;
}

export interface Life {
  readonly sections: readonly AchievementsAnswer[];
  readonly rows: ReadonlyMap<string, readonly Row[]>;
}

const START = Date.UTC(2026, 2, 1);
const HOUR = 3_600_000;
const DAY = parseDay('2026-03-01');

/** Folds a user's records, each under its own configuration; the state goes through JSON on its way to the next record. */
export function live(...records: readonly (readonly [Configuration, StoryEvent])[]): Life {
  let state = achievementsArea.initial();
  const sections: AchievementsAnswer[] = [];
  const rows = new Map<string, readonly Row[]>();
  records.forEach(([under, happening], index) => {
    const before = JSON.stringify(achievementsArea.encode(state));
    const projected = applyMessage(achievementsArea, state, messageOf(happening, index), under);
    expect(JSON.stringify(achievementsArea.encode(state))).toBe(before);
    const stored = achievementsArea.encode(projected.state);
    state = achievementsArea.decode(JSON.parse(JSON.stringify(stored)));
    expect(achievementsArea.encode(state)).toEqual(stored);
    sections.push(projected.answerPart);
    for (const [table, added] of projected.rows) rows.set(table, [...(rows.get(table) ?? []), ...added]);
  });
  return { sections, rows };
}

/** Applies records under one configuration. @returns the keys that each record completed, in order. */
export const completedBy = (
  under: Configuration,
  ...happenings: readonly StoryEvent[]
): readonly (readonly string[])[] => keysOf(live(...happenings.map((happening) => [under, happening] as const)));

export const keysOf = ({ sections }: Life): readonly (readonly string[])[] =>
  sections.map(({ completed }) => completed.map(({ key }) => key));

function messageOf(happening: StoryEvent, index: number): ChainMessage {
  const { at = START + index * HOUR, total } = happening;
  const record = {
    eventId: `event ${index}`,
    account: ACCOUNT,
    configurationVersion: 1,
    occurredAt: at,
    recordedAt: START + index * HOUR,
    position: index + 1,
    fact: happening.swept ? ({ type: 'UserSwept', subject: USER, place: 0 } as const) : eventOf(happening),
  };
  const user = {
    createdAt: START,
    zone: 'UTC',
    previousZone: 'UTC',
    day: DAY,
    total: total ? exactOf(amount(total[1])) : null,
  };
  return appliedBefore('achievements', record, user, effectsBefore(happening, at, index));
}

function effectsBefore({ total, extendedTo, streak }: StoryEvent, at: Instant, index: number): readonly Effect[] {
  const effects: Effect[] = index === 0 ? [{ type: 'UserCreated', at }] : [];
  if (total) {
    const amounts = { change: exactOf(1_000_000n), total: exactOf(amount(total[1])) };
    effects.push({ type: 'MetricTotalChanged', metric: total[0], ...amounts, day: DAY });
  }
  if (streak !== undefined) effects.push({ type: 'StreakRevived', at, length: streak });
  if (extendedTo === 1) effects.push({ type: 'StreakStarted', at, length: 1, period: DAY });
  else if (extendedTo !== undefined) effects.push({ type: 'StreakExtended', at, length: extendedTo, period: DAY });
  return effects;
}

function eventOf({ total, called, granted }: StoryEvent): UserEvent {
  if (granted !== undefined) return { type: 'GrantRecorded', subject: USER, grant: granted, keyHash: null };
  if (called !== undefined) return { type: 'AchievementCompletedByCall', subject: USER, achievement: called, user: {} };
  if (total === undefined) return { type: 'UserIdentified', subject: USER, user: {} };
  const common = { subject: USER, user: {}, attributes: new Map<string, string>(), keyHash: null };
  return { type: 'MetricEventRecorded', metric: total[0], value: 1_000_000n, imported: false, ...common };
}
