import type { DomainEventType } from '@laurel/kernel';

/**
 * The numbers of the event types in the table `events`. They must never change. A new type gets the next number above; one that names no
 * actor and occurs by the thousand gets the next number below, so that the index of administrative events leaves it out.
 */
const NUMBERS: Readonly<Record<DomainEventType, number>> = {
  MetricEventRecorded: 1,
  UserIdentified: 2,
  AchievementCompletedByCall: 3,
  UsersSwept: 4,
  ImportOpened: 5,
  ImportClosed: 6,
  ConfigurationPublished: 7,
  ApiKeyCreated: 8,
  ApiKeyRevoked: 9,
  GrantRecorded: 10,
  CorrectionRecorded: 11,
  UserErased: 12,
  WebhookChanged: 13,
  LeaderboardRunStarted: 14,
  LeaderboardRunEnded: 15,
  BoostStarted: 16,
  BoostFinished: 17,
  SpendRequested: 0,
  RefundRequested: -1,
  RequestDecided: -2,
};

/**
 * The types from here on are administrative: they name an actor. The index `events_administrative` holds only these types.
 */
export const FIRST_ADMINISTRATIVE_TYPE = NUMBERS.ImportOpened;

/** Later types without an actor, because they mark the passing of time. There are few enough of them for the index. */
export const NOT_ADMINISTRATIVE_TYPES: readonly number[] = [
  NUMBERS.LeaderboardRunStarted,
  NUMBERS.LeaderboardRunEnded,
  NUMBERS.BoostStarted,
  NUMBERS.BoostFinished,
];

const TYPES: ReadonlyMap<number, string> = new Map(Object.entries(NUMBERS).map(([type, number]) => [number, type]));

export const typeNumberOf = (type: DomainEventType): number => NUMBERS[type];

/** The number itself for a type of a later release. */
export const typeNumbered = (number: number): string => TYPES.get(number) ?? String(number);
