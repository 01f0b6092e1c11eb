export { EventCounts } from './event-counts.ts';
export { IngestionModule } from './ingestion-module.ts';
export { type IngestionPorts } from './ports.ts';
