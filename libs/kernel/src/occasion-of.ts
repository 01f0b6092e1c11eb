import { exactOf } from '@laurel/amounts';
import type { Configuration } from './configuration.ts';
import type { ChainMessage } from './message.ts';
import type { Cause, Occasion, UserOnOccasion } from './occasion.ts';
import { perConfiguration } from './per-configuration.ts';

/** The occasion that a message carries. Its user is a copy, for the users area to fill in. */
export function occasionOf({ record, user }: ChainMessage, configuration: Configuration): Occasion {
  const { account, position, eventId, occurredAt, recordedAt, fact } = record;
  const cause = causeOf(fact, configuration);
  return {
    account,
    subject: fact.subject,
    position,
    eventId,
    occurredAt,
    recordedAt,
    cause,
    user: user ? { ...user } : nobody(),
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
