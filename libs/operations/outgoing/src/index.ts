export { cloudEventOf } from './cloud-event.ts';
export { MOST_HELD_BACK_MS, type OldestNeeded, type Outcome, type Outcomes } from './ports.ts';
export {
  concerns,
  ERASED_OUTCOMES,
  OUTCOME_CURSORS,
  outgoingMigrations,
  OUTGOING_TABLES,
  PERSONAL_OUTGOING_TABLES,
} from './stored/migrations.ts';
export type { ChangeQuery, FinalRun } from './outcomes/final-runs.ts';
export type { Ranked, RunStanding } from './outcomes/source-event.ts';
export { PostgresOutcomes, type OutcomeCursor } from './stored/postgres-outcomes.ts';
export { OutcomeReader } from './reading/outcome-reader.ts';
export type { Caused, OutcomeReaderDependencies } from './reading/reader-dependencies.ts';
export type { RanksQuery } from './reading/ranks-needed.ts';
export { redactFor } from './outcomes/redact.ts';
export { deliveriesOfUser, type DeliveryOfUser } from './stored/deliveries-of-user.ts';
export { outcomesOfUser } from './stored/outcomes-of-user.ts';
export { deliveryAnswer, type StoredDelivery } from './stored/stored-delivery.ts';
