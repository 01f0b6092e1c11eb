import { UNITS, type Amount } from '@laurel/amounts';
import type { Instant, LocalDate } from '@laurel/calendar';
import type {
  ChainMessage,
  MetricEventRecorded,
  PointsAward,
  StreakChange,
  UserFact,
  UserSwept,
  ViewRequest,
} from '@laurel/contracts';
import { ACCOUNT } from './configuration.ts';

const ADA = 279_199_768_985_790;

export interface Given {
  readonly position: number;
  readonly subject?: number;
  readonly at?: Instant;
  /** On the user's clock; default: the UTC date of `at`. */
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

function messageOf(fact: UserFact | UserSwept, given: Given): ChainMessage {
  const { position, at = NOON, awards = [], streakChanges = [] } = given;
  const record = {
    eventId: `event-${position}`,
    account: ACCOUNT,
    configurationVersion: 1,
    occurredAt: at,
    recordedAt: at,
    fact,
    position,
  };
  const date = given.date ?? utcDate(at);
  return {
    record,
    users: {
      created: false,
      createdAt: 0,
      zone: 'UTC',
      previousZone: 'UTC',
      date,
      total: fact.type === 'MetricEventRecorded' ? fact.value : null,
    },
    streaks: {
      extended: (streakChanges.at(-1)?.length ?? 0) > 0,
      streak: {
        length: 0,
        frequency: 'daily',
        started: null,
        periodStart: null,
        periodEnd: null,
        expires: null,
        extendedAt: null,
      },
      changes: streakChanges,
    },
    achievements: { completed: [] },
    points: { awards, systems: [] },
  };
}
