import { exactOf } from '@laurel/amounts';
import { parseDay } from '@laurel/calendar';
import type { Configuration } from '../configuration.ts';
import type { ChainMessage, StreakChange, StreaksSection, StreakView, UsersSection } from '../message.ts';
import type { Effect } from './effects.ts';
import type { Cause, Occasion, UserOnOccasion } from './occasion.ts';
import { perConfiguration } from './per-configuration.ts';

/** A message as the occasion that it carries. What the users area has not said yet is filled in by it. */
export function occasionOf({ record, users }: ChainMessage, configuration: Configuration): Occasion {
  const { account, position, eventId, occurredAt, fact } = record;
  const user = users === undefined ? nobody() : userOf(users);
  return { account, subject: fact.subject, position, eventId, occurredAt, cause: causeOf(fact, configuration), user };
}

function causeOf(fact: ChainMessage['record']['fact'], configuration: Configuration): Cause {
  switch (fact.type) {
    case 'MetricEventRecorded': {
      const metric = metricPlaces(configuration).get(fact.metric);
      if (metric === undefined) throw new Error(`version ${configuration.version} has no metric "${fact.metric}"`);
      return { type: 'MetricReported', metric, value: exactOf(fact.value), fields: fact.user };
    }
    case 'UserIdentified':
      return { type: 'ProfileReported', fields: fact.user };
    case 'AchievementCompletedByCall':
      return { type: 'CompletionReported', achievement: fact.achievement, fields: fact.user };
    case 'UserSwept':
      return { type: 'TimePassed', place: fact.place };
  }
}

const metricPlaces = perConfiguration(({ metrics }) => new Map(metrics.map(({ key }, place) => [key, place])));

const nobody = (): UserOnOccasion => ({ createdAt: 0, zone: 'UTC', previousZone: 'UTC', day: 0, total: null });

const userOf = ({ createdAt, zone, previousZone, date, total }: UsersSection): UserOnOccasion => ({
  createdAt,
  zone,
  previousZone,
  day: parseDay(date),
  total: total === null ? null : exactOf(total),
});

/** The effects that the sections of a message stand for, in the order of the areas: as far as later areas read them. */
export function effectsOf(message: ChainMessage): readonly Effect[] {
  const { users, streaks, achievements, points } = message;
  const effects: Effect[] = [];
  if (users !== undefined) addUserEffects(effects, message, users);
  if (streaks !== undefined) addStreakEffects(effects, streaks);
  for (const { key, achievedAt } of achievements?.completed ?? [])
    effects.push({ type: 'AchievementCompleted', achievement: key, at: achievedAt });
  for (const { system, triggerId, awarded, total, at, date, due } of points?.awards ?? []) {
    const amounts = { awarded: exactOf(awarded), total: exactOf(total) };
    effects.push({ type: 'PointsAwarded', system, triggerId, ...amounts, at, day: parseDay(date), due });
  }
  return effects;
}

function addUserEffects(effects: Effect[], { record }: ChainMessage, { created, date, total }: UsersSection): void {
  const { fact, occurredAt: at } = record;
  if (created) effects.push({ type: 'UserCreated', at });
  if (fact.type !== 'MetricEventRecorded' || fact.value === 0n || total === null) return;
  const amounts = { change: exactOf(fact.value), total: exactOf(total) };
  effects.push({ type: 'MetricTotalChanged', metric: fact.metric, ...amounts, day: parseDay(date) });
}

/**
 * The last change of a message that extended the streak is the extension; a length before it was revived. An end has its instant alone:
 * no later area reads its length or generation.
 */
function addStreakEffects(effects: Effect[], { extended, streak, changes }: StreaksSection): void {
  for (const [index, { at, length }] of changes.entries()) {
    const extension = extended && index === changes.length - 1;
    if (length === 0) effects.push({ type: 'StreakEnded', at, length, generation: 0 });
    else if (!extension) effects.push({ type: 'StreakRevived', at, length });
    else effects.push(extensionOf({ at, length }, streak));
  }
}

function extensionOf({ at, length }: StreakChange, { periodStart }: StreakView): Effect {
  const period = periodStart === null ? 0 : parseDay(periodStart);
  return length === 1 ? { type: 'StreakStarted', at, length, period } : { type: 'StreakExtended', at, length, period };
}
