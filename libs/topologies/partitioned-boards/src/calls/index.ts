export { BoardClient } from './board-client.ts';
export { boardHandlers } from './board-handlers.ts';
export type { BoardsPlace } from './board-requests.ts';
export { RemoteLeaderboards } from './remote-leaderboards.ts';
