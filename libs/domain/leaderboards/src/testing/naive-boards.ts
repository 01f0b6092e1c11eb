import type { Amount } from '@laurel/amounts';
import { formatDay } from '@laurel/calendar';
import type { ChainMessage, Subject } from '@laurel/kernel';

export interface NaiveStanding {
  readonly subject: Subject;
  readonly value: Amount;
  readonly at: number;
  readonly position: number;
}

/**
 * The order of a metric board by the simplest algorithm: sums everything anew and sorts all users. For metric events of
 * the month `month` (such as `2026-01`), or of all time.
 */
export function naiveOrder(messages: readonly ChainMessage[], month = ''): NaiveStanding[] {
  return [...naiveStandings(messages, month).values()].filter(({ value }) => value > 0n).sort(inOrder);
}

export function naiveStandings(messages: readonly ChainMessage[], month = ''): Map<Subject, NaiveStanding> {
  const standings = new Map<Subject, NaiveStanding>();
  for (const { record, user } of messages) {
    if (record.fact.type !== 'MetricEventRecorded' || record.fact.value === 0n) continue;
    if (user === null || !formatDay(user.day).startsWith(month)) continue;
    const { subject, value } = record.fact;
    const sum = (standings.get(subject)?.value ?? 0n) + value;
    standings.set(subject, { subject, value: sum, at: record.occurredAt, position: record.position });
  }
  return standings;
}

function inOrder(a: NaiveStanding, b: NaiveStanding): number {
  if (a.value !== b.value) return a.value > b.value ? -1 : 1;
  return a.at - b.at || a.position - b.position;
}
