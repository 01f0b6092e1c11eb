import type {
  AnsweredRequest,
  Clock,
  ConfigurationHistory,
  EventAnswer,
  Intake,
  Recorded,
  Replayed,
} from '@laurel/contracts';

/** What the doors of ingestion stand in front of. */
export interface IngestionPorts {
  readonly intake: Intake;
  readonly clock: Clock;
  readonly configuration: (account: string) => ConfigurationHistory;
  /** What an outcome is answered with; never throws, because the event is recorded by then. */
  readonly composeEventAnswer: ComposeEventAnswer;
}

export type ComposeEventAnswer = (outcome: Recorded | Replayed, request: AnsweredRequest) => EventAnswer;

/** Token under which a process provides its {@link IngestionPorts}. */
export const INGESTION_PORTS = Symbol('IngestionPorts');
