import { add, formatMillionths, parseMillionths, type Exact } from '@laurel/amounts';
import { instantOnDay, weekdayOf, type Day, type Instant, type Zone } from '@laurel/calendar';
import {
  LATEST_REMINDER_MS,
  type Occasion,
  type OutgoingDefinition,
  type ReactivationDue,
  type RecapDue,
} from '@laurel/kernel';
import type { UsersPlan } from './users-plan.ts';

const DAY_MS = 86_400_000;
const WEEK = 7;

/** A term is null if it is not configured. */
export type ReminderTerms = Pick<OutgoingDefinition, 'recap' | 'reactivation'>;

export const NO_REMINDERS: ReminderTerms = { recap: null, reactivation: null };

/** The state of a user's reminders. */
export interface UserReminders {
  /** The latest instant of the user's metric events. */
  readonly lastEventAt: Instant;
  /** The number of reactivation messages that have become due since `lastEventAt`. */
  readonly messages: number;
  /** The day of the latest recap that fell due, or null if none did. */
  readonly recapped: Day | null;
  /** Future recaps, by day: at most two, because the day of a recap already counts for the next one. */
  readonly recaps: readonly Recap[];
}

interface Recap {
  readonly on: Day;
  /** Totals of the seven days before the recap, sorted by key. */
  readonly totals: readonly (readonly [metric: string, total: Exact])[];
}

/** Receives the reminders that fall due. */
export interface Reminding {
  ofWeek(recap: Omit<RecapDue, 'type'>): void;
  ofAbsence(message: Omit<ReactivationDue, 'type'>): void;
}

export const asksForReminders = ({ recap, reactivation }: ReminderTerms): boolean =>
  recap !== null || reactivation !== null;

/** When the next reminder falls due, or null if none will. */
export function nextReminderAt(reminders: UserReminders | null, zone: Zone, terms: ReminderTerms): Instant | null {
  if (reminders === null) return null;
  const [recap] = reminders.recaps;
  const recapAt =
    recap === undefined || terms.recap === null ? null : instantOnDay(recap.on, terms.recap.minutes, zone);
  const messageAt = nextMessageAt(reminders, terms);
  return recapAt === null || messageAt === null ? (recapAt ?? messageAt) : Math.min(recapAt, messageAt);
}

function nextMessageAt({ lastEventAt, messages }: UserReminders, { reactivation }: ReminderTerms): Instant | null {
  const days = reactivation?.[messages];
  return days === undefined ? null : lastEventAt + days * DAY_MS;
}

/** The state after the event. Emits each reminder that fell due up to the event once, unless it is too late. */
export function remind(
  before: UserReminders | null,
  occasion: Occasion,
  plan: UsersPlan,
  reminding: Reminding,
): UserReminders | null {
  const { reported, occurredAt, user } = occasion;
  const terms = plan.reminders;
  if (before === null && reported === null) return null;
  const known = before ?? { lastEventAt: occurredAt, messages: 0, recapped: null, recaps: [] };
  const instant = Math.max(known.lastEventAt, occurredAt);
  const isLatest = reported !== null && occurredAt >= known.lastEventAt;
  const counted =
    reported === null
      ? known
      : counting(known, reported.value, plan.metrics[reported.metric] as string, user.day, terms);
  const settled = settleRecaps(counted, instant, user.zone, terms, reminding);
  return isLatest
    ? { ...settled, lastEventAt: occurredAt, messages: 0 }
    : settleMessages(settled, instant, terms, reminding);
}

/** Counts the event for the next recap after its day. */
function counting(
  reminders: UserReminders,
  value: Exact,
  metric: string,
  day: Day,
  { recap: terms }: ReminderTerms,
): UserReminders {
  if (terms === null) return reminders;
  const { recapped, recaps } = reminders;
  const on = day + 1 + ((terms.weekday - weekdayOf(day + 1) + WEEK) % WEEK);
  if (recapped !== null && on <= recapped) return reminders;
  const totals = new Map(recaps.find((recap) => recap.on === on)?.totals);
  totals.set(metric, add(totals.get(metric) ?? 0, value));
  const recap = { on, totals: [...totals].sort(([one], [other]) => (one < other ? -1 : 1)) };
  const others = recaps.filter((other) => other.on !== on);
  return { ...reminders, recaps: [...others, recap].sort((one, other) => one.on - other.on).slice(-2) };
}

function settleRecaps(
  reminders: UserReminders,
  instant: Instant,
  zone: Zone,
  { recap: terms }: ReminderTerms,
  reminding: Reminding,
): UserReminders {
  if (terms === null) return reminders.recaps.length === 0 ? reminders : { ...reminders, recaps: [] };
  let { recaps, recapped } = reminders;
  for (let [recap] = recaps; recap !== undefined; [recap] = recaps) {
    const at = instantOnDay(recap.on, terms.minutes, zone);
    if (at > instant) break;
    [recaps, recapped] = [recaps.slice(1), recap.on];
    if (instant - at > LATEST_REMINDER_MS) continue;
    const totals = recap.totals.map(([metric, total]) => ({ metric, total }));
    reminding.ofWeek({ at, periodStart: recap.on - WEEK, periodEnd: recap.on - 1, totals });
  }
  return recapped === reminders.recapped ? reminders : { ...reminders, recaps, recapped };
}

function settleMessages(
  reminders: UserReminders,
  instant: Instant,
  terms: ReminderTerms,
  reminding: Reminding,
): UserReminders {
  let settled = reminders;
  for (let at = nextMessageAt(settled, terms); at !== null && at <= instant; at = nextMessageAt(settled, terms)) {
    const days = (at - settled.lastEventAt) / DAY_MS;
    settled = { ...settled, messages: settled.messages + 1 };
    if (instant - at <= LATEST_REMINDER_MS) reminding.ofAbsence({ at, message: settled.messages, days });
  }
  return settled;
}

/** Days since 1970, totals as decimals. A missing field means 0, null or empty. */
export interface StoredReminders {
  readonly last: Instant;
  readonly messages?: number;
  readonly recapped?: Day;
  readonly recaps?: readonly (readonly [on: Day, totals: readonly (readonly [string, string])[]])[];
}

export const encodeReminders = ({ lastEventAt, messages, recapped, recaps }: UserReminders): StoredReminders => ({
  last: lastEventAt,
  ...(messages > 0 && { messages }),
  ...(recapped !== null && { recapped }),
  ...(recaps.length > 0 && {
    recaps: recaps.map(({ on, totals }) => [on, totals.map(([metric, total]) => [metric, formatMillionths(total)])]),
  }),
});

export const decodeReminders = ({ last, messages = 0, recapped, recaps = [] }: StoredReminders): UserReminders => ({
  lastEventAt: last,
  messages,
  recapped: recapped ?? null,
  recaps: recaps.map(([on, totals]) => ({
    on,
    totals: totals.map(([metric, total]) => [metric, parseMillionths(total)]),
  })),
});
