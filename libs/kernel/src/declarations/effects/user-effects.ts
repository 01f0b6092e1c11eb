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
  /** The user was erased and no longer counts as a user. */
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
  /** The user's first metric event on a day later than all days of their earlier metric events. */
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
  /** A recap of the user's week is due. Emitted only if the configuration names it, and within an hour of its time. */
  RecapDue: effect({
    fields: {
      at: 'instant',
      /** First day of the week, which ends with the day before the recap. */
      periodStart: { daysBefore: 'periodEnd', days: 6 },
      periodEnd: 'day',
      /** The sums of the values of these days, by metric key; a metric without an event is absent. */
      totals: 'metric totals',
    },
    stored: ['recap', 'periodEnd', 'at', 'totals'],
    // Specification, section 9.21: reminders that are settled more than an hour late are dropped.
    stability: 'observed',
    words: ({ periodStart, periodEnd }) => `recap of ${formatDay(periodStart)} to ${formatDay(periodEnd)} due`,
  }),
  /** The user had no metric event for so many days. Emitted only if the configuration names it, and within an hour of its time. */
  ReactivationDue: effect({
    fields: {
      at: 'instant',
      /** 1 for the first reminder since the last metric event. */
      message: 'count',
      /** Days of 24 hours since the last metric event. */
      days: 'count',
    },
    stored: ['reactivation', 'message', 'days', 'at'],
    // For the same reason as for `RecapDue`.
    stability: 'observed',
    words: ({ days }) => `reminder after ${plural(days, 'day')} without an event due`,
  }),
};
