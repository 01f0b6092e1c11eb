export { AccountStory, type Telling } from './account-story.ts';
export { configurations } from './configurations.ts';
export { type Ending } from './ending.ts';
export { lives, type Happening, type Life } from './lives.ts';
export {
  endingIn,
  neverSwept,
  readInBetween,
  settledInPieces,
  sweptAsSoonAsDue,
  sweptNowAndThen,
  type Way,
} from './tellings.ts';
