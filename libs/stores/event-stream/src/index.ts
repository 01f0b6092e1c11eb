export * from './event-stream.ts';
export type { KafkaSettings } from './kafka/kafka-client.ts';
export type { KafkaOAuth } from './kafka/oauth-bearer.ts';
export { OAuthTokenError } from './kafka/oauth-token.ts';
export { KafkaEventStream } from './kafka/kafka-event-stream.ts';
export { partitionOf } from './partitioner.ts';
