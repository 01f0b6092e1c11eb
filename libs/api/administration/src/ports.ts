import type { Instant, LocalDate } from '@laurel/calendar';
import type { Publication, WrittenDocument } from '@laurel/configuration';
import type { AreaName, Attribution, ConfigurationHistory, DomainEventType, Subject } from '@laurel/kernel';
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
  /** null: this process owns no read models; each service has a program that rebuilds its own. */
  readonly rebuilds: Rebuilds | null;
  readonly verifications: Verifications;
  readonly configurations: Configurations;
  readonly keys: KeyRing;
  readonly audit: Audit;
  readonly exports: Exports;
  readonly events: LoggedEvents;
  /** null: no process of this topology makes any. */
  readonly outcomes: Outcomes | null;
  readonly support: SupportReads;
  readonly logHash: {
    readonly proofs: Pick<LogProofs, 'head' | 'inclusion' | 'consistency'>;
    /** The position of the account's event with this id; null: it has none. */
    readonly findPosition: (account: string, eventId: string) => Promise<number | null>;
  };
  readonly clock: Clock;
  /** Called for each publication and each change of a key; never given a secret. */
  readonly logger: Logger;
}

/** Token under which a process provides its {@link AdministrationPorts}. */
export const ADMINISTRATION_PORTS = Symbol('AdministrationPorts');

/** The state of the process, and reads of all its read models. */
export interface Operations {
  status(account: string): Promise<ServiceStatus>;
  /** Hashes everything in the tables. */
  digest(account: string): Promise<DigestAnswer>;
  /** The whole read models as JSON text, in pieces. */
  state(account: string): AsyncIterable<string>;
}

/** Rebuilds of the read models from the log, one at a time. */
export interface Rebuilds {
  /** Begins one; no area named: all. @param verify whether it only compares. @throws ProblemError 422 while one is under way, or if these areas alone cannot be rebuilt. */
  start(areas: readonly AreaName[], verify: boolean): RebuildAnswer;
  /** null: none with this id since the process started. */
  find(id: string): RebuildAnswer | null;
}

export interface VerificationOptions {
  /** Whether every user is folded. */
  readonly full: boolean;
  /** Whether nothing but the log is compared, with its hash. */
  readonly onlyLog: boolean;
}

/** Checks of what is stored, one at a time. */
export interface Verifications {
  /** Begins one. @throws ProblemError 422 while one is under way, or if this process can verify nothing but the log and more is asked for */
  start(asked: VerificationOptions): VerificationAnswer;
  /** null: none with this id since the process started. */
  find(id: string): VerificationAnswer | null;
}

/** Exports, page by page. Ranges begin at `from` and end before `to`; null: no bound. */
export interface Exports {
  /** Metric events by their instants, in the order of recording. */
  events(account: string, range: ExportRange): AsyncGenerator<readonly ExportedEvent[], void>;
  /** Recorded awards, user by user. */
  awards(account: string, range: ExportRange): AsyncGenerator<readonly ExportedAward[], void>;
  /** Ranked rows of the runs that touch the range. */
  rankings(account: string, range: ExportRange): AsyncGenerator<readonly ExportedRanking[], void>;
  /** @throws ProblemError 404 if there is no such board or run, 422 if the run is not final */
  winners(account: string, query: WinnersQuery): AsyncGenerator<readonly ExportedWinner[], void>;
  /** Everything held about a user, as pieces of JSON text; null: there is no such user. */
  user(account: string, id: string): Promise<AsyncGenerator<string, void> | null>;
}

/** The log in order, in pages. */
export interface LoggedEvents {
  /**
   * Events in the order of recording, at most `limit` behind position `after`; `upTo` is `after` of the page that follows, and `more`
   * is false if there were no more. With `types` a page looks at so many events that it may be short, or empty, before the end.
   */
  read(account: string, asked: LoggedOptions): Promise<LoggedPage>;
  /** The position of the newest event; 0: there is none. */
  newest(): Promise<number>;
}

export interface LoggedOptions {
  /** Position of an event; 0: from the first on. */
  readonly after: number;
  /** Position of the last event that is wanted; Infinity: no end. */
  readonly upTo: number;
  /** 1 to 1,000. */
  readonly limit: number;
  /** Only these types; absent: all. */
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
  /** Any date within the run; null: the newest run that is final. */
  readonly run: LocalDate | null;
  readonly limit: number;
}

/** Administrative events, and the ids of subjects. */
export interface Audit {
  readonly log: Pick<AdministrativeLog, 'readAdministrative'>;
  readonly directory: Pick<Directory, 'idsOf'>;
}

/** Reads about users: their profiles, and where they stand. */
export interface SupportReads {
  readonly directory: Pick<Directory, 'find' | 'idsOf' | 'page'>;
  readonly users: Pick<UserReads, 'find' | 'profiles'> & UserSearch;
  readonly streaks: Pick<StreakReads, 'view'>;
  readonly achievements: Pick<AchievementReads, 'completedBy'> & {
    /** Completions of a configured achievement, newest first and at one instant by subject, at most `limit` behind `after`. */
    completions(
      account: string,
      achievement: string,
      after: Completion | null,
      limit: number,
    ): Promise<readonly Completion[]>;
  };
  readonly points: {
    /** The user's totals at `at` by configured system, in configuration order: what is due counts, recorded or not. */
    totalsBySystem(account: string, subject: Subject, at: Instant): Promise<ReadonlyMap<string, bigint>>;
    /** On a configured level, newest first and at one instant by subject, at most `limit` behind `after`. */
    usersOnLevel(
      account: string,
      system: string,
      level: string,
      page: { readonly after: LevelReached | null; readonly limit: number },
    ): Promise<readonly LevelReached[]>;
  };
  readonly configuration: (account: string) => ConfigurationHistory;
}

/** The published versions of an account, and how to publish. */
export interface Configurations {
  /** In order; a version that was published again before the first event is there once, as it was last. */
  publications(account: string): readonly Publication[];
  /** The text that a publication is shown as; null: none is kept. */
  textOf(account: string, publication: Publication): Promise<string | null>;
  /** Plans the publication of a valid document. */
  plan(account: string, document: unknown): Promise<ConfigurationPlanAnswer>;
  /**
   * Publishes a (valid) document as the next version, live; `created` false: it is in force already, nothing was published, and
   * its text, if one is given, replaces the one shown.
   * `accept`: whether the document is recorded as the file last published from. `plan`: the id of its plan, or null to publish
   * whatever is in force.
   * @returns null if the plan is of another document, or was made against another one than is in force: nothing was published
   */
  publish(
    account: string,
    written: WrittenDocument,
    options: { readonly accept: boolean; readonly plan: string | null; readonly attribution: Attribution },
  ): Promise<{ readonly publication: Publication; readonly created: boolean; readonly text: string | null } | null>;
}

/** The API keys of an account. A change holds from the answer on, for every request that comes after it. */
export interface KeyRing {
  list(account: string): Promise<readonly ApiKeyAnswer[]>;
  create(account: string, request: NewKeyRequest, attribution: Attribution): Promise<NewApiKeyAnswer>;
  /** Revoked from now on; again: no change. null: there is no such key. */
  revoke(account: string, id: string, attribution: Attribution): Promise<ApiKeyAnswer | null>;
}
