import { effect } from './effect-kind.ts';

export const ACHIEVEMENT_EFFECTS = {
  AchievementCompleted: effect({
    fields: { achievement: 'achievement', at: 'event instant' },
    stored: { number: 'achievement' },
    stability: 'final',
    words: ({ achievement }, names) => `${names.achievement(achievement)} completed`,
  }),
  /** The completion was taken back by hand. */
  AchievementRevoked: effect({
    fields: { achievement: 'achievement', at: 'event instant' },
    stored: { negative: 'achievement' },
    stability: 'reversible',
    words: ({ achievement }, names) => `${names.achievement(achievement)} revoked`,
  }),
};
