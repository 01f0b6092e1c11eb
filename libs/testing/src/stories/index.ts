export { AccountStory, type Telling } from './account-story.ts';
export { configurations } from './configurations.ts';
export { type Ending } from './ending.ts';
export { lives, type Happening, type Life } from './lives.ts';
export { AWARDING_ENDS_TOO_LATE, AWARDING_ENDS_WHEN_FOUND } from './rules-on-ends.ts';
export {
  endingIn,
  neverSwept,
  readInBetween,
  settledInPieces,
  sweptAsSoonAsDue,
  sweptNowAndThen,
  type Way,
} from './tellings.ts';
