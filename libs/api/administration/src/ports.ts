import type { Instant, LocalDate } from '@laurel/calendar';
import type { Publication, WrittenDocument } from '@laurel/configuration';
import type {
  AreaName,
  Attribution,
  ConfigurationHistory,
  DomainEventType,
  PointsStanding,
  Subject,
} from '@laurel/kernel';
import type {
  AchievementReads,
  Clock,
  Completion,
  Directory,
  LevelReached,
  StreakReads,
  UserReads,
  UserSearch,
} from '@laurel/ports';
import type {
  ConfigurationPlanAnswer,
  ExportedAward,
  ExportedEvent,
  ExportedRanking,
  ExportedWinner,
  LoggedEvent,
  DigestAnswer,
  NewApiKeyAnswer,
  ApiKeyAnswer,
  NewKeyRequest,
  RebuildAnswer,
  ServiceStatus,
  VerificationAnswer,
} from '@laurel/schemas';
import type { AdministrativeLog, LogProofs } from '@laurel/event-store';
import type { Outcomes } from '@laurel/outgoing';
import type { Logger } from '@laurel/runtime';

/** The ports of the HTTP module of administration. */
export interface AdministrationPorts {
  readonly operations: Operations;
  /** null if this process owns no read models; each service then has a program that rebuilds its own. */
  readonly rebuilds: Rebuilds | null;
  readonly verifications: Verifications;
  readonly configurations: Configurations;
  readonly keys: KeyRing;
  readonly audit: Audit;
  readonly exports: Exports;
  readonly events: LoggedEvents;
  /** null if no process of this topology makes outcomes. */
  readonly outcomes: Outcomes | null;
  readonly support: SupportReads;
  readonly logHash: {
    readonly proofs: Pick<LogProofs, 'head' | 'inclusion' | 'consistency'>;
    /** The position of the account's event with this id, or null if there is none. */
    readonly findPosition: (account: string, eventId: string) => Promise<number | null>;
  };
  readonly clock: Clock;
  /** Receives each publication and each change of a key, never a secret. */
  readonly logger: Logger;
}

/** Token under which a process provides its {@link AdministrationPorts}. */
export const ADMINISTRATION_PORTS = Symbol('AdministrationPorts');

/** The state of the process, and reads of all read models. */
export interface Operations {
  status(account: string): Promise<ServiceStatus>;
  /** Hashes all tables. */
  digest(account: string): Promise<DigestAnswer>;
  /** All read models as JSON text, in chunks. */
  state(account: string): AsyncIterable<string>;
}

/** Rebuilds of the read models from the log, one at a time. */
export interface Rebuilds {
  /**
   * Starts a rebuild of these areas; all if none is named. @param verify whether it only compares. @throws ProblemError
   * 422 while a rebuild is running, or if these areas cannot be rebuilt alone.
   */
  start(areas: readonly AreaName[], verify: boolean): RebuildAnswer;
  /** null if there was no rebuild with this id since the process started. */
  find(id: string): RebuildAnswer | null;
}

export interface VerificationOptions {
  /** Whether to fold every user. */
  readonly full: boolean;
  /** Whether to compare only the log with its hash. */
  readonly onlyLog: boolean;
}

/** Verifications of the stored data, one at a time. */
export interface Verifications {
  /**
   * Starts a verification. @throws ProblemError 422 while one is running, or if this process can verify only the log
   * and more is requested
   */
  start(asked: VerificationOptions): VerificationAnswer;
  /** null if there was no verification with this id since the process started. */
  find(id: string): VerificationAnswer | null;
}

/** Exports, page by page. Ranges begin at `from` and end before `to`; null means no bound. */
export interface Exports {
  /** Metric events in a range of instants, in the order of recording. */
  events(account: string, range: ExportRange): AsyncGenerator<readonly ExportedEvent[], void>;
  /** Recorded awards, user by user. */
  awards(account: string, range: ExportRange): AsyncGenerator<readonly ExportedAward[], void>;
  /** Ranked rows of the runs that overlap the range. */
  rankings(account: string, range: ExportRange): AsyncGenerator<readonly ExportedRanking[], void>;
  /** @throws ProblemError 404 if there is no such board or run, 422 if the run is not final */
  winners(account: string, query: WinnersQuery): AsyncGenerator<readonly ExportedWinner[], void>;
  /** All data about a user, as chunks of JSON text, or null if there is no such user. */
  user(account: string, id: string): Promise<AsyncGenerator<string, void> | null>;
}

/** The log in order, in pages. */
export interface LoggedEvents {
  /**
   * Events in the order of recording, at most `limit` after position `after`. `upTo` is `after` of the next page;
   * `more` is false if there were no more. With `types`, a page examines a limited number of events, so it may be short
   * or empty before the end.
   */
  read(account: string, asked: LoggedOptions): Promise<LoggedPage>;
  /** The position of the newest event; 0 if there is none. */
  newest(): Promise<number>;
}

export interface LoggedOptions {
  /** Position of an event; 0 to begin with the first one. */
  readonly after: number;
  /** Position of the last wanted event; Infinity for no end. */
  readonly upTo: number;
  /** 1 to 1,000. */
  readonly limit: number;
  /** Only these types. Default: all types. */
  readonly types?: readonly DomainEventType[] | undefined;
}

export interface LoggedPage {
  readonly found: readonly LoggedEvent[];
  readonly upTo: number;
  readonly more: boolean;
}

export interface ExportRange {
  readonly from: Instant | null;
  readonly to: Instant | null;
}

export interface WinnersQuery {
  readonly leaderboard: string;
  /** Any date in the run, or null for the newest final run. */
  readonly run: LocalDate | null;
  readonly limit: number;
}

/** Reads administrative events, and the ids of subjects. */
export interface Audit {
  readonly log: Pick<AdministrativeLog, 'readAdministrative'>;
  readonly directory: Pick<Directory, 'idsOf'>;
}

/** Reads users' profiles and standings. */
export interface SupportReads {
  readonly directory: Pick<Directory, 'find' | 'idsOf' | 'page'>;
  readonly users: Pick<UserReads, 'find' | 'profiles'> & UserSearch;
  readonly streaks: Pick<StreakReads, 'view'>;
  readonly achievements: Pick<AchievementReads, 'completedBy'> & {
    /** Completions of a configured achievement, newest first and then by subject, at most `limit` after `after`. */
    completions(
      account: string,
      achievement: string,
      after: Completion | null,
      limit: number,
    ): Promise<readonly Completion[]>;
  };
  readonly points: {
    /** The user's points at `at` by configured system, in configuration order. Due points count, recorded or not. */
    standingsBySystem(
      account: string,
      subject: Subject,
      at: Instant,
    ): Promise<ReadonlyMap<string, PointsStanding<bigint>>>;
    /** Users on a configured level, newest first and then by subject, at most `limit` after `after`. */
    usersOnLevel(
      account: string,
      system: string,
      level: string,
      page: { readonly after: LevelReached | null; readonly limit: number },
    ): Promise<readonly LevelReached[]>;
  };
  readonly configuration: (account: string) => ConfigurationHistory;
}

/** Reads and publishes versions of an account's configuration. */
export interface Configurations {
  /** In order. A version that was published again before the first event appears once, in its last form. */
  publications(account: string): readonly Publication[];
  /** The text to show for a publication, or null if none is stored. */
  textOf(account: string, publication: Publication): Promise<string | null>;
  /** Plans the publication of a valid document. */
  plan(account: string, document: unknown): Promise<ConfigurationPlanAnswer>;
  /**
   * Publishes a valid document as the next version, live. `created` is false if the document is already in force:
   * nothing is published then, but a given text replaces the shown one.
   * `accept`: whether to record the document as the file last published from. `plan`: the id of the document's plan, or
   * null to publish over any version.
   * @returns null if the plan belongs to another document or to another version in force; nothing is published then
   */
  publish(
    account: string,
    written: WrittenDocument,
    options: { readonly accept: boolean; readonly plan: string | null; readonly attribution: Attribution },
  ): Promise<{ readonly publication: Publication; readonly created: boolean; readonly text: string | null } | null>;
}

/** The API keys of an account. A change applies to every request that arrives after the answer. */
export interface KeyRing {
  list(account: string): Promise<readonly ApiKeyAnswer[]>;
  create(account: string, request: NewKeyRequest, attribution: Attribution): Promise<NewApiKeyAnswer>;
  /** Revokes a key from now on; revoking it again changes nothing. Returns null if there is no such key. */
  revoke(account: string, id: string, attribution: Attribution): Promise<ApiKeyAnswer | null>;
}
