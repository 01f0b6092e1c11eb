import { acceptsAndRefuses } from './document-fields.test-data.ts';

const TYPES =
  'expected one of achievement.completed, streak.started, streak.extended, streak.lost, streak.freeze_consumed, streak.freeze_earned, points.changed, points.level_changed, leaderboard.rank_changed, user.created, user.corrected, user.erased, configuration.published, import.finished';

acceptsAndRefuses('what a document makes known', {
  accepted: [
    ['all types', { outgoing: 'outgoing: { events: all }' }],
    ['some types', { outgoing: 'outgoing: { events: [streak.lost, user.created], keep: 12h }' }],
    ['the shortest time', { outgoing: 'outgoing: { events: all, keep: 1h }' }],
    ['the longest time', { outgoing: 'outgoing: { events: all, keep: 90d }' }],
  ],
  refused: [
    ['no types', { outgoing: 'outgoing: «{}' }, 'outgoing.events', 'missing: expected'],
    ['an empty list', { outgoing: 'outgoing: { events: «[] }' }, 'outgoing.events', 'at least 1'],
    [
      'an unknown type',
      { outgoing: 'outgoing: { events: [streak.lost, «streak.at_risk] }' },
      'outgoing.events[1]',
      TYPES,
    ],
    ['a word that is not all', { outgoing: 'outgoing: { events: «every }' }, 'outgoing.events', 'expected'],
    [
      'a type twice',
      { outgoing: 'outgoing: { events: [streak.lost, «streak.lost] }' },
      'outgoing.events[1]',
      'expected each type once',
    ],
    [
      'a time that is none',
      { outgoing: 'outgoing: { events: all, keep: «7 }' },
      'outgoing.keep',
      'expected text, found 7',
    ],
    [
      'too short a time',
      { outgoing: 'outgoing: { events: all, keep: «0h }' },
      'outgoing.keep',
      'expected a time from 1h to 90d',
    ],
    [
      'too long a time',
      { outgoing: 'outgoing: { events: all, keep: «91d }' },
      'outgoing.keep',
      'expected a time from 1h to 90d',
    ],
    [
      'what is not there yet',
      { outgoing: 'outgoing: { events: all, «atRisk: { at: "18:00" } }' },
      'outgoing.atRisk',
      'unknown field',
    ],
  ],
});
