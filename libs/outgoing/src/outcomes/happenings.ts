import type { OutcomeType } from '@laurel/contracts';
import { achievementCompleted, achievementDue } from './achievements.ts';
import { leaderboardChanged, rankChanged, rankLost } from './leaderboards.ts';
import type { Happening, HappeningsOf, Occurrence } from './occurrence.ts';
import { levelChanged, pointsChanged } from './points.ts';
import { reactivationDue, recapDue, streakAtRisk, streakReminderDue } from './reminders.ts';
import { freezeConsumed, freezeEarned, streakExtended, streakLost, streakStarted } from './streaks.ts';
import { userCorrected, userCreated, userErased } from './users.ts';

/** What concerns no user is not here: `outcomesOfAccount` makes it. In the order in which the outcomes of one event are sent. */
const MAKERS: readonly (readonly [OutcomeType, HappeningsOf])[] = [
  ['user.created', userCreated],
  ['streak.at_risk', streakAtRisk],
  ['emails.streak_reminder_due', streakReminderDue],
  ['emails.recap_due', recapDue],
  ['emails.reactivation_due', reactivationDue],
  ['streak.lost', streakLost],
  ['streak.freeze_consumed', freezeConsumed],
  ['streak.freeze_earned', freezeEarned],
  ['streak.started', streakStarted],
  ['streak.extended', streakExtended],
  ['achievement.completed', achievementCompleted],
  ['emails.achievement_due', achievementDue],
  ['points.changed', pointsChanged],
  ['points.level_changed', levelChanged],
  ['leaderboard.rank_changed', rankChanged],
  ['leaderboard.rank_lost', rankLost],
  ['leaderboard.changed', leaderboardChanged],
];

/** What happened to a user, of the types that are named. A correction and an erasure are one outcome, whatever they change. */
export function happeningsOf(occurrence: Occurrence, types: ReadonlySet<OutcomeType>): readonly Happening[] {
  switch (occurrence.record.fact.type) {
    case 'CorrectionRecorded':
      return userCorrected(occurrence);
    case 'UserErased':
      return userErased(occurrence);
    default:
      return MAKERS.flatMap(([type, make]) => (types.has(type) ? make(occurrence) : []));
  }
}
