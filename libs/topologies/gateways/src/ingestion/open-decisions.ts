import { decisionCheckpoint, DecisionRecorder } from '@laurel/engine';
import { type ProcessFrame, readLog, schemaOf } from '@laurel/processes';
import { lastingFailure } from '@laurel/runtime';
import { storedVerdicts } from '@laurel/stored-effects';
import type { GatewayIntake } from './gateway-intake.ts';
import type { IngestionStores } from './open-ingestion-stores.ts';

/** Records how points-service decided requests, from its stored effects, if the gateway that waited for the answer could not. */
export function openDecisions(
  { clock, logger, environment: { answerLimitMs } }: ProcessFrame,
  { schema, copy, tables, directory, readers, configurations }: IngestionStores,
  intake: Pick<GatewayIntake, 'recordDecision'>,
): DecisionRecorder {
  const log = readLog(tables, schema.sql, directory);
  const stored = { sqlOf: () => readers.reader(schemaOf('points')), configurations: configurations.historyOf };
  return new DecisionRecorder({
    log: {
      readRequests: (after, limit) => log.readRequests(after, limit),
      find: async (account, eventId) => {
        await copy?.bringUpToDate();
        return log.find(account, eventId);
      },
    },
    storedVerdicts: (requests) => storedVerdicts(stored, requests),
    directory,
    checkpoint: decisionCheckpoint(schema.sql),
    record: (account, event) => intake.recordDecision(account, event),
    clock,
    graceMs: 2 * answerLimitMs,
    onFailure: lastingFailure(logger, clock, 'could not record how requests for points were decided; retrying'),
  });
}
