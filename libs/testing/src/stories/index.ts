export {
  canHaveConditions,
  published,
  saidAttributes,
  someConditions,
  withAttributes,
  withConditions,
} from './conditions.ts';
export { CountedBoosts } from './counted-boosts.ts';
export { AccountStory, type Telling } from './account-story.ts';
export { configurations, republications } from './configurations.ts';
export { endingOf, type Ending, type UserEnding } from './ending.ts';
export { lateReports, lives, publications, type StoryEvent, type Life } from './lives.ts';
export { AWARDING_ENDS_TOO_LATE, AWARDING_ENDS_WHEN_FOUND } from './rules-on-ends.ts';
export {
  endingIn,
  neverSwept,
  nobodyLooks,
  publishedAt,
  readInBetween,
  reportedLate,
  settledInChunks,
  sweptAsSoonAsDue,
  sweptNowAndThen,
  type Look,
  type Way,
} from './tellings.ts';
