export { openIngestionGateway, type IngestionGateway } from './ingestion/open-ingestion-gateway.ts';
export { runIngestionGateway } from './ingestion/run-ingestion-gateway.ts';
export { distributedDigest } from './operations/distributed-digest.ts';
export { forwardReads, forwardToOutgoing, forwardToWorking } from './forwarding/forward.ts';
export { openOutgoingService, type DelivererParts, type OutgoingService } from './outgoing/open-outgoing-service.ts';
export type { Deliverer } from './outgoing/outgoing-turn.ts';
export { openQueryGateway, type QueryGateway } from './queries/open-query-gateway.ts';
