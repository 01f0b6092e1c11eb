import { subjectOf } from '@laurel/ports/fixtures';
import { type Amount, parseAmount } from '@laurel/amounts';
import type { Zone } from '@laurel/calendar';
import {
  namesWith,
  newMessage,
  NO_NAMES,
  type StateUnderPlan,
  type ChainMessage,
  type Configuration,
  type Metric,
  type Row,
  type UserFields,
  type UsersAnswer,
  type Subject,
} from '@laurel/kernel';
import type { UserProfile } from '@laurel/ports';
import { applyMessage } from '@laurel/kernel/fixtures';
import type { UsersState } from './rules/users.ts';
import type { UsersPlan } from './rules/users-plan.ts';
import { profileOf } from './user-queries.ts';
import { usersArea } from './users-area.ts';

export const ACCOUNT = 'default';
/** A legal user id, and a legal key. */
export const PROTO = '__proto__';

const METRICS: readonly Metric[] = [PROTO, 'commits'].map((key) => ({ id: `id of ${key}`, key, name: key }));

export const configuration: Configuration = {
  account: ACCOUNT,
  version: 1,
  metrics: METRICS,
  metricByKey: new Map(METRICS.map((metric) => [metric.key, metric])),
  streak: null,
  weekStart: 'monday',
  achievements: [],
  achievementByKey: new Map(),
  pointsSystems: [],
  pointsSystemByKey: new Map(),
  leaderboards: [],
  leaderboardByKey: new Map(),
  names: namesWith(NO_NAMES, { metrics: METRICS, pointsSystems: [], achievements: [], leaderboards: [] }),
};

/** One record of a user: a metric event, unless another cause is given. */
export interface StoryEvent {
  readonly at: string;
  readonly account?: string;
  readonly user?: string;
  readonly metric?: string;
  /** A decimal; only for a metric event. */
  readonly value?: string;
  readonly tz?: Zone | null;
  readonly attributes?: ReadonlyMap<string, string | null>;
  readonly attributeLimit?: number;
  /** Further fields about the user. */
  readonly said?: UserFields;
  readonly swept?: boolean;
}

export interface Lives {
  /** States by user, in any account. */
  readonly states: ReadonlyMap<Subject, StateUnderPlan<UsersState, UsersPlan>>;
  /** Users as queries read them from stored rows. */
  readonly users: ReadonlyMap<Subject, UserProfile>;
  readonly sections: readonly UsersAnswer[];
  /** For each record, its rows by table. */
  readonly rows: readonly ReadonlyMap<string, readonly Row[]>[];
}

/**
 * Folds records in the order in which they were recorded. After each record, the state is encoded and decoded again.
 */
export function live(happenings: readonly StoryEvent[]): Lives {
  const states = new Map<Subject, StateUnderPlan<UsersState, UsersPlan>>();
  const users = new Map<Subject, UserProfile>();
  const sections: UsersAnswer[] = [];
  const rows: ReadonlyMap<string, readonly Row[]>[] = [];
  happenings.forEach((happening, index) => {
    const message = messageOf(happening, index + 1);
    const { subject } = message.record.fact;
    const projected = applyMessage(usersArea, states.get(subject) ?? usersArea.initial(), message, configuration);
    const stored: unknown = JSON.parse(JSON.stringify(usersArea.encode(projected.state)));
    states.set(subject, usersArea.decode(stored));
    users.set(subject, profileOf(stored));
    sections.push(projected.answerPart);
    rows.push(projected.rows);
  });
  return { states, users, sections, rows };
}

export function messageOf(happening: StoryEvent, position: number): ChainMessage {
  const at = Date.parse(happening.at);
  return newMessage({
    eventId: `00000000-0000-7000-8000-${String(position).padStart(12, '0')}`,
    account: happening.account ?? ACCOUNT,
    configurationVersion: 1,
    occurredAt: at,
    recordedAt: at,
    position,
    fact: eventOf(happening),
  });
}

function eventOf({
  user: name = PROTO,
  metric = PROTO,
  value,
  swept,
  said = {},
  ...fields
}: StoryEvent): ChainMessage['record']['fact'] {
  const { tz, attributes, attributeLimit } = fields;
  const subject = subjectOf(name);
  const user = {
    ...said,
    ...(tz !== undefined && { tz }),
    ...(attributes !== undefined && { attributes }),
    ...(attributeLimit !== undefined && { attributeLimit }),
  };
  if (swept) return { type: 'UserSwept', subject, place: 0 };
  if (value === undefined) return { type: 'UserIdentified', subject, user };
  return {
    type: 'MetricEventRecorded',
    subject,
    metric,
    value: amount(value),
    user,
    attributes: new Map(),
    keyHash: null,
    imported: false,
  };
}

export const amount = (text: string): Amount => parseAmount(text);
