import type { EventLookup } from '@laurel/event-store';
import type { ConfigurationHistory, ErasedFrom, PointsRequest, Recorded, Replayed, Subject } from '@laurel/kernel';
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
import type {
  CompletionAnswer,
  ErasurePlace,
  EventAnswer,
  GrantAnswer,
  RefundAnswer,
  SpendAnswer,
  UserAnswer,
} from '@laurel/schemas';
import type { Instant } from '@laurel/calendar';
import type { EventCounts } from './event-counts.ts';

/** The ports of the HTTP module of ingestion. */
export interface IngestionPorts {
  readonly intake: Intake;
  readonly directory: Pick<
    Directory,
    'find' | 'findAll' | 'assign' | 'assignAll' | 'idsOf' | 'page' | 'attributeHashes'
  >;
  readonly erasures: Erasures;
  /** null if no process of this topology can correct events. */
  readonly corrections: Corrections | null;
  readonly requests: RecordedRequests;
  readonly clock: Clock;
  /** Counts events. */
  readonly counts: EventCounts;
  readonly configuration: (account: string) => ConfigurationHistory;
  /** Composes the answer to an outcome. Never throws, because the event is recorded by then. */
  readonly composeEventAnswer: ComposeEventAnswer;
  /** Composes the same answer as JSON text. */
  readonly writeEventAnswer: WriteEventAnswer;
  readonly users: UserReads;
  readonly achievements: AchievementReads;
  readonly composeUserAnswer: (userId: string, profile: UserProfile) => UserAnswer;
  readonly composeCompletionAnswer: (completion: AnsweredCompletion) => CompletionAnswer;
  /** @param idempotencyKey that of the request, or null if it has none */
  readonly composeGrantAnswer: (outcome: Recorded | Replayed, idempotencyKey: string | null) => GrantAnswer;
  /** @throws ProblemError if the spend was refused */
  readonly composeSpendAnswer: (answered: AnsweredPointsRequest) => SpendAnswer;
  /** @throws ProblemError if the refund was refused */
  readonly composeRefundAnswer: (answered: AnsweredPointsRequest) => RefundAnswer;
}

/** Finds requests for points in the log. One that the rules have decided has its verdict, which is in the log by then. */
export type RecordedRequests = Pick<EventLookup, 'find'>;

/** A request for points as it was recorded, and what the call caused now. */
export interface AnsweredPointsRequest {
  readonly outcome: Recorded | Replayed;
  readonly request: PointsRequest;
  readonly idempotencyKey: string;
}

/**
 * Ports for browser sessions that preview and erase. They use a small pool, so that applications never wait for them.
 */
export interface BoundedIngestionPorts extends Pick<IngestionPorts, 'users' | 'erasures' | 'intake' | 'clock'> {
  readonly directory: Pick<Directory, 'find' | 'idsOf'>;
  readonly corrections: Pick<Corrections, 'preview'> | null;
}

/** The operations of erasures besides the intake. */
export interface Erasures {
  readonly directory: DataKeys;
  /** While an import is open, nobody can be erased. */
  importOpen(account: string): boolean | Promise<boolean>;
  /** Every place with data of the user, and the effect of an erasure at `at` on it. */
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
