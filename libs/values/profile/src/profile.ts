import type { Zone } from '@laurel/calendar';

/** A user has at most this many attributes (specification, section 1.8). */
export const MAX_ATTRIBUTES = 50;

/** The types of notifications to users. */
export const NOTIFICATION_TYPES = ['achievement_completed', 'recap', 'reactivation', 'streak_reminder'] as const;
export type NotificationType = (typeof NOTIFICATION_TYPES)[number];

export const NOTIFICATION_CHANNELS = ['email', 'push'] as const;
export type NotificationChannel = (typeof NOTIFICATION_CHANNELS)[number];

/** The channels that the user wants for each type; all channels for an absent type. */
export type Notifications = Readonly<Partial<Record<NotificationType, readonly NotificationChannel[]>>>;

/** Keyed hashes of attributes: of each value, by the hash of its key. They stay when the attributes can no longer be read. */
export type AttributeHashes = ReadonlyMap<string, string>;

/** The profile of a user, as callers have reported it. */
export interface Profile {
  readonly name: string | null;
  readonly email: string | null;
  /** null if none was given; the clock is then UTC. */
  readonly tz: Zone | null;
  readonly attributes: ReadonlyMap<string, string>;
  readonly subscribeToEmails: boolean;
  /** Kept for senders of notifications; no answer shows them. */
  readonly deviceTokens: readonly string[];
  /** In the order of {@link NOTIFICATION_TYPES}. */
  readonly notifications: Notifications;
}

/**
 * Reported changes of a profile. Absent fields stay unchanged; null resets a field to its value in {@link NEW_PROFILE}, and removes an
 * attribute.
 */
export interface UserFields {
  readonly name?: string | null;
  readonly email?: string | null;
  readonly tz?: Zone | null;
  readonly attributes?: ReadonlyMap<string, string | null>;
  /** The hashes of `attributes`, in the same order. Absent without `attributes`, and in records of earlier releases. */
  readonly attributeHashes?: ReadonlyMap<string, string | null>;
  /**
   * The limit of attributes when `attributes` were recorded. Absent in records from before there was a limit: a replay keeps all of
   * them.
   */
  readonly attributeLimit?: number;
  readonly subscribeToEmails?: boolean | null;
  /** Replaces the tokens sent before. */
  readonly deviceTokens?: readonly string[] | null;
  /** Absent types stay unchanged. */
  readonly notifications?: Notifications;
}

export const NEW_PROFILE: Profile = {
  name: null,
  email: null,
  tz: null,
  attributes: new Map(),
  subscribeToEmails: true,
  deviceTokens: [],
  notifications: {},
};

/**
 * The profile after `fields`; the same object if they change nothing, as with most events, which repeat at most the zone. Never throws:
 * only the first attributes up to the limit are kept, and a user beyond the limit gains none.
 */
export function applyFields<P extends Profile>(profile: P, fields: UserFields): P {
  const name = fields.name === undefined ? profile.name : fields.name;
  const email = fields.email === undefined ? profile.email : fields.email;
  const tz = fields.tz === undefined ? profile.tz : fields.tz;
  const attributes = mergeAttributes(profile.attributes, fields.attributes, fields.attributeLimit ?? Infinity);
  const subscribeToEmails = valueOf(fields.subscribeToEmails, profile.subscribeToEmails, NEW_PROFILE.subscribeToEmails);
  const deviceTokens = valueOf(fields.deviceTokens, profile.deviceTokens, NEW_PROFILE.deviceTokens);
  const notifications = mergeNotifications(profile.notifications, fields.notifications);
  const unchanged =
    name === profile.name &&
    email === profile.email &&
    tz === profile.tz &&
    attributes === profile.attributes &&
    subscribeToEmails === profile.subscribeToEmails &&
    sameItems(deviceTokens, profile.deviceTokens) &&
    notifications === profile.notifications;
  return unchanged
    ? profile
    : { ...profile, name, email, tz, attributes, subscribeToEmails, deviceTokens, notifications };
}

/** True if these changes add an attribute and leave the user with more than {@link MAX_ATTRIBUTES}. */
export function exceedsAttributeLimit(
  present: ReadonlyMap<string, string>,
  changes: UserFields['attributes'] = new Map(),
): boolean {
  if (present.size + changes.size <= MAX_ATTRIBUTES) return false;
  const entries = [...changes];
  const added = entries.filter(([key, value]) => value !== null && !present.has(key)).length;
  const removed = entries.filter(([key, value]) => value === null && present.has(key)).length;
  return added > 0 && present.size + added - removed > MAX_ATTRIBUTES;
}

const valueOf = <Value>(said: Value | null | undefined, present: Value, initial: Value): Value =>
  said === undefined ? present : (said ?? initial);

/** Returns `present` itself if nothing changes. */
function mergeNotifications(present: Notifications, changes: Notifications | undefined): Notifications {
  if (changes === undefined) return present;
  const said = NOTIFICATION_TYPES.flatMap((type) => {
    const channels = changes[type] ?? present[type];
    return channels === undefined ? [] : [[type, channels] as const];
  });
  const isSame = said.every(([type, channels]) => sameItems(channels, present[type] ?? [NO_CHANNEL]));
  return isSame ? present : Object.fromEntries(said);
}

/** Differs from every list of channels. */
const NO_CHANNEL = '';

/** The attributes, or their hashes, after changes. Returns `present` itself if nothing changes. @param limit of their number */
export function mergeAttributes(
  present: ReadonlyMap<string, string>,
  changes: UserFields['attributes'],
  limit: number,
): ReadonlyMap<string, string> {
  if (changes === undefined || repeats(present, changes)) return present;
  const merged = new Map(present);
  for (const [key, value] of changes) if (value === null) merged.delete(key);
  for (const [key, value] of changes)
    if (value !== null && (merged.has(key) || merged.size < limit)) merged.set(key, value);
  return sameEntries(present, merged) ? present : merged;
}

function repeats(present: ReadonlyMap<string, string>, changes: ReadonlyMap<string, string | null>): boolean {
  for (const [key, value] of changes) if ((present.get(key) ?? null) !== value) return false;
  return true;
}

const sameEntries = (a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean =>
  a.size === b.size && [...a].every(([key, value]) => b.get(key) === value);

const sameItems = (a: readonly string[], b: readonly string[]): boolean =>
  a === b || (a.length === b.length && a.every((item, index) => item === b[index]));
