export { IngestionModule } from './ingestion-module.ts';
export { type AnsweredRequest, type ComposeEventAnswer, type IngestionPorts } from './ports.ts';
