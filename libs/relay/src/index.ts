export { DueSweeper, type DueSweeperParts } from './due-sweeper.ts';
export { Leadership, holdLead, type LeadershipParts } from './leadership.ts';
export {
  PostgresRelayStore,
  StaleRelayError,
  relayMigrations,
  type RelayCheckpoint,
  type RelayStore,
} from './relay-store.ts';
export { Relay, type RelayParts } from './relay.ts';
export { routeRecord, type RoutedRecord } from './route-record.ts';
