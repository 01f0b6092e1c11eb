/** The areas, in the order of the chain. Each reads what those before it added to the message, and adds its own section. */
export const AREAS = ['users', 'streaks', 'achievements', 'points', 'leaderboards'] as const;
export type AreaName = (typeof AREAS)[number];
