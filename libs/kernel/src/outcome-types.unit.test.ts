import { outcomeKind } from './declarations/outcomes.ts';
import { ALWAYS_MADE, TYPES_OF_ALL, OUTCOME_TYPES, outcomesOfEvent, storedEntries } from './outcome-types.ts';

describe('the outcome types', () => {
  it('that a stored `all` stands for never change', () => {
    expect(storedEntries('all')).toEqual([
      ...['achievement.completed', 'streak.started', 'streak.extended', 'streak.lost', 'streak.freeze_consumed'],
      ...['streak.freeze_earned', 'streak.at_risk', 'emails.recap_due', 'emails.reactivation_due', 'points.changed'],
      ...['points.level_changed', 'leaderboard.rank_changed', 'leaderboard.rank_lost', 'leaderboard.changed'],
      ...['user.created', 'user.corrected', 'user.erased', 'configuration.published', 'import.finished'],
      'endpoint.disabled',
    ]);
  });

  it('that are second names have the effects and fields of the first, and are not part of `all`', () => {
    const named = OUTCOME_TYPES.filter((type) => !TYPES_OF_ALL.includes(type));
    expect(named).toEqual(['emails.achievement_due', 'emails.streak_reminder_due']);
    for (const type of named) {
      const { secondNameOf, effects, fields } = outcomeKind(type);
      const first = TYPES_OF_ALL.find((known) => known === secondNameOf);
      expect(first && outcomeKind(first)).toMatchObject({ effects, fields });
    }
  });

  it('that are always made are those of corrections and erasures', () => {
    expect(ALWAYS_MADE).toEqual(['user.corrected', 'user.erased']);
  });

  it('can be found by the type of the recorded event', () => {
    expect(outcomesOfEvent('LeaderboardRunEnded')).toEqual(['leaderboard.finished']);
    expect(outcomesOfEvent('MetricEventRecorded')).toEqual([]);
    expect(outcomesOfEvent('BoostStarted')).toEqual(['points.boost_started']);
    expect(outcomesOfEvent('GrantRecorded')).toEqual([]);
  });
});
