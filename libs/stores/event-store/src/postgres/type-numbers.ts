import type { FactType } from '@laurel/kernel';

/** The types of recorded events as the table `events` holds them. Never to change: a new type gets the next number. */
const NUMBERS: Readonly<Record<FactType, number>> = {
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
};

/**
 * The types from here on are administrative: somebody, or a process on its own, did it, and the event says who. The index
 * `events_administrative` holds them alone. A later type that users cause by the thousand must be kept out of both.
 */
export const FIRST_ADMINISTRATIVE_TYPE = NUMBERS.ImportOpened;

/** Behind the first administrative type, but nobody's doing: time passed. Few enough for the index. */
export const NOT_ADMINISTRATIVE_TYPES: readonly number[] = [NUMBERS.LeaderboardRunStarted, NUMBERS.LeaderboardRunEnded];

const TYPES: ReadonlyMap<number, string> = new Map(Object.entries(NUMBERS).map(([type, number]) => [number, type]));

export const typeNumberOf = (type: FactType): number => NUMBERS[type];

/** A type of a later release, which this one cannot read, is named by its number. */
export const typeNumbered = (number: number): string => TYPES.get(number) ?? String(number);
