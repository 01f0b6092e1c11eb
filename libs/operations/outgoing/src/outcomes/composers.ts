import type { OutcomeType } from '@laurel/kernel';
import { achievementCompleted } from './achievements.ts';
import { configurationPublished, endpointDisabled, importFinished } from './account.ts';
import type { Composer } from './composer.ts';
import { leaderboardChanged, rankChanged, rankLost } from './leaderboards.ts';
import { boostFinished, boostStarted } from './boosts.ts';
import { levelChanged, pointsChanged, pointsSpent } from './points.ts';
import { reactivationDue, recapDue, streakAtRisk } from './reminders.ts';
import { runChanged } from './runs.ts';
import { freezeConsumed, freezeEarned, periodMet, streakLost } from './streaks.ts';
import { userCorrected, userCreated, userErased } from './users.ts';

/** The composer of each type, in the order in which the outcomes of one event are sent. */
export const COMPOSERS: { readonly [Type in OutcomeType]: Composer<Type> } = {
  'user.created': userCreated,
  'streak.at_risk': streakAtRisk,
  'emails.streak_reminder_due': streakAtRisk,
  'emails.recap_due': recapDue,
  'emails.reactivation_due': reactivationDue,
  'streak.lost': streakLost,
  'streak.freeze_consumed': freezeConsumed,
  'streak.freeze_earned': freezeEarned,
  'streak.started': periodMet('StreakStarted'),
  'streak.extended': periodMet('StreakExtended'),
  'achievement.completed': achievementCompleted,
  'emails.achievement_due': achievementCompleted,
  'points.changed': pointsChanged,
  'points.level_changed': levelChanged,
  'points.spent': pointsSpent,
  'points.boost_started': boostStarted,
  'points.boost_finished': boostFinished,
  'leaderboard.rank_changed': rankChanged,
  'leaderboard.rank_lost': rankLost,
  'leaderboard.changed': leaderboardChanged,
  'user.corrected': userCorrected,
  'user.erased': userErased,
  'leaderboard.started': runChanged,
  'leaderboard.finished': runChanged,
  'configuration.published': configurationPublished,
  'import.finished': importFinished,
  'endpoint.disabled': endpointDisabled,
};
