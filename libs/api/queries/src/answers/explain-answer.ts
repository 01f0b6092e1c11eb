import { formatDay, formatInstant, localTime } from '@laurel/calendar';
import type { ConfigurationHistory, Effect, Subject, UserRecord } from '@laurel/kernel';
import type {
  ExplainedAward,
  ExplainedEvent,
  ExplainedPoints,
  ExplainedPointsOfEvent,
  ExplainedStreak,
  ZoneChange,
} from '@laurel/ports';
import {
  jsonAmount,
  jsonInteger,
  namePointsSystem,
  type CausingEvent,
  type EffectAnswer,
  type ExplainedAwardAnswer,
  type ExplainedEventAnswer,
  type ExplainedPointsAnswer,
  type ExplainedPointsOfEventAnswer,
  type ExplainedStreakAnswer,
  triggerAnswer,
} from '@laurel/schemas';
import { correctedAnswer } from './correction-answer.ts';
import { effectWords, eventWords, namedAt, type Named } from './event-words.ts';

export function explainedPointsAnswer(
  system: string,
  { recorded, due, folded, preparing, entries }: ExplainedPoints,
  next: string | null,
  history: Pick<ConfigurationHistory, 'findTrigger'>,
): ExplainedPointsAnswer {
  return {
    ...namePointsSystem(system),
    total: jsonInteger(recorded + due),
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
    ...{ event: causingEvent(record), version: record.configurationVersion, complete: folded, preparing },
    change: jsonInteger(fired.reduce((sum, { change }) => sum + change, 0n)),
    fired: fired.map((entry) => awardEntry(entry, history)),
    missed:
      missed?.map((one) => {
        const shown = { trigger: knownTrigger(one.triggerId, history) };
        if (one.type === 'passed_over') return { ...shown, why: one.why, missing: one.missing };
        return { ...shown, why: one.type, missing: jsonAmount(BigInt(one.missing)) };
      }) ?? null,
  };
}

function awardEntry(entry: ExplainedAward, history: Pick<ConfigurationHistory, 'findTrigger'>): ExplainedAwardAnswer {
  const { record, triggerId, type, at, date, zone, times, nominal, change, cutBy, total } = entry;
  return {
    at: formatInstant(at),
    date,
    zone,
    event: causingEvent(record),
    type,
    trigger: knownTrigger(triggerId, history),
    times: times === null ? null : jsonInteger(times),
    nominal: nominal === null ? null : jsonInteger(nominal),
    change: jsonInteger(change),
    cutBy,
    total: jsonInteger(total),
    version: record.configurationVersion,
  };
}

/** Also one that was since removed; null: none. */
export function knownTrigger(triggerId: string, history: Pick<ConfigurationHistory, 'findTrigger'>) {
  const trigger = history.findTrigger(triggerId);
  return trigger === null ? null : triggerAnswer(trigger);
}

export function causingEvent({ eventId, recordedAt, fact }: UserRecord): CausingEvent {
  return {
    id: eventId,
    type: fact.type === 'UserSwept' ? 'UsersSwept' : fact.type,
    ...(fact.type === 'MetricEventRecorded' && { metric: fact.metric, value: jsonAmount(fact.value) }),
    ...((fact.type === 'GrantRecorded' || fact.type === 'CorrectionRecorded') && {
      by: fact.by ?? null,
      reason: fact.reason ?? null,
    }),
    recordedAt: formatInstant(recordedAt),
  };
}

/** @param ids of the users whom it names */
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
    ...{ id, type: fact.type, words: eventWords(fact, named), at: formatInstant(occurredAt) },
    ...{ recordedAt: formatInstant(recordedAt), position, version },
    userId: 'subject' in fact ? (ids.get(fact.subject) ?? null) : null,
    metric: metric?.metric ?? null,
    value: metric === null ? null : jsonAmount(metric.value),
    corrected: correctedAnswer(record, corrected),
    users,
    caused: caused.map(({ subject, effects, pointsLeftOut, runsLeftOut }) => ({
      userId: ids.get(subject) ?? null,
      effects: effects.map((effect) => effectAnswer(effect, named)),
      ...{ pointsLeftOut, runsLeftOut },
    })),
    next,
  };
}

/** Days as dates, instants as ISO, amounts as numbers; and all of it in words. */
export const effectAnswer = (effect: Effect, named: Named): EffectAnswer => ({
  ...fieldsOf(effect),
  words: effectWords(effect, named),
});

function fieldsOf(effect: Effect): Omit<EffectAnswer, 'words'> & Pick<Effect, 'type'> {
  switch (effect.type) {
    case 'UserCreated':
    case 'StreakRevived':
    case 'StreakRejoined':
    case 'AchievementCompleted':
    case 'AchievementRevoked':
      return { ...effect, at: formatInstant(effect.at) };
    case 'StreakEnded': {
      const { type, at, length, generation } = effect;
      return { type, at: formatInstant(at), length, generation };
    }
    case 'StreakStarted':
    case 'StreakExtended':
    case 'FreezeUsed': {
      const { type, at, length, period } = effect;
      return { type, at: formatInstant(at), length, period: formatDay(period) };
    }
    case 'StreakAtRisk': {
      const { type, at, period, length, expiresAt, missing } = effect;
      const amounts = missing.map(({ metric, amount }) => ({ metric, missing: jsonAmount(BigInt(amount)) }));
      const instants = { at: formatInstant(at), expiresAt: formatInstant(expiresAt) };
      return { type, ...instants, period: formatDay(period), length, missing: amounts };
    }
    case 'PeriodSkipped':
    case 'PeriodExcused':
      return { ...effect, period: formatDay(effect.period) };
    case 'FreezeEarned': {
      const { type, earned, held } = effect;
      return { type, earned, held };
    }
    case 'UserForgotten':
    case 'ZoneChanged':
    case 'FreezesGranted':
      return { ...effect };
    case 'LevelChanged':
      return { ...effect, ...namePointsSystem(effect.system) };
    case 'ReactivationDue':
      return { ...effect, at: formatInstant(effect.at) };
    case 'RecapDue': {
      const { type, at, periodStart, periodEnd, totals } = effect;
      const dates = { periodStart: formatDay(periodStart), periodEnd: formatDay(periodEnd) };
      const amounts = totals.map(({ metric, total }) => ({ metric, total: jsonAmount(BigInt(total)) }));
      return { type, at: formatInstant(at), ...dates, totals: amounts };
    }
    case 'UserBecameActive':
      return { type: effect.type, date: formatDay(effect.day) };
    case 'MetricTotalChanged': {
      const { type, metric, change, total, day } = effect;
      return {
        type,
        metric,
        change: jsonAmount(BigInt(change)),
        total: jsonAmount(BigInt(total)),
        date: formatDay(day),
      };
    }
    case 'PointsAwarded': {
      const { type, system, triggerId, awarded, total, at, day, due } = effect;
      const numbers = { awarded: jsonInteger(BigInt(awarded)), total: jsonInteger(BigInt(total)) };
      return {
        type,
        ...namePointsSystem(system),
        triggerId,
        ...numbers,
        at: formatInstant(at),
        date: formatDay(day),
        due,
      };
    }
    case 'RankChanged': {
      const { type, board, run, at, previousRank, rank, participants, value } = effect;
      const ranks = { previousRank, rank, ...(participants !== null && { participants }) };
      return { type, board, run: formatDay(run), at: formatInstant(at), ...ranks, value: jsonAmount(BigInt(value)) };
    }
  }
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
      ...{ periodStart: start, periodEnd: end, status, length: reached },
      ...{ at: at === null ? null : formatInstant(at), eventId },
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
