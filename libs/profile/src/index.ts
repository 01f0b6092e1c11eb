export {
  MAX_ATTRIBUTES,
  NEW_PROFILE,
  applyFields,
  exceedsAttributeLimit,
  sameProfile,
  type Profile,
  type UserFields,
} from './profile.ts';
