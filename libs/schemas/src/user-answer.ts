import { formatInstant } from '@laurel/calendar';
import type { DatedProfile } from '@laurel/ports';
import type { UserAnswer } from './user.ts';

/** The fields of a user's profile that every answer shows. */
export function userAnswer(id: string, profile: DatedProfile): UserAnswer {
  const { email, name, tz, attributes, subscribeToEmails, createdAt, updatedAt } = profile;
  return {
    id,
    email,
    name,
    tz,
    subscribeToEmails,
    attributes: Object.fromEntries(attributes),
    control: false,
    created: formatInstant(createdAt),
    updated: formatInstant(updatedAt),
  };
}
