/** The areas, in the order of the chain. Each area reads the effects of the areas before it, and emits its own. */
export const AREAS = ['users', 'streaks', 'achievements', 'points', 'leaderboards'] as const;
export type AreaName = (typeof AREAS)[number];
