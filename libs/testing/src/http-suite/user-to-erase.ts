/** A user with unique values: if a dump contains them, they come from this user. */
export const ADA = {
  id: 'ada-7c1e',
  name: 'Ada Qzwlace',
  email: 'ada.qz@example.org',
  attributes: { plan: 'plan-of-ada-9' },
  deviceTokens: ['token-of-ada-4'],
};

/** An attribute of Ada's events. */
export const ADAS_COURSE = 'course-of-ada-2';
export const ADAS_KEY = 'key-of-ada-3';

/** Data that must be gone when Ada is erased: the profile, and the attribute and idempotency key of the events. */
export const ADAS_SECRETS = [
  ...[ADA.id, ADA.name, ADA.email, ADA.attributes.plan, ...ADA.deviceTokens],
  ...[ADAS_COURSE, ADAS_KEY],
];

/** The secrets that a dump contains, as text or as bytes. */
export const foundIn = (dump: string, secrets: readonly string[]): readonly string[] =>
  secrets.filter((secret) => dump.includes(secret) || dump.includes(Buffer.from(secret).toString('hex')));
