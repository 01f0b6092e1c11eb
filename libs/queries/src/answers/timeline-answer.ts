import { formatInstant } from '@laurel/calendar';
import {
  jsonAmount,
  jsonInteger,
  namePointsSystem,
  type EffectsByArea,
  type Grant,
  type LiveEntry,
  type LiveEvent,
  type TimelineEvent,
  type TimelinePage,
  type UserRecord,
} from '@laurel/contracts';
import { correctedAnswer, recordedCorrection } from './correction-answer.ts';
import { effectAnswer } from './explain-answer.ts';

export const timelineEvent = ({ record, corrected, effects }: TimelinePage['entries'][number]): TimelineEvent => ({
  ...recordedEvent(record, effects),
  corrected: correctedAnswer(record, corrected),
});

function recordedEvent(record: UserRecord, effects: EffectsByArea): Omit<TimelineEvent, 'corrected'> {
  const { eventId: id, fact, occurredAt, recordedAt, configurationVersion: version } = record;
  return {
    id,
    type: fact.type === 'UserSwept' ? 'UsersSwept' : fact.type,
    occurredAt: formatInstant(occurredAt),
    recordedAt: formatInstant(recordedAt),
    version,
    ...contentOf(fact),
    effects: {
      users: effects.users.map(effectAnswer),
      streaks: effects.streaks.map(effectAnswer),
      achievements: effects.achievements.map(effectAnswer),
      points: effects.points.map(effectAnswer),
    },
    pointsLeftOut: effects.pointsLeftOut,
  };
}

export const liveEvent = (entry: LiveEntry): LiveEvent => ({
  userId: entry.userId,
  ...recordedEvent(entry.record, entry.effects),
});

type Content = Omit<
  TimelineEvent,
  'id' | 'type' | 'occurredAt' | 'recordedAt' | 'version' | 'corrected' | 'effects' | 'pointsLeftOut'
>;

/** What the event holds, without fields of the profile. */
function contentOf(fact: UserRecord['fact']): Content {
  switch (fact.type) {
    case 'MetricEventRecorded': {
      const { metric, value, attributes, imported } = fact;
      return { metric, value: jsonAmount(value), attributes: Object.fromEntries(attributes), imported };
    }
    case 'AchievementCompletedByCall':
      return { achievement: fact.achievement };
    case 'GrantRecorded':
      return { grant: grantAnswer(fact.grant), by: fact.by ?? null, reason: fact.reason ?? null };
    case 'CorrectionRecorded':
      return { correction: recordedCorrection(fact), by: fact.by ?? null, reason: fact.reason ?? null };
    case 'UserIdentified':
    case 'UserErased':
    case 'UserSwept':
      return {};
  }
}

function grantAnswer(grant: Grant): NonNullable<TimelineEvent['grant']> {
  switch (grant.kind) {
    case 'points': {
      const { kind, system, amount, boards = true } = grant;
      return { kind, ...namePointsSystem(system), amount: jsonInteger(amount), boards };
    }
    case 'freezes':
      return { kind: grant.kind, amount: grant.amount };
    case 'streak':
      return { kind: grant.kind };
    case 'excused':
      return { kind: grant.kind, from: grant.from, to: grant.to };
    case 'achievement':
    case 'revocation':
      return { kind: grant.kind, achievement: grant.achievement };
  }
}
