export { ACHIEVEMENT_SERVICE, POINTS_SERVICE, STREAK_SERVICE } from './chain/service-definition.ts';
export { openIngestionGateway, type IngestionGateway } from './ingestion/open-ingestion-gateway.ts';
export { distributedDigest } from './operations/distributed-digest.ts';
export { runProcess, type ProcessFrame } from './process/run-process.ts';
export { runIngestionGateway, runLeaderboardService, runUserService } from './process/run-service.ts';
export { openQueryGateway, type QueryGateway } from './queries/open-query-gateway.ts';
