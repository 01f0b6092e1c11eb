import { exactOf } from '@laurel/amounts';
import type { Configuration } from './configuration.ts';
import type { ChainMessage, RecordedUserEvent } from './message.ts';
import type { Cause, Occasion, UserOnOccasion } from './occasion.ts';
import { perConfiguration } from './per-configuration.ts';

/** A message as the occasion that it carries. */
export const occasionOf = (
  { record, user }: Pick<ChainMessage, 'record' | 'user'>,
  configuration: Configuration,
): Occasion => occasionOn(record, user, configuration);

/** A record as an occasion. The user on it is its own, for the users area to fill in. @param known null: that area has yet to apply it */
export function occasionOn(
  record: RecordedUserEvent,
  known: ChainMessage['user'],
  configuration: Configuration,
): Occasion {
  const { account, position, eventId, occurredAt, recordedAt, fact } = record;
  return {
    account,
    subject: fact.subject,
    position,
    eventId,
    occurredAt,
    recordedAt,
    cause: causeOf(fact, configuration),
    user: known === null ? nobody() : { ...known },
  };
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
    case 'GrantRecorded':
      return { type: 'GrantReceived', grant: fact.grant };
    case 'CorrectionRecorded':
      throw new Error('a correction is no occasion of its areas: it needs a fold of its user');
    case 'UserErased':
      return { type: 'ErasureAsked', boards: fact.boards };
    case 'UserSwept':
      return { type: 'TimePassed', place: fact.place };
  }
}

const metricPlaces = perConfiguration(({ metrics }) => new Map(metrics.map(({ key }, place) => [key, place])));

const nobody = (): UserOnOccasion => ({ createdAt: 0, zone: 'UTC', previousZone: 'UTC', day: 0, total: null });
