import type { DomainEventType } from '@laurel/kernel';
import type { Json } from './stored-event-data.ts';

/**
 * Types whose version 1 is no longer readable: it named users by their ids, with keys and profiles in clear text. `laurel upgrade` has
 * moved all its records.
 */
const FIRST_VERSIONS: Readonly<Record<string, number>> = {
  MetricEventRecorded: 2,
  UserIdentified: 2,
  AchievementCompletedByCall: 2,
  UsersSwept: 2,
};

const firstVersionOf = (type: string): number => FIRST_VERSIONS[type] ?? 1;

/**
 * The first upcaster of a type converts the data of its first version to the next version; the current version is the first plus the number
 * of upcasters. A type whose stored form changes gets a new upcaster here: stored records are never rewritten, and every version ever written
 * stays readable.
 */
const UPCASTERS: Readonly<Record<DomainEventType, readonly ((data: Json) => Json)[]>> = {
  // Version 2 had the attributes of the event in clear text; the decoder finds them in either place.
  MetricEventRecorded: [(data) => data],
  UserIdentified: [],
  AchievementCompletedByCall: [],
  GrantRecorded: [],
  SpendRequested: [],
  RefundRequested: [],
  CorrectionRecorded: [],
  UserErased: [],
  UsersSwept: [],
  ImportOpened: [],
  ImportClosed: [({ reason: cause }) => ({ cause })],
  ConfigurationPublished: [],
  ApiKeyCreated: [],
  ApiKeyRevoked: [],
  WebhookChanged: [],
  LeaderboardRunStarted: [],
  LeaderboardRunEnded: [],
  RequestDecided: [],
  BoostStarted: [],
  BoostFinished: [],
};

export const currentVersionOf = (type: DomainEventType): number => firstVersionOf(type) + UPCASTERS[type].length;

export const isEventType = (type: string): type is DomainEventType => Object.hasOwn(UPCASTERS, type);

/** Converts stored data to the current version. @throws Error for a type or version that this release does not know. */
export function upcast(
  type: string,
  schemaVersion: number,
  data: Json,
  upcasters: Readonly<Record<string, readonly ((data: Json) => Json)[]>> = UPCASTERS,
): Json {
  const steps = Object.hasOwn(upcasters, type) ? upcasters[type] : undefined;
  if (!steps) throw new Error(`the log holds a record of the unknown type ${JSON.stringify(type)}`);
  const first = firstVersionOf(type);
  const current = first + steps.length;
  if (schemaVersion < first || schemaVersion > current)
    throw new Error(
      `the log holds a ${type} of schema version ${schemaVersion}; this release reads ${first} to ${current}`,
    );
  return steps.slice(schemaVersion - first).reduce((value, step) => step(value), data);
}
