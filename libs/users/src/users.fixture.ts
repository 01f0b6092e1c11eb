import { type Amount, parseAmount } from '@laurel/amounts';
import type { Zone } from '@laurel/calendar';
import type { ChainMessage, Configuration, Row, UsersSection } from '@laurel/contracts';
import type { UserState } from './rules/user-state.ts';
import { usersArea } from './users-area.ts';

export const ACCOUNT = 'default';
/** A legal user id and a legal key. */
export const PROTO = '__proto__';

/** One record of a user: a metric event, or else what it says it is. */
export interface Happening {
  readonly at: string;
  readonly account?: string;
  readonly user?: string;
  readonly metric?: string;
  /** A decimal, for a metric event. */
  readonly value?: string;
  readonly tz?: Zone | null;
  readonly attributes?: ReadonlyMap<string, string | null>;
  readonly attributeLimit?: number;
  readonly swept?: boolean;
}

export interface Lives {
  /** By user id, whatever the account. */
  readonly states: ReadonlyMap<string, UserState>;
  readonly sections: readonly UsersSection[];
  /** Rows by table, of each record in turn. */
  readonly rows: readonly ReadonlyMap<string, readonly Row[]>[];
}

/** Folds records in the order in which they were recorded; each state goes through JSON on its way to the next. */
export function live(happenings: readonly Happening[]): Lives {
  const states = new Map<string, UserState>();
  const sections: UsersSection[] = [];
  const rows: ReadonlyMap<string, readonly Row[]>[] = [];
  happenings.forEach((happening, index) => {
    const message = messageOf(happening, index + 1);
    const { userId } = message.record.fact;
    const projected = usersArea.project(states.get(userId) ?? usersArea.initial(), message, {} as Configuration);
    states.set(userId, usersArea.decode(JSON.parse(JSON.stringify(usersArea.encode(projected.state)))));
    sections.push(projected.section);
    rows.push(projected.rows);
  });
  return { states, sections, rows };
}

export function messageOf(happening: Happening, position: number): ChainMessage {
  const at = Date.parse(happening.at);
  return {
    record: {
      eventId: `00000000-0000-7000-8000-${String(position).padStart(12, '0')}`,
      account: happening.account ?? ACCOUNT,
      configurationVersion: 1,
      occurredAt: at,
      recordedAt: at,
      position,
      fact: factOf(happening),
    },
  };
}

function factOf({
  user: userId = PROTO,
  metric = PROTO,
  value,
  swept,
  ...said
}: Happening): ChainMessage['record']['fact'] {
  const { tz, attributes, attributeLimit } = said;
  const user = {
    ...(tz !== undefined && { tz }),
    ...(attributes !== undefined && { attributes }),
    ...(attributeLimit !== undefined && { attributeLimit }),
  };
  if (swept) return { type: 'UserSwept', userId, place: 0 };
  if (value === undefined) return { type: 'UserIdentified', userId, user };
  return {
    type: 'MetricEventRecorded',
    userId,
    metric,
    value: amount(value),
    user,
    attributes: new Map(),
    idempotencyKey: null,
    imported: false,
  };
}

export const amount = (text: string): Amount => parseAmount(text);
