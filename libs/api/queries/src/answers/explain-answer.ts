import { formatInstant, localTime, type Instant } from '@laurel/calendar';
import {
  isPointsRequest,
  levelOf,
  type ConfigurationHistory,
  type PointsSystemDefinition,
  type Subject,
  type RecordedUserEvent,
} from '@laurel/kernel';
import type {
  ExplainedAward,
  ExplainedEvent,
  ExplainedPoints,
  ExplainedPointsOfEvent,
  ExplainedStreak,
  ZoneChange,
} from '@laurel/ports';
import {
  boostAnswer,
  jsonAmount,
  jsonInteger,
  namePointsSystem,
  standingAnswer,
  type CausingEvent,
  type ExplainedAwardAnswer,
  type ExplainedEventAnswer,
  type ExplainedPointsAnswer,
  type ExplainedPointsOfEventAnswer,
  type ExplainedStreakAnswer,
  triggerAnswerAt,
} from '@laurel/schemas';
import { correctedAnswer } from './correction-answer.ts';
import { effectAnswer } from './effect-answer.ts';
import { eventWords, namedAt } from './event-words.ts';
import { requestAnswer } from './request-answer.ts';

export function explainedPointsAnswer(
  system: PointsSystemDefinition,
  { recorded, due, earned, folded, preparing, entries }: ExplainedPoints,
  next: string | null,
  history: Pick<ConfigurationHistory, 'findTrigger'>,
): ExplainedPointsAnswer {
  const { key, levelsBy } = system;
  const standing = { total: recorded + due, earned };
  return {
    ...namePointsSystem(key),
    ...standingAnswer(levelsBy, standing),
    ...(levelsBy === 'earned' && { levelsBy, level: levelOf(system, standing)?.key ?? null }),
    recorded: jsonInteger(recorded),
    due: jsonInteger(due),
    complete: folded,
    preparing,
    entries: entries.map((entry) => awardEntry(entry, history)),
    next,
  };
}

export function explainedPointsOfEventAnswer(
  system: string,
  { record, folded, preparing, fired, missed }: ExplainedPointsOfEvent,
  history: Pick<ConfigurationHistory, 'findTrigger'>,
): ExplainedPointsOfEventAnswer {
  return {
    ...namePointsSystem(system),
    event: causingEvent(record),
    version: record.configurationVersion,
    complete: folded,
    preparing,
    change: jsonInteger(fired.reduce((sum, { change }) => sum + change, 0n)),
    fired: fired.map((entry) => awardEntry(entry, history)),
    missed:
      missed?.map((one) => {
        const shown = { trigger: knownTrigger(one.triggerId, record.occurredAt, history) };
        if (one.type === 'passed_over') return { ...shown, why: one.why, missing: one.missing };
        return { ...shown, why: one.type, missing: jsonAmount(BigInt(one.missing)) };
      }) ?? null,
  };
}

function awardEntry(entry: ExplainedAward, history: Pick<ConfigurationHistory, 'findTrigger'>): ExplainedAwardAnswer {
  const { record, triggerId, type, at, date, zone, times, nominal, boosted, change, cutBy, total } = entry;
  return {
    at: formatInstant(at),
    date,
    zone,
    event: causingEvent(record),
    type,
    trigger: knownTrigger(triggerId, at, history),
    times: times === null ? null : jsonInteger(times),
    nominal: nominal === null ? null : jsonInteger(nominal),
    ...(boosted && {
      boosts: boosted.boosts.map((boost) => boostAnswer(boost, at)),
      boosted: boosted.points === null ? null : jsonInteger(boosted.points),
    }),
    change: jsonInteger(change),
    cutBy,
    total: jsonInteger(total),
    version: record.configurationVersion,
  };
}

/** The trigger as of an instant, even if it was removed later, or null if a grant or a correction gave the points. */
export function knownTrigger(triggerId: string, at: Instant, history: Pick<ConfigurationHistory, 'findTrigger'>) {
  const trigger = history.findTrigger(triggerId);
  return trigger === null ? null : triggerAnswerAt(trigger, at);
}

export function causingEvent({ eventId, recordedAt, fact }: RecordedUserEvent): CausingEvent {
  return {
    id: eventId,
    type: fact.type === 'UserSwept' ? 'UsersSwept' : fact.type,
    ...(fact.type === 'MetricEventRecorded' && { metric: fact.metric, value: jsonAmount(fact.value) }),
    ...((fact.type === 'GrantRecorded' || fact.type === 'CorrectionRecorded') && {
      by: fact.by ?? null,
      reason: fact.reason ?? null,
    }),
    ...(isPointsRequest(fact) && { reason: fact.reason ?? null }),
    ...(fact.type === 'SpendRequested' && fact.reference !== undefined && { reference: fact.reference }),
    recordedAt: formatInstant(recordedAt),
  };
}

/** @param ids of all users whom the event concerns */
export function explainedEventAnswer(
  { record, corrected, users, caused }: ExplainedEvent,
  next: string | null,
  ids: ReadonlyMap<Subject, string>,
  history: ConfigurationHistory,
): ExplainedEventAnswer {
  const { eventId: id, fact, occurredAt, recordedAt, position, configurationVersion: version } = record;
  const metric = fact.type === 'MetricEventRecorded' ? fact : null;
  const named = namedAt(history, version);
  return {
    id,
    type: fact.type,
    words: eventWords(fact, named),
    at: formatInstant(occurredAt),
    recordedAt: formatInstant(recordedAt),
    position,
    version,
    userId: 'subject' in fact ? (ids.get(fact.subject) ?? null) : null,
    metric: metric?.metric ?? null,
    value: metric === null ? null : jsonAmount(metric.value),
    ...(isPointsRequest(fact) && { request: requestAnswer(fact), reason: fact.reason ?? null }),
    corrected: correctedAnswer(record, corrected),
    users,
    caused: caused.map(({ subject, effects, pointsLeftOut, runsLeftOut }) => ({
      userId: ids.get(subject) ?? null,
      effects: effects.map((effect) => effectAnswer(effect, named)),
      pointsLeftOut,
      runsLeftOut,
    })),
    next,
  };
}

export function explainedStreakAnswer(
  length: number,
  { folded, preparing, periods, ends }: ExplainedStreak,
  zoneChanges: readonly ZoneChange[],
): ExplainedStreakAnswer {
  return {
    length,
    complete: folded,
    preparing,
    periods: periods.map(({ start, end, status, length: reached, at, eventId, conditions }) => ({
      periodStart: start,
      periodEnd: end,
      status,
      length: reached,
      at: at === null ? null : formatInstant(at),
      eventId,
      conditions:
        conditions?.map(({ metric, progress, threshold }) => ({
          metric,
          progress: jsonAmount(BigInt(progress)),
          threshold: jsonAmount(BigInt(threshold)),
        })) ?? null,
    })),
    ends:
      ends?.map(({ at, ...ended }) => ({ at: formatInstant(at), localTime: localTime(at, ended.zone), ...ended })) ??
      null,
    zoneChanges: zoneChanges.map(({ at, ...zone }) => ({
      at: formatInstant(at),
      localTime: localTime(at, zone.to),
      ...zone,
    })),
  };
}
