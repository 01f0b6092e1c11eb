export { openIngestionGateway } from './ingestion/open-ingestion-gateway.ts';
export { runIngestionGateway } from './ingestion/run-ingestion-gateway.ts';
export { distributedDigest } from './operations/distributed-digest.ts';
export { forwardReads, forwardToOutgoing, forwardToWorking } from './forwarding/forward.ts';
export { openOutgoingService, type DelivererDependencies } from './outgoing/open-outgoing-service.ts';
export { openQueryGateway } from './queries/open-query-gateway.ts';
