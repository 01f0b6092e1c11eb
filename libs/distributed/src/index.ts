export { openIngestionGateway, type IngestionGateway } from './ingestion/open-ingestion-gateway.ts';
export { distributedDigest } from './operations/distributed-digest.ts';
export { runProcess, type ProcessFrame } from './process/run-process.ts';
export { runChainService, runIngestionGateway } from './process/run-service.ts';
export { forwardReads, forwardToOutgoing } from './forwarding/forward.ts';
export { openOutgoingService, type OutgoingService } from './outgoing/open-outgoing-service.ts';
export { openQueryGateway, type QueryGateway } from './queries/open-query-gateway.ts';
