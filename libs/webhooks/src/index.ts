export { DestinationRefusedError, Destinations, type DestinationFault } from './destinations/destinations.ts';
export { checkedConnector, type Resolve } from './destinations/checked-connector.ts';
export { MOST_ATTEMPTS, nextAttemptAt, retryAfterOf, type FailedAttempt } from './schedule/retry-schedule.ts';
