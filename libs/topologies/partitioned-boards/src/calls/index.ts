export { BoardClient } from './board-client.ts';
export { boardHandlers, type BoardsOf } from './board-handlers.ts';
export type { BoardsPlace } from './board-requests.ts';
export { RemoteLeaderboards, type RemoteLeaderboardsDependencies } from './remote-leaderboards.ts';
