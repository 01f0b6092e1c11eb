import { decisionCheckpoint, DecisionRecorder, type Engine } from '@laurel/engine';
import type { PostgresLogReader } from '@laurel/event-store';
import type { ConfigurationHistory, SqlReader } from '@laurel/kernel';
import type { Clock, Directory } from '@laurel/ports';
import type { ServiceEvents } from './start-service.ts';
import { storedVerdicts } from '@laurel/stored-effects';

interface Opened {
  readonly sql: SqlReader;
  readonly clock: Clock;
  readonly events: Pick<ServiceEvents, 'onSweepFailure'>;
}

interface Decided {
  readonly log: PostgresLogReader;
  readonly engine: Engine;
  readonly directory: Pick<Directory, 'idsOf'>;
  readonly configuration: (account: string) => ConfigurationHistory;
}

/** Records how requests for points were decided that an earlier process or another topology left undecided, or an area that had stopped. */
export function startDecisions(
  { sql, clock, events }: Opened,
  { log, engine, directory, configuration }: Decided,
): DecisionRecorder {
  const decisions = new DecisionRecorder({
    log,
    storedVerdicts: (requests) => storedVerdicts({ sqlOf: () => sql, configurations: configuration }, requests),
    directory,
    checkpoint: decisionCheckpoint(sql),
    record: (account, event, at) => engine.recordAccountEvent(account, event, at),
    clock,
    // Nobody else records verdicts here.
    graceMs: 0,
    onFailure: events.onSweepFailure,
  });
  decisions.start();
  return decisions;
}
