import type { AccountEvent, ConfigurationHistory, RecordedEvent, RunEvent, RecordedUserEvent } from '@laurel/kernel';
import type { Clock, DatedProfile } from '@laurel/ports';
import type { ChangeQuery, FinalRun } from '../outcomes/final-runs.ts';
import type { RunStanding, UserSourceEvent } from '../outcomes/source-event.ts';
import type { OldestNeeded } from '../ports.ts';
import type { PostgresOutcomes } from '../stored/postgres-outcomes.ts';
import type { RanksQuery } from './ranks-needed.ts';

/** A user, and the effects of an event on them. */
export interface Caused extends Pick<
  UserSourceEvent,
  'userId' | 'effects' | 'standing' | 'awardIdOf' | 'runEndOf' | 'topOf'
> {
  readonly profile: DatedProfile;
}

export interface OutcomeReaderDependencies {
  readonly store: Pick<PostgresOutcomes, 'cursor' | 'begin' | 'write' | 'deleteOld' | 'forget' | 'forgetErased'>;
  readonly log: {
    read(after: number, limit: number): Promise<readonly RecordedEvent[]>;
    readAccountEvents(account: string, types: readonly AccountEvent['type'][]): Promise<readonly RecordedEvent[]>;
    /** Records of an account that people or processes made, such as corrections and erasures; see `AdministrativeLog`. */
    readAdministrativeBehind(account: string, after: number, limit: number): Promise<readonly RecordedEvent[]>;
    head(): Promise<number>;
  };
  /** The effects of these events, in their order; null for an erased user. */
  readonly caused: (
    account: string,
    records: readonly RecordedUserEvent[],
    ranks: RanksQuery,
  ) => Promise<readonly (Caused | null)[]>;
  /** The runs of these events at the time of the event, each with its top `most` users, in the order of the events. */
  readonly runs: (
    account: string,
    records: readonly RecordedEvent<RunEvent>[],
    most: number,
  ) => Promise<readonly RunStanding[]>;
  /** The final runs that these corrections and imports changed, in their order; null if `goesOn` answers false. */
  readonly finalRuns: (
    account: string,
    query: readonly ChangeQuery[],
    goesOn: () => boolean,
  ) => Promise<readonly (readonly FinalRun[])[] | null>;
  readonly configurations: (account: string) => ConfigurationHistory;
  /** The position up to which every area has applied the log. */
  readonly applied: () => number;
  /** The leading records that every area has applied, without gaps. Missing if every area has applied everything. */
  readonly settled?: (records: readonly RecordedEvent[]) => Promise<readonly RecordedEvent[]>;
  readonly oldestNeeded: OldestNeeded;
  /**
   * Deletes rows that were stored only until these outcomes were made, as long as `goesOn` returns true. Missing if
   * another process does it.
   */
  readonly deleteNotified?: (goesOn: () => boolean) => Promise<unknown>;
  readonly clock: Clock;
  /** Reports a failure; the reader retries a second later. */
  readonly onFailure: (error: unknown) => void;
}
