import type { AreaName } from '@laurel/contracts';

/** Each process kind owns a schema of the one database, and its migrations; nobody else writes to it. */
export const SCHEMAS = {
  ingestion: 'laurel_ingestion',
  streak: 'laurel_streak',
  achievement: 'laurel_achievement',
  points: 'laurel_points',
  leaderboard: 'laurel_leaderboard',
  query: 'laurel_query',
  /** API keys: of both gateways. */
  keys: 'laurel_keys',
} as const;

export type SchemaName = (typeof SCHEMAS)[keyof typeof SCHEMAS];

/** Where the read models of an area are. */
export const SCHEMA_OF_AREA: Readonly<Record<AreaName, SchemaName>> = {
  users: SCHEMAS.streak,
  streaks: SCHEMAS.streak,
  achievements: SCHEMAS.achievement,
  points: SCHEMAS.points,
  leaderboards: SCHEMAS.leaderboard,
};
