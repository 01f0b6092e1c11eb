/** The source of a name: a user's id or name, or a part of the configuration. */
export type Named = 'id' | 'name' | 'metric' | 'achievement' | 'level' | 'board' | 'reason' | 'label';

export interface ConsolePage {
  readonly path: string;
  /** User-chosen names that appear on the page. */
  readonly names: readonly Named[];
  /** Set for the page of one user, who must be known. */
  readonly ofUser?: true;
}

/** The user with data. */
export const USER = 'mary';

/** Every page of the console, by the name of its picture. */
export const PAGES: Readonly<Record<string, ConsolePage>> = {
  overview: { path: '', names: [] },
  'first-event': { path: '/first-event', names: ['metric'] },
  users: { path: '/users', names: ['id', 'name'] },
  user: { path: `/users/${USER}`, names: ['name', 'achievement', 'level', 'reason'], ofUser: true },
  metrics: { path: '/metrics', names: ['metric'] },
  achievements: { path: '/achievements', names: ['achievement'] },
  points: { path: '/points', names: ['level'] },
  streaks: { path: '/streaks', names: [] },
  leaderboards: { path: '/leaderboards', names: ['name', 'board'] },
  configuration: { path: '/configuration', names: [] },
  keys: { path: '/keys', names: ['label'] },
  webhooks: { path: '/webhooks', names: ['label'] },
  audit: { path: '/audit', names: ['id', 'reason'] },
  operations: { path: '/operations', names: [] },
};
