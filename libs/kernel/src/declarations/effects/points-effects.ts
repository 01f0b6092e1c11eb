import type { Boost } from '../../boost.ts';
import { effect } from './effect-kind.ts';

export const POINTS_EFFECTS = {
  PointsAwarded: effect({
    fields: {
      /** A trigger of the configuration, or a built-in one. */
      triggerId: 'trigger',
      system: 'system of trigger',
      /** Points given, or taken if negative, after the cut to the remaining room; never 0. */
      awarded: 'points',
      /** The user's total after it. */
      total: 'points',
      at: 'due instant',
      /** The day of `at` on the user's clock then in force. */
      day: 'day of at',
      /** True for a time award that fell due at or before the event, false for an award of the event itself. */
      due: 'fell due',
      /** The boosts that multiplied it, in their order. */
      boosts: 'boosts?',
    },
    stored: [null, 'triggerId', 'awarded', 'total', 'day?', 'at', 'boosts'],
    stability: 'final',
    words: ({ triggerId, system, awarded, total, boosts }, names) =>
      `${awarded} ${names.system(system)} ${names.award({ triggerId, awarded })}${boosts === undefined ? '' : ` with ${namesOf(boosts)}`}, now ${total}`,
  }),
  /** A request for points was accepted. What it moved is an award, if it moved anything. */
  RequestAccepted: effect({
    fields: {
      system: 'system',
      /** The points that were decided. */
      amount: 'points',
    },
    stored: ['accepted', 'system', 'amount'],
    stability: 'reversible',
    words: ({ system, amount }, names) => `${amount} ${names.system(system)} accepted`,
  }),
  RequestRefused: effect({
    fields: {
      system: 'system',
      /** The user's total, or what was left of the spend. */
      available: 'points',
    },
    stored: ['refused', 'system', 'available'],
    stability: 'reversible',
    words: ({ system, available }, names) => `refused: ${available} ${names.system(system)} available`,
  }),
  /** The user was given a boost. */
  BoostGiven: effect({
    fields: {
      system: 'system',
      boost: 'boost',
      at: 'event instant',
    },
    stored: ['boost', 'system', 'boost'],
    stability: 'reversible',
    words: ({ system, boost }, names) => `${boost.name} for ${names.system(system)}`,
  }),
  /** A boost that the user was given has ended. */
  BoostEnded: effect({
    fields: {
      system: 'system',
      boost: 'boost',
      at: 'due instant',
      due: 'fell due',
    },
    stored: ['ended', 'system', 'boost', 'at'],
    // A correction may take the grant back.
    stability: 'reversible',
    words: ({ system, boost }, names) => `${boost.name} for ${names.system(system)} ended`,
  }),
  LevelChanged: effect({
    fields: {
      system: 'system',
      from: 'level',
      to: 'level',
      /** True if due time awards changed it, false if the event itself did. */
      due: 'boolean',
    },
    stored: ['level', 'system', 'from', 'to', 'due?'],
    // Specification, section 9.16: a user is on the level after their last record, and one record may hold many due awards.
    stability: 'observed',
    words: ({ system, from, to }, names) => {
      const name = names.levelsOf(system);
      const now = to === null ? `below all levels of ${name}` : `level ${names.level(system, to)} of ${name}`;
      return from === null ? now : `${now}, was ${names.level(system, from)}`;
    },
  }),
};

const namesOf = (boosts: readonly Boost[]): string => boosts.map(({ name }) => name).join(' and ');
