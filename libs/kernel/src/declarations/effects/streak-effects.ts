import { formatInstant } from '@laurel/calendar';
import { plural } from '../../plural.ts';
import { effect } from './effect-kind.ts';

export const STREAK_EFFECTS = {
  /** The first period of a new streak was met. */
  StreakStarted: effect({
    fields: {
      at: 'instant',
      length: { is: 1 },
      /** First day of the period. */
      period: 'day',
      /** Present only if the configuration names a type of outcome that reports it. */
      after: 'streak after?',
    },
    stored: ['started', 'period?', 'at?', 'after'],
    stability: 'final',
    words: ({ length }, names) => `${names.streak(length)} started`,
  }),
  StreakExtended: effect({
    fields: {
      at: 'instant',
      length: 'count',
      /** First day of the period. */
      period: 'day',
      /** Present only if the configuration names a type of outcome that reports it. */
      after: 'streak after?',
    },
    stored: ['extended', 'length', 'period?', 'at?', 'after'],
    stability: 'final',
    words: ({ length }, names) => `${names.streak(length)}, was ${length - 1}`,
  }),
  /** An ended streak is alive again: a change of zone moved its end beyond the present, or it was restored or excused by hand. */
  StreakRevived: effect({
    fields: { at: 'instant', length: 'count' },
    stored: ['revived', 'length', 'at?'],
    stability: 'reversible',
    words: ({ length }, names) => `${names.streak(length)} alive again`,
  }),
  StreakEnded: effect({
    fields: {
      /** The instant at which it ended, at or before the event. */
      at: 'instant',
      /** The length that it had. */
      length: 'count',
      /** The generation of its definition, which a published version may have replaced. */
      generation: 'count',
      /** Present if it ended because the user was erased. */
      byErasure: 'mark?',
    },
    stored: ['ended', 'length', 'generation?', 'at?', 'byErasure'],
    stability: 'reversible',
    words: ({ length, generation, byErasure }, names) =>
      `${names.streakOf(generation, length)} ended${byErasure === true ? ' by the erasure' : ''}`,
  }),
  FreezeEarned: effect({
    fields: {
      earned: 'count',
      /** Freezes held, including these. */
      held: 'count',
      /** When the last of these was earned. Present only if the configuration names the type of outcome that reports it. */
      earnedAt: 'instant?',
    },
    stored: ['earned', 'earned', 'held?', 'earnedAt'],
    // Specification, section 4.8: one effect reports all freezes that were earned since the user was last settled.
    stability: 'observed',
    words: ({ earned, held }) => `${plural(earned, 'streak freeze')} earned, now ${held}`,
  }),
  /** Freezes were given by hand, came back because the days on which they were used were excused, or a correction changed how many are held. */
  FreezesGranted: effect({
    fields: {
      /** Negative if a correction took them. */
      granted: 'count',
      /** Freezes held, including these. */
      held: 'count',
    },
    stored: ['granted', 'granted', 'held?'],
    stability: 'reversible',
    words: ({ granted, held }) =>
      `${plural(Math.abs(granted), 'streak freeze')} ${granted < 0 ? 'taken' : 'given'}, now ${held}`,
  }),
  /** A freeze bridged a period that was not met. */
  FreezeUsed: effect({
    fields: {
      /** The instant at which the streak would have ended. */
      at: 'instant',
      period: 'day',
      length: 'count',
      /** Freezes left. Present only if the configuration names a type of outcome that reports it. */
      held: 'count?',
    },
    stored: ['used', 'length', 'period?', 'at?', 'held'],
    stability: 'reversible',
    words: ({ period }, names) => `1 streak freeze used for ${names.period(period)}`,
  }),
  /** A change of the user's clock skipped the period, or cut it short, so it counts as kept. */
  PeriodSkipped: effect({
    fields: { period: 'day', length: 'count' },
    stored: ['skipped', 'length', 'period?'],
    stability: 'reversible',
    words: ({ period }, names) => `${names.period(period)} skipped by the user’s clock`,
  }),
  /** Every date of the period was excused by hand, so it counts as kept. */
  PeriodExcused: effect({
    fields: { period: 'day', length: 'count' },
    stored: ['excused', 'length', 'period?'],
    stability: 'reversible',
    words: ({ period }, names) => `${names.period(period)} excused`,
  }),
  /** The end of a former streak was excused, and it goes on as the present one. */
  StreakRejoined: effect({
    fields: {
      at: 'instant',
      /** The length of both together. */
      length: 'count',
      /** The length of the former streak. */
      joined: 'count',
    },
    stored: ['rejoined', 'length', 'joined', 'at?'],
    stability: 'reversible',
    words: ({ length, joined }, names) => `${names.streak(length)}, joined with the ${joined} before`,
  }),
  /**
   * A reminder of a period that is not met yet is due. Emitted once for a period, if the configuration names such a type of outcome, and
   * only within an hour of its time.
   */
  StreakAtRisk: effect({
    fields: {
      /** When the reminder fell due, at or before the event. */
      at: 'instant',
      /** First day of the current period. */
      period: 'day',
      length: 'count',
      /** The user's day of the extension that began the streak. */
      startedOn: 'day',
      extendedAt: 'instant',
      /** The instant at which the streak ends, or a freeze is used. */
      expiresAt: 'instant',
      /** The last day on which the period can be met. */
      expiresOn: 'day',
      /** Freezes held. */
      held: 'count',
      /** The missing amount of each condition; 0 if it is met. In the order of the configuration. */
      missing: 'missing amounts',
    },
    stored: [
      'at risk',
      'length',
      'period?',
      'at?',
      'startedOn?',
      'extendedAt?',
      'expiresAt?',
      'expiresOn?',
      'held?',
      'missing',
    ],
    // Specification, section 9.21: reminders that are settled more than an hour late are dropped.
    stability: 'observed',
    words: ({ length, expiresAt }, names) => `${names.streak(length)} at risk until ${formatInstant(expiresAt)}`,
  }),
};
