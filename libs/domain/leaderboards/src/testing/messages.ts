import { exactOf, UNITS, type Amount } from '@laurel/amounts';
import { parseDay, type Instant, type LocalDate } from '@laurel/calendar';
import type {
  ChainMessage,
  Effect,
  MetricEventRecorded,
  PointsAward,
  StreakChange,
  UserEvent,
  UserSwept,
  ViewRequest,
} from '@laurel/kernel';
import { appliedBefore } from '@laurel/kernel/fixtures';
import { ACCOUNT } from './configuration.ts';

const ADA = 279_199_768_985_790;

export interface Given {
  readonly position: number;
  readonly subject?: number;
  readonly at?: Instant;
  /** Default: `at`. */
  readonly recordedAt?: Instant;
  /** The date on the user's clock. Default: the UTC date of `at`. */
  readonly date?: LocalDate;
  readonly awards?: readonly PointsAward[];
  readonly streakChanges?: readonly StreakChange[];
}

export const NOON: Instant = Date.parse('2026-01-10T12:00:00Z');

export const whole = (value: number): Amount => BigInt(value) * UNITS;

export function utcDate(at: Instant): LocalDate {
  return new Date(at).toISOString().slice(0, 10);
}

export function metricEvent(given: Given & { readonly value: Amount; readonly metric?: string }): ChainMessage {
  const fact: MetricEventRecorded = {
    type: 'MetricEventRecorded',
    subject: given.subject ?? ADA,
    metric: given.metric ?? 'commits',
    value: given.value,
    user: {},
    attributes: new Map(),
    keyHash: null,
    imported: false,
  };
  return messageOf(fact, given);
}

export function swept(given: Given): ChainMessage {
  return messageOf({ type: 'UserSwept', subject: given.subject ?? ADA, place: 0 }, given);
}

export function award(system: string, awarded: bigint, fields: Partial<PointsAward> = {}): PointsAward {
  const at = fields.at ?? NOON;
  return {
    id: 'an-award',
    system,
    triggerId: 'a-trigger',
    awarded,
    total: 0n,
    at,
    date: fields.date ?? utcDate(at),
    due: false,
    ...fields,
  };
}

export function viewRequest(fields: Partial<ViewRequest> = {}): ViewRequest {
  return { account: ACCOUNT, subject: ADA, at: NOON, metric: 'commits', originalDate: '2026-01-10', ...fields };
}

function messageOf(fact: UserEvent | UserSwept, given: Given): ChainMessage {
  const { position, at = NOON, recordedAt = at } = given;
  const record = {
    eventId: `event-${position}`,
    account: ACCOUNT,
    configurationVersion: 1,
    occurredAt: at,
    recordedAt,
    fact,
    position,
  };
  const day = parseDay(given.date ?? utcDate(at));
  const total = fact.type === 'MetricEventRecorded' ? exactOf(fact.value) : null;
  const user = { createdAt: 0, zone: 'UTC', previousZone: 'UTC', day, total };
  return appliedBefore('leaderboards', record, user, effectsBefore(fact, given, day));
}

function effectsBefore(fact: UserEvent | UserSwept, given: Given, day: number): readonly Effect[] {
  const { awards = [], streakChanges = [] } = given;
  const effects: Effect[] = [];
  if (fact.type === 'MetricEventRecorded' && fact.value !== 0n) {
    const value = exactOf(fact.value);
    effects.push({ type: 'MetricTotalChanged', metric: fact.metric, change: value, total: value, day });
  }
  for (const { at, length } of streakChanges)
    effects.push(
      length === 0
        ? { type: 'StreakEnded', at, length, generation: 0 }
        : { type: 'StreakExtended', at, length, period: day },
    );
  for (const { system, triggerId, awarded, total, at, date, due } of awards) {
    const amounts = { awarded: exactOf(awarded), total: exactOf(total) };
    effects.push({ type: 'PointsAwarded', system, triggerId, ...amounts, at, day: parseDay(date), due });
  }
  return effects;
}
