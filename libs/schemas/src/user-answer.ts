import { formatInstant } from '@laurel/calendar';
import type { DatedProfile } from '@laurel/ports';
import type { UserAnswer } from './user.ts';

/** A user's profile as every answer shows it. */
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
