import { formatInstant } from '@laurel/calendar';
import type { ConfigurationHistory, Effect, Grant, RecordedUserEvent } from '@laurel/kernel';
import type { EffectsByArea, LiveEntry, TimelinePage } from '@laurel/ports';
import { jsonAmount, jsonInteger, namePointsSystem, type LiveEvent, type TimelineEvent } from '@laurel/schemas';
import { correctedAnswer, recordedCorrection } from './correction-answer.ts';
import { effectAnswer } from './effect-answer.ts';
import { eventWords, namedAt } from './event-words.ts';
import { requestAnswer } from './request-answer.ts';

export const timelineEvent = (
  { record, corrected, effects }: TimelinePage['entries'][number],
  history: ConfigurationHistory,
): TimelineEvent => ({
  ...recordedEvent(record, effects, history),
  corrected: correctedAnswer(record, corrected),
});

function recordedEvent(
  record: RecordedUserEvent,
  effects: EffectsByArea,
  history: ConfigurationHistory,
): Omit<TimelineEvent, 'corrected'> {
  const { eventId: id, fact, occurredAt, recordedAt, configurationVersion: version } = record;
  const named = namedAt(history, version);
  const answers = (some: readonly Effect[]) => some.map((effect) => effectAnswer(effect, named));
  return {
    id,
    type: fact.type === 'UserSwept' ? 'UsersSwept' : fact.type,
    words: eventWords(fact, named),
    occurredAt: formatInstant(occurredAt),
    recordedAt: formatInstant(recordedAt),
    version,
    ...contentOf(fact),
    effects: {
      users: answers(effects.users),
      streaks: answers(effects.streaks),
      achievements: answers(effects.achievements),
      points: answers(effects.points),
    },
    pointsLeftOut: effects.pointsLeftOut,
  };
}

export const liveEvent =
  (configuration: (account: string) => ConfigurationHistory) =>
  (entry: LiveEntry): LiveEvent => ({
    userId: entry.userId,
    ...recordedEvent(entry.record, entry.effects, configuration(entry.record.account)),
  });

type Content = Omit<
  TimelineEvent,
  'id' | 'type' | 'words' | 'occurredAt' | 'recordedAt' | 'version' | 'corrected' | 'effects' | 'pointsLeftOut'
>;

/** The event's own fields, without profile fields. */
function contentOf(fact: RecordedUserEvent['fact']): Content {
  switch (fact.type) {
    case 'MetricEventRecorded': {
      const { metric, value, attributes, imported } = fact;
      return { metric, value: jsonAmount(value), attributes: Object.fromEntries(attributes), imported };
    }
    case 'AchievementCompletedByCall':
      return { achievement: fact.achievement };
    case 'GrantRecorded':
      return { grant: grantAnswer(fact.grant), by: fact.by ?? null, reason: fact.reason ?? null };
    case 'SpendRequested':
    case 'RefundRequested':
      return { request: requestAnswer(fact), reason: fact.reason ?? null };
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
    case 'boost': {
      const { kind, system, name, multiplier, rounding, lasts } = grant;
      const shown = { kind, ...namePointsSystem(system), name, multiplier: multiplier / 100, rounding };
      return 'until' in lasts ? { ...shown, until: formatInstant(lasts.until) } : { ...shown, minutes: lasts.minutes };
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
