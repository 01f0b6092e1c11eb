import type { ConfigurationHistory, ErasedFrom, Recorded, Replayed, Subject } from '@laurel/kernel';
import type {
  AchievementReads,
  AnsweredCompletion,
  AnsweredRequest,
  Clock,
  Corrections,
  DataKeys,
  Directory,
  Intake,
  UserProfile,
  UserReads,
} from '@laurel/ports';
import type { CompletionAnswer, ErasurePlace, EventAnswer, GrantAnswer, UserAnswer } from '@laurel/schemas';
import type { Instant } from '@laurel/calendar';
import type { EventCounts } from './event-counts.ts';

/** The ports of the HTTP module of ingestion. */
export interface IngestionPorts {
  readonly intake: Intake;
  readonly directory: Pick<Directory, 'find' | 'findAll' | 'assign' | 'assignAll' | 'idsOf' | 'page'>;
  readonly erasures: Erasures;
  /** null: no process of this topology can correct events. */
  readonly corrections: Corrections | null;
  readonly clock: Clock;
  /** Events are counted in it. */
  readonly counts: EventCounts;
  readonly configuration: (account: string) => ConfigurationHistory;
  /** Composes the answer to an outcome. Never throws, because the event is recorded by then. */
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

/** Ports with which browser sessions preview and erase: over a small pool, so that applications never wait for them. */
export interface BoundedIngestionPorts extends Pick<IngestionPorts, 'users' | 'erasures' | 'intake' | 'clock'> {
  readonly directory: Pick<Directory, 'find' | 'idsOf'>;
  readonly corrections: Pick<Corrections, 'preview'> | null;
}

/** Ports of erasures beside the intake. */
export interface Erasures {
  readonly directory: DataKeys;
  /** While it is, nobody is erased. */
  importOpen(account: string): boolean | Promise<boolean>;
  /** Every place that holds something of the user, and what an erasure at `at` makes of it. */
  places(asked: {
    readonly account: string;
    readonly subject: Subject;
    readonly boards: ErasedFrom;
    readonly at: Instant;
  }): Promise<readonly ErasurePlace[]>;
}

export type ComposeEventAnswer = (outcome: Recorded | Replayed, request: AnsweredRequest) => EventAnswer;

export type WriteEventAnswer = (outcome: Recorded | Replayed, request: AnsweredRequest) => string;

/** Token under which a process provides its {@link IngestionPorts}. */
export const INGESTION_PORTS = Symbol('IngestionPorts');

/** Token under which a process provides its {@link BoundedIngestionPorts}. */
export const BOUNDED_INGESTION_PORTS = Symbol('BoundedIngestionPorts');
