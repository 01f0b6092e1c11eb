import { acceptsAndRefuses } from './document-fields.test-data.ts';

const TYPES =
  'expected one of achievement.completed, emails.achievement_due, streak.started, streak.extended, streak.lost, streak.freeze_consumed, streak.freeze_earned, streak.at_risk, emails.streak_reminder_due, emails.recap_due, emails.reactivation_due, points.changed, points.level_changed, points.spent, points.boost_started, points.boost_finished, leaderboard.started, leaderboard.finished, leaderboard.rank_changed, leaderboard.rank_lost, leaderboard.changed, user.created, user.corrected, user.erased, configuration.published, import.finished, endpoint.disabled';

acceptsAndRefuses('the outgoing settings of a document', {
  accepted: [
    ['all types', { outgoing: 'outgoing: { events: all }' }],
    ['some types', { outgoing: 'outgoing: { events: [streak.lost, user.created], keep: 12h }' }],
    ['the shortest time to keep outcomes', { outgoing: 'outgoing: { events: all, keep: 1h }' }],
    ['a time of day', { outgoing: 'outgoing: { events: [streak.at_risk], atRisk: { at: 09:30 } }' }],
    ['announcements of the first hundred ranks', { outgoing: 'outgoing: { events: all, announceTop: 100 }' }],
    [
      'a recap and reactivation messages',
      { outgoing: 'outgoing: { events: all, recap: { day: sunday, at: "08:00" }, reactivation: { days: [1, 5] } }' },
    ],
    [
      'points.changed for some systems and triggers',
      {
        outgoing:
          'outgoing: { events: [streak.lost, { type: points.changed, triggers: [metric, grant] }, { type: points.changed, pointsSystems: [xp] }] }',
      },
    ],
    ['the longest time to keep outcomes', { outgoing: 'outgoing: { events: all, keep: 90d }' }],
  ],
  refused: [
    ['settings without events', { outgoing: 'outgoing: «{}' }, 'outgoing.events', 'missing: expected'],
    ['an empty list of events', { outgoing: 'outgoing: { events: «[] }' }, 'outgoing.events', 'at least 1'],
    [
      'an unknown type',
      { outgoing: 'outgoing: { events: [streak.lost, «streak.at_rest] }' },
      'outgoing.events[1]',
      TYPES,
    ],
    [
      'a narrowed entry of another type than points.changed',
      { outgoing: 'outgoing: { events: [{ type: «streak.lost, triggers: [metric] }] }' },
      'outgoing.events[0].type',
      'expected points.changed, found "streak.lost"',
    ],
    [
      'a misspelled field of an entry',
      { outgoing: 'outgoing: { events: [{ type: points.changed, «pointSystems: [xp] }] }' },
      'outgoing.events[0].pointSystems',
      'unknown field "pointSystems" (did you mean \'pointsSystems\'?)',
    ],
    [
      'an unknown points system in an entry',
      { outgoing: 'outgoing: { events: [{ type: points.changed, pointsSystems: [«xq] }] }' },
      'outgoing.events[0].pointsSystems[0]',
      'expected a key from points, found "xq"',
    ],
    [
      'an unknown type of trigger in an entry',
      { outgoing: 'outgoing: { events: [{ type: points.changed, triggers: [«day] }] }' },
      'outgoing.events[0].triggers[0]',
      'expected one of metric, streak, achievement, user_creation, time, grant, correction',
    ],
    [
      'an entry with an empty list of triggers',
      { outgoing: 'outgoing: { events: [{ type: points.changed, triggers: «[] }] }' },
      'outgoing.events[0].triggers',
      'at least 1',
    ],
    [
      'points.changed both whole and narrowed',
      { outgoing: 'outgoing: { events: [points.changed, «{ type: points.changed, triggers: [metric] }] }' },
      'outgoing.events[1]',
      'expected no narrowed points.changed beside the whole type at outgoing.events[0]',
    ],
    [
      'the same entry twice',
      {
        outgoing:
          'outgoing: { events: [{ type: points.changed, triggers: [time, metric] }, «{ type: points.changed, triggers: [metric, time] }] }',
      },
      'outgoing.events[1]',
      'expected an entry that differs from outgoing.events[0]',
    ],
    [
      'a type of trigger twice in an entry',
      { outgoing: 'outgoing: { events: [{ type: points.changed, triggers: [metric, «metric] }] }' },
      'outgoing.events[0].triggers[1]',
      'expected each type only once',
    ],
    ['a word other than all', { outgoing: 'outgoing: { events: «every }' }, 'outgoing.events', 'expected'],
    [
      'a type twice',
      { outgoing: 'outgoing: { events: [streak.lost, «streak.lost] }' },
      'outgoing.events[1]',
      'expected each type only once',
    ],
    [
      'a time to keep outcomes without a unit',
      { outgoing: 'outgoing: { events: all, keep: «7 }' },
      'outgoing.keep',
      'expected text, found 7',
    ],
    [
      'too short a time to keep outcomes',
      { outgoing: 'outgoing: { events: all, keep: «0h }' },
      'outgoing.keep',
      'expected a time from 1h to 90d',
    ],
    [
      'too long a time to keep outcomes',
      { outgoing: 'outgoing: { events: all, keep: «91d }' },
      'outgoing.keep',
      'expected a time from 1h to 90d',
    ],
    [
      'an invalid time of day',
      { outgoing: 'outgoing: { events: all, atRisk: { at: «"24:00" } }' },
      'outgoing.atRisk.at',
      'expected a time from 00:00 to 23:59, such as 18:00, found "24:00"',
    ],
    [
      'a time of day without the leading zero',
      { outgoing: 'outgoing: { events: all, atRisk: { at: «9:00 } }' },
      'outgoing.atRisk.at',
      'expected a time from 00:00 to 23:59',
    ],
    [
      'atRisk without a time of day',
      { outgoing: 'outgoing: { events: all, atRisk: «{} }' },
      'outgoing.atRisk.at',
      'missing: expected',
    ],
    [
      'an invalid day of the week',
      { outgoing: 'outgoing: { events: all, recap: { day: «Monday, at: "09:00" } }' },
      'outgoing.recap.day',
      'expected one of monday',
    ],
    [
      'reactivation days that do not ascend',
      { outgoing: 'outgoing: { events: all, reactivation: { days: [3, 7, «7] } }' },
      'outgoing.reactivation.days[2]',
      'expected more than the previous number, which is 7, found 7',
    ],
    [
      'reactivation without days',
      { outgoing: 'outgoing: { events: all, reactivation: { days: «[] } }' },
      'outgoing.reactivation.days',
      'at least 1',
    ],
    [
      'announcements of 0 ranks',
      { outgoing: 'outgoing: { events: all, announceTop: «0 }' },
      'outgoing.announceTop',
      'at least 1',
    ],
    [
      'announcements of more than 100 ranks',
      { outgoing: 'outgoing: { events: all, announceTop: «101 }' },
      'outgoing.announceTop',
      'at most 100',
    ],
    [
      'an unknown field',
      { outgoing: 'outgoing: { events: all, «quiet: { from: "22:00" } }' },
      'outgoing.quiet',
      'unknown field',
    ],
  ],
});
