import { effectsOfOutcome, type Effect, type OutcomeType } from '@laurel/kernel';
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

/** The makers that look at effects of a type, as a bit mask: bit n stands for the maker at place n. */
const MAKERS_BY_EFFECT: ReadonlyMap<Effect['type'], number> = makersByEffect();

/** What happened to a user, of the types that are named. A correction and an erasure are one outcome, whatever they change. */
export function happeningsOf(occurrence: Occurrence, types: ReadonlySet<OutcomeType>): readonly Happening[] {
  switch (occurrence.record.fact.type) {
    case 'CorrectionRecorded':
      return userCorrected(occurrence);
    case 'UserErased':
      return userErased(occurrence);
    default:
      return happeningsOfEffects(occurrence, types);
  }
}

function happeningsOfEffects(occurrence: Occurrence, types: ReadonlySet<OutcomeType>): readonly Happening[] {
  let concerned = 0;
  for (const { type } of occurrence.effects) concerned |= MAKERS_BY_EFFECT.get(type) ?? 0;
  const happenings: Happening[] = [];
  for (const [place, [type, make]] of MAKERS.entries())
    if ((concerned & (1 << place)) !== 0 && types.has(type)) happenings.push(...make(occurrence));
  return happenings;
}

function makersByEffect(): ReadonlyMap<Effect['type'], number> {
  const makers = new Map<Effect['type'], number>();
  for (const [place, [type]] of MAKERS.entries())
    for (const effect of effectsOfOutcome(type)) makers.set(effect, (makers.get(effect) ?? 0) | (1 << place));
  return makers;
}
