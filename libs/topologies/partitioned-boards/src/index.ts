export { BOARDS, BOARDS_STEP, startBoardsStep } from './boards-step.ts';
export { BoardClient, boardHandlers, type BoardsPlace, RemoteLeaderboards } from './calls/index.ts';
