import { formatAmount } from '@laurel/amounts';
import { formatDay } from '@laurel/calendar';
import { plural } from '../../plural.ts';
import { effect } from './effect-kind.ts';

export const USER_EFFECTS = {
  UserCreated: effect({
    fields: { at: 'event instant' },
    stored: ['created'],
    stability: 'final',
    words: () => 'new user',
  }),
  /** Nobody knows any more who the user is, and they are counted among users no more. */
  UserForgotten: effect({
    fields: {},
    stored: ['erased'],
    stability: 'final',
    words: () => 'user is counted no more',
  }),
  ZoneChanged: effect({
    fields: { from: 'zone', to: 'zone' },
    stored: ['zone', 'from', 'to'],
    stability: 'final',
    words: ({ from, to }) => `time zone ${to}, was ${from}`,
  }),
  /** The user's first metric event on a day that is later than every day of their metric events before. */
  UserBecameActive: effect({
    fields: { day: 'day' },
    stored: ['active', 'day?'],
    stability: 'final',
    words: ({ day }) => `active on ${formatDay(day)}`,
  }),
  /** Emitted for a value other than 0. */
  MetricTotalChanged: effect({
    fields: {
      metric: 'metric',
      change: 'amount',
      total: 'amount',
      /** The event's day on the user's clock. */
      day: 'day',
    },
    stored: [null, 'metric', 'change', 'total', 'day?'],
    stability: 'final',
    words: ({ metric, change, total }, names) =>
      `${formatAmount(BigInt(change))} ${names.metric(metric)}, now ${formatAmount(BigInt(total))}`,
  }),
  /** The time has come to tell the user what they did in a week. Only if the configuration names it, and within an hour of that time. */
  RecapDue: effect({
    fields: {
      at: 'instant',
      /** First day of the week, which ends with the day before the recap. */
      periodStart: { daysBefore: 'periodEnd', days: 6 },
      periodEnd: 'day',
      /** What the values of the events of these days come to, by key; a metric without an event is absent. */
      totals: 'metric totals',
    },
    stored: ['recap', 'periodEnd', 'at', 'totals'],
    // Specification, section 9.21: reminders are dropped if whoever settles them comes more than an hour late.
    stability: 'observed',
    words: ({ periodStart, periodEnd }) => `recap of ${formatDay(periodStart)} to ${formatDay(periodEnd)} due`,
  }),
  /** Nothing was reported of the user for so many days. Only if the configuration names it, and within an hour of that time. */
  ReactivationDue: effect({
    fields: {
      at: 'instant',
      /** 1: the first since the last metric event. */
      message: 'count',
      /** Days of 24 hours since that event. */
      days: 'count',
    },
    stored: ['reactivation', 'message', 'days', 'at'],
    // As `RecapDue`.
    stability: 'observed',
    words: ({ days }) => `reminder after ${plural(days, 'day')} without an event due`,
  }),
};
