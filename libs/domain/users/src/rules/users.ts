import { add, formatMillionths, parseMillionths, type Exact } from '@laurel/amounts';
import { dayAt, formatDay, parseDay, type Day, type Instant, type LocalDate, type Zone } from '@laurel/calendar';

import { isPointsRequest, type ReportedMetric, type Occasion, type Emitter, type UserRules } from '@laurel/kernel';
import {
  applyFields,
  MAX_ATTRIBUTES,
  mergeAttributes,
  NEW_PROFILE,
  type AttributeHashes,
  type Notifications,
  type Profile,
  type UserFields,
} from '@laurel/profile';
import {
  asksForReminders,
  decodeReminders,
  encodeReminders,
  nextReminderAt,
  remind,
  type Reminding,
  type StoredReminders,
  type UserReminders,
} from './user-reminders.ts';
import { compileUsers, type UsersPlan } from './users-plan.ts';

/** A user's profile, and the totals of their metrics. */
export interface UsersState {
  /** Instant of the user's first event; null if nothing is recorded, or if corrections retracted all events. */
  createdAt: Instant | null;
  /**
   * Whether corrections once retracted all events of the user. The user still counts as known, so the next event that
   * creates the user adds none.
   */
  wasKnown: boolean;
  /** Instant of the event that last changed the profile. */
  updatedAt: Instant;
  profile: Profile;
  /** The hashes of the user's attributes, as far as the log has them. */
  attributeHashes: AttributeHashes;
  /** Whether the user is erased; no events follow. */
  erased: boolean;
  /** The latest day of the user's metric events, by the user's clock at each event; null before the first. */
  activeOn: Day | null;
  /** Totals by the metric's index in the plan; undefined before its first event. */
  readonly totals: (Exact | undefined)[];
  /** Totals of metrics that the plan's version does not have, by key. */
  readonly otherTotals: ReadonlyMap<string, Exact>;
  /** null if reminders were not configured at the last event, or if there was no metric event. Immutable. */
  reminders: UserReminders | null;
}

/** The first area: profiles, zones and metric totals (specification, section 1). */
export const usersRules: UserRules<UsersState, UsersPlan> = {
  compile: compileUsers,
  initial: (plan) => ({
    createdAt: null,
    wasKnown: false,
    updatedAt: 0,
    profile: NEW_PROFILE,
    attributeHashes: NO_HASHES,
    erased: false,
    activeOn: null,
    totals: plan.metrics.map(() => undefined),
    otherTotals: NONE,
    reminders: null,
  }),
  clone: (state) => ({
    createdAt: state.createdAt,
    wasKnown: state.wasKnown,
    updatedAt: state.updatedAt,
    profile: state.profile,
    attributeHashes: state.attributeHashes,
    erased: state.erased,
    activeOn: state.activeOn,
    totals: state.totals.slice(),
    otherTotals: state.otherTotals,
    reminders: state.reminders,
  }),
  apply,
  dueAt: ({ reminders, profile }, plan) => nextReminderAt(reminders, profile.tz ?? 'UTC', plan.reminders),
  knownUser: ({ createdAt, erased, profile }) => ({
    isCreated: createdAt !== null,
    isErased: erased,
    attributes: profile.attributes,
  }),
  encode,
  decode,
};

const NONE: ReadonlyMap<string, Exact> = new Map();
const NO_HASHES: AttributeHashes = new Map();

const clockOf = (state: UsersState): Zone => state.profile.tz ?? 'UTC';

function apply(state: UsersState, occasion: Occasion, plan: UsersPlan, out: Emitter): void {
  const { event, reported, occurredAt, user } = occasion;
  user.previousZone = clockOf(state);
  knowHashes(state, occasion);
  // Grants and requests for points need a known user, but corrections may retract every event before them.
  if (event.type === 'GrantRecorded' || isPointsRequest(event)) createUser(state, occurredAt, out);
  if ('user' in event) nameUser(state, event.user, occurredAt, out);
  user.createdAt = state.createdAt ?? occurredAt;
  user.zone = clockOf(state);
  if (user.zone !== user.previousZone) out.emit({ type: 'ZoneChanged', from: user.previousZone, to: user.zone });
  user.day = dayAt(occurredAt, user.zone);
  if (event.type === 'UserErased') erase(state, occurredAt, out);
  user.total = reported === null ? null : count(state, reported, occasion, plan, out);
  if (plan.judged.length > 0) user.totals = new Map(plan.judged.map((metric) => [metric, state.totals[metric] ?? 0]));
  state.reminders =
    state.erased || !asksForReminders(plan.reminders) ? null : remind(state.reminders, occasion, plan, tellingTo(out));
}

/** Leaves the fields absent for users without attributes, so that their messages stay as small as they were. */
function knowHashes(state: UsersState, { event, user }: Occasion): void {
  const { attributeHashes: before } = state;
  if ('user' in event) state.attributeHashes = mergeAttributes(before, event.user.attributeHashes, MAX_ATTRIBUTES);
  if (before.size > 0) user.previousAttributeHashes = before;
  if (state.attributeHashes.size > 0) user.attributeHashes = state.attributeHashes;
}

const tellingTo = (out: Emitter): Reminding => ({
  ofWeek: ({ at, periodStart, periodEnd, totals }) =>
    out.dueAt(at).emit({ type: 'RecapDue', periodStart, periodEnd, totals }),
  ofAbsence: ({ at, message, days }) => out.dueAt(at).emit({ type: 'ReactivationDue', message, days }),
});

/** An event that names a user creates or updates the user (specification, section 1.8). */
function nameUser(state: UsersState, fields: UserFields, at: Instant, out: Emitter): void {
  const profile = applyFields(state.profile, fields);
  createUser(state, at, out);
  if (profile !== state.profile) state.updatedAt = at;
  state.profile = profile;
}

function createUser(state: UsersState, at: Instant, out: Emitter): void {
  if (state.createdAt !== null) return;
  state.createdAt = at;
  state.updatedAt = at;
  out.emit({ type: 'UserCreated' });
}

/** Keeps the zone, which the log keeps as well, and the metric totals. */
function erase(state: UsersState, at: Instant, out: Emitter): void {
  state.profile = { ...NEW_PROFILE, tz: state.profile.tz };
  state.attributeHashes = NO_HASHES;
  state.updatedAt = at;
  state.erased = true;
  out.emit({ type: 'UserForgotten' });
}

function count(
  state: UsersState,
  { metric, value }: ReportedMetric,
  { user }: Occasion,
  plan: UsersPlan,
  out: Emitter,
) {
  const total = add(state.totals[metric] ?? 0, value);
  state.totals[metric] = total;
  if (state.activeOn === null || state.activeOn < user.day) {
    state.activeOn = user.day;
    out.emit({ type: 'UserBecameActive', day: user.day });
  }
  if (value !== 0)
    out.emit({
      type: 'MetricTotalChanged',
      metric: plan.metrics[metric] as string,
      change: value,
      total,
      day: user.day,
    });
  return total;
}

interface StoredUser {
  readonly created: Instant | null;
  readonly updated: Instant;
  /** Absent means false. */
  readonly known?: true;
  readonly name?: string;
  readonly email?: string;
  readonly tz?: Zone;
  readonly attributes?: readonly (readonly [string, string])[];
  readonly attributeHashes?: readonly (readonly [string, string])[];
  /** Absent means true, as in states stored by earlier releases. */
  readonly subscribeToEmails?: false;
  readonly deviceTokens?: readonly string[];
  /** Missing if the user made no choice. */
  readonly notifications?: Notifications;
  readonly erased?: true;
  /** Missing without a metric event, and in older stored states. */
  readonly active?: LocalDate;
  /** Pairs instead of an object, because `__proto__` is a legal key. */
  readonly totals: readonly (readonly [string, string])[];
  /** Absent if there are none. */
  readonly reminders?: StoredReminders;
}

function encode(
  {
    createdAt,
    wasKnown,
    updatedAt,
    profile,
    attributeHashes,
    erased,
    activeOn,
    totals,
    otherTotals,
    reminders,
  }: UsersState,
  plan: UsersPlan,
): StoredUser {
  const known = totals.flatMap((total, place) =>
    total === undefined ? [] : [[plan.metrics[place] as string, formatMillionths(total)] as const],
  );
  const others = [...otherTotals].map(([metric, total]) => [metric, formatMillionths(total)] as const);
  return {
    created: createdAt,
    updated: updatedAt,
    ...(wasKnown && { known: wasKnown }),
    ...(profile.name !== null && { name: profile.name }),
    ...(profile.email !== null && { email: profile.email }),
    ...(profile.tz !== null && { tz: profile.tz }),
    ...(profile.attributes.size > 0 && { attributes: [...profile.attributes] }),
    ...(attributeHashes.size > 0 && { attributeHashes: [...attributeHashes] }),
    ...(!profile.subscribeToEmails && { subscribeToEmails: false }),
    ...(profile.deviceTokens.length > 0 && { deviceTokens: profile.deviceTokens }),
    ...(Object.keys(profile.notifications).length > 0 && { notifications: profile.notifications }),
    ...(erased && { erased }),
    ...(activeOn !== null && { active: formatDay(activeOn) }),
    totals: [...known, ...others],
    ...(reminders !== null && { reminders: encodeReminders(reminders) }),
  };
}

function decode(json: unknown, plan: UsersPlan): UsersState {
  const stored = json as StoredUser;
  const totals: (Exact | undefined)[] = plan.metrics.map(() => undefined);
  const otherTotals = new Map<string, Exact>();
  for (const [metric, total] of stored.totals) {
    const place = plan.metricByKey.get(metric);
    if (place === undefined) otherTotals.set(metric, parseMillionths(total));
    else totals[place] = parseMillionths(total);
  }
  return {
    createdAt: stored.created,
    wasKnown: stored.known ?? false,
    updatedAt: stored.updated,
    profile: {
      name: stored.name ?? null,
      email: stored.email ?? null,
      tz: stored.tz ?? null,
      attributes: new Map(stored.attributes),
      subscribeToEmails: stored.subscribeToEmails ?? true,
      deviceTokens: stored.deviceTokens ?? [],
      notifications: stored.notifications ?? {},
    },
    attributeHashes: new Map(stored.attributeHashes),
    erased: stored.erased ?? false,
    activeOn: stored.active === undefined ? null : parseDay(stored.active),
    totals,
    otherTotals,
    reminders: stored.reminders === undefined ? null : decodeReminders(stored.reminders),
  };
}
