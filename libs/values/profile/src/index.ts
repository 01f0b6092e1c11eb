export {
  MAX_ATTRIBUTES,
  NEW_PROFILE,
  NOTIFICATION_CHANNELS,
  NOTIFICATION_TYPES,
  applyFields,
  exceedsAttributeLimit,
  type NotificationChannel,
  type Notifications,
  type NotificationType,
  type Profile,
  type UserFields,
} from './profile.ts';
