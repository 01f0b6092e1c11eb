/** The areas, in the order of the chain. Each reads the effects of those before it, and emits its own. */
export const AREAS = ['users', 'streaks', 'achievements', 'points', 'leaderboards'] as const;
export type AreaName = (typeof AREAS)[number];
