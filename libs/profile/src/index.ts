export {
  MAX_ATTRIBUTES,
  NEW_PROFILE,
  applyFields,
  exceedsAttributeLimit,
  type Profile,
  type UserFields,
} from './profile.ts';
