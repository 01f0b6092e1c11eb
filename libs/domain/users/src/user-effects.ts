import { formatMillionths, parseMillionths, type Exact } from '@laurel/amounts';
import { dayAt, type Day, type Instant, type Zone } from '@laurel/calendar';
import type { ConfiguredNames, Effect, MetricTotalChanged, Occasion, RecapDue, UserEffect } from '@laurel/kernel';

/**
 * The column `users` of an event's row: a list, in the order in which it happened, of
 *
 * | element                   | stands for                                                                                  |
 * | ------------------------- | ------------------------------------------------------------------------------------------- |
 * | `["created"]`             | the user was created, at the event's instant                                                |
 * | `["erased"]`              | the user was erased                                                                         |
 * | `["zone", from, to]`      | the user's clock changed                                                                    |
 * | `["active"]`              | the user became active on the event's day; a second element: as `ahead`                     |
 * | `[metric, change, total]` | a metric's total changed on the event's day; a fourth element, `ahead`: the day is so many days ahead of that in UTC |
 * | `["recap", ends, later, metric, total, …]` | `RecapDue`; `ends`, days from the event's day in UTC to the period's last; `later`, milliseconds from the event to the instant |
 * | `["reactivation", message, days, later]` | `ReactivationDue` |
 *
 * Metrics are numbers, see `ConfiguredNames`. Whole amounts are numbers, others decimals as text.
 */
type Element =
  | StoredChange
  | readonly ['created']
  | readonly ['erased']
  | readonly ['zone', Zone, Zone]
  | readonly ['active', number?]
  | readonly ['recap', number, number, ...StoredAmount[]]
  | readonly ['reactivation', number, number, number];
type StoredChange = readonly [metric: number, change: StoredAmount, total: StoredAmount, ahead?: number];
type StoredAmount = number | string;

type AtEvent = Pick<Occasion, 'occurredAt'>;

/** null: the event changed nothing here. Effects of other areas are left out. */
export function encodeUserEffects(
  effects: readonly Effect[],
  { occurredAt }: AtEvent,
  names: ConfiguredNames,
): string | null {
  const stored: Element[] = [];
  for (const effect of effects) {
    switch (effect.type) {
      case 'UserCreated':
        stored.push(['created']);
        break;
      case 'UserForgotten':
        stored.push(['erased']);
        break;
      case 'ZoneChanged':
        stored.push(['zone', effect.from, effect.to]);
        break;
      case 'UserBecameActive':
        stored.push(effect.day === utcDay(occurredAt) ? ACTIVE : ['active', effect.day - utcDay(occurredAt)]);
        break;
      case 'RecapDue': {
        const totals = effect.totals.flatMap(({ metric, total }) => [
          names.metrics.numberOf(metric),
          storedAmount(total),
        ]);
        stored.push(['recap', effect.periodEnd - utcDay(occurredAt), effect.at - occurredAt, ...totals]);
        break;
      }
      case 'ReactivationDue':
        stored.push(['reactivation', effect.message, effect.days, effect.at - occurredAt]);
        break;
      case 'MetricTotalChanged': {
        const { metric, change, total, day } = effect;
        const number = names.metrics.numberOf(metric);
        const ahead = day - utcDay(occurredAt);
        const [changed, after] = [storedAmount(change), storedAmount(total)];
        stored.push(ahead === 0 ? [number, changed, after] : [number, changed, after, ahead]);
        break;
      }
      default:
    }
  }
  return stored.length === 0 ? null : JSON.stringify(stored);
}

/** @throws RangeError for numbers of a version that is not known here */
export const decodeUserEffects = (
  users: string,
  { occurredAt }: AtEvent,
  names: ConfiguredNames,
): readonly UserEffect[] =>
  (JSON.parse(users) as readonly Element[]).map((element): UserEffect => {
    switch (element[0]) {
      case 'created':
        return { type: 'UserCreated', at: occurredAt };
      case 'erased':
        return { type: 'UserForgotten' };
      case 'zone':
        return { type: 'ZoneChanged', from: element[1], to: element[2] };
      case 'active':
        return { type: 'UserBecameActive', day: utcDay(occurredAt) + (element[1] ?? 0) };
      case 'recap':
        return recapIn(element, occurredAt, names);
      case 'reactivation':
        return { type: 'ReactivationDue', at: occurredAt + element[3], message: element[1], days: element[2] };
      default:
        return changeOf(element, occurredAt, names);
    }
  });

/** How the user's clock changed with an event; null: it did not, or the event created the user. */
export function zoneChangeIn(users: string): { readonly from: Zone; readonly to: Zone } | null {
  const elements = JSON.parse(users) as readonly Element[];
  const [, from, to] = elements.find((element) => element[0] === 'zone') ?? [];
  if (typeof from !== 'string' || typeof to !== 'string') return null;
  return elements.some(([kind]) => kind === 'created') ? null : { from, to };
}

function recapIn(
  [, ends, later, ...stored]: readonly ['recap', number, number, ...StoredAmount[]],
  occurredAt: Instant,
  names: ConfiguredNames,
): RecapDue {
  const periodEnd = utcDay(occurredAt) + ends;
  const totals = Array.from({ length: stored.length / 2 }, (_, place) => ({
    metric: names.metrics.nameOf(stored[2 * place] as number),
    total: amountIn(stored[2 * place + 1] as StoredAmount),
  }));
  return { type: 'RecapDue', at: occurredAt + later, periodStart: periodEnd - 6, periodEnd, totals };
}

const changeOf = (
  [metric, change, total, ahead = 0]: StoredChange,
  occurredAt: Instant,
  names: ConfiguredNames,
): MetricTotalChanged => ({
  type: 'MetricTotalChanged',
  metric: names.metrics.nameOf(metric),
  change: amountIn(change),
  total: amountIn(total),
  day: utcDay(occurredAt) + ahead,
});

function storedAmount(amount: Exact): StoredAmount {
  return typeof amount === 'number' && amount % MILLION === 0 ? amount / MILLION : formatMillionths(amount);
}

const amountIn = (stored: StoredAmount): Exact =>
  typeof stored === 'number' ? stored * MILLION || 0 : parseMillionths(stored);

const MILLION = 1_000_000;

const ACTIVE = ['active'] as const;

const utcDay = (at: Instant): Day => dayAt(at, 'UTC');
