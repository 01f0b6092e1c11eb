import type {
  AchievementReads,
  AnsweredCompletion,
  AnsweredRequest,
  Clock,
  CompletionAnswer,
  ConfigurationHistory,
  Directory,
  EventAnswer,
  GrantAnswer,
  Intake,
  Recorded,
  Replayed,
  UserAnswer,
  UserProfile,
  UserReads,
} from '@laurel/contracts';
import type { EventCounts } from './event-counts.ts';

/** What the doors of ingestion stand in front of. */
export interface IngestionPorts {
  readonly intake: Intake;
  readonly directory: Pick<Directory, 'find' | 'findAll' | 'assign' | 'assignAll' | 'page'>;
  readonly clock: Clock;
  /** Events are counted in it. */
  readonly counts: EventCounts;
  readonly configuration: (account: string) => ConfigurationHistory;
  /** What an outcome is answered with; never throws, because the event is recorded by then. */
  readonly composeEventAnswer: ComposeEventAnswer;
  /** The same as JSON text. */
  readonly writeEventAnswer: WriteEventAnswer;
  readonly users: UserReads;
  readonly achievements: AchievementReads;
  readonly composeUserAnswer: (userId: string, profile: UserProfile) => UserAnswer;
  readonly composeCompletionAnswer: (completion: AnsweredCompletion) => CompletionAnswer;
  /** @param idempotencyKey as the request has it; null: none */
  readonly composeGrantAnswer: (outcome: Recorded | Replayed, idempotencyKey: string | null) => GrantAnswer;
}

export type ComposeEventAnswer = (outcome: Recorded | Replayed, request: AnsweredRequest) => EventAnswer;

export type WriteEventAnswer = (outcome: Recorded | Replayed, request: AnsweredRequest) => string;

/** Token under which a process provides its {@link IngestionPorts}. */
export const INGESTION_PORTS = Symbol('IngestionPorts');
