import { causedEffects, type CausedDependencies, changedFinalRuns, runsOfRecords } from '@laurel/stored-effects';
import type { AreaReads } from '@laurel/all-areas';
import { ACCOUNT, type StateUnderPlan, type ConfigurationHistory, type SqlReader } from '@laurel/kernel';
import type { Clock } from '@laurel/ports';
import type { AreaStatus } from '@laurel/schemas';
import type { PostgresDirectory } from '@laurel/directory';
import type { PostgresLogReader } from '@laurel/event-store';
import { deleteNotifiedTops } from '@laurel/leaderboards';
import type { Engine, RecentEvents } from '@laurel/engine';
import {
  OUTCOME_CURSORS,
  OutcomeReader,
  type OldestNeeded,
  type OutcomeReaderDependencies,
  type PostgresOutcomes,
} from '@laurel/outgoing';
import { profilesInMemory, type UsersPlan, type UsersState } from '@laurel/users';

export interface OutcomeSource {
  readonly sql: SqlReader;
  readonly clock: Clock;
  readonly log: PostgresLogReader;
  readonly directory: PostgresDirectory;
  readonly reads: AreaReads;
  readonly outcomes: PostgresOutcomes;
  readonly recentEvents: RecentEvents;
  /** Not called before the reader starts. */
  readonly engine: () => Engine;
  readonly configuration: (account: string) => ConfigurationHistory;
  readonly oldestNeeded: OldestNeeded;
  readonly onFailure: (error: unknown) => void;
}

/** Makes outcomes of committed events, from memory if possible. */
export function outcomeReaderOf(source: OutcomeSource): OutcomeReader {
  const { sql, clock, outcomes, configuration, oldestNeeded, onFailure, engine } = source;
  const stored = storedEffectsOf(source);
  return new OutcomeReader(
    {
      store: outcomes,
      clock,
      configurations: configuration,
      log: logFromMemory(source),
      caused: (account, records, ranks) => causedEffects(stored, account, records, ranks),
      runs: (account, records, most) => runsOfRecords(stored, account, records, most),
      finalRuns: (account, query, goesOn) => changedFinalRuns(stored, account, query, goesOn),
      applied: () => appliedByAll(engine().status()),
      oldestNeeded,
      deleteNotified: (goesOn) => deleteNotifiedTops(sql, OUTCOME_CURSORS, goesOn),
      onFailure,
    },
    ACCOUNT,
  );
}

function storedEffectsOf({ sql, log, directory, reads, engine, configuration, recentEvents }: OutcomeSource) {
  const users: CausedDependencies['users'] = {
    zonesAt: (questions) => reads.users.zonesAt(questions),
    profiles: profilesInMemory(
      (user) => (engine().stateInMemory(user, 'users') as StateUnderPlan<UsersState, UsersPlan> | undefined)?.state,
      (account, subjects) => reads.users.profiles(account, subjects),
    ),
  };
  return {
    sqlOf: () => sql,
    log,
    directory: { idsOf: directory.idsInMemoryOf.bind(directory) },
    streaks: reads.streaks,
    leaderboards: reads.leaderboards,
    users,
    configurations: configuration,
    recentEvents,
  };
}

const logFromMemory = ({ log, recentEvents, engine }: OutcomeSource): OutcomeReaderDependencies['log'] => ({
  read: async (after, limit) =>
    recentEvents.takeBehind(after, Math.min(after + limit, engine().status().head)) ?? log.read(after, limit),
  readAccountEvents: (account, types) => log.readAccountEvents(account, types),
  readAdministrativeBehind: (account, after, limit) => log.readAdministrativeBehind(account, after, limit),
  head: () => log.head(),
});

/** Outcomes wait for every area, even a stopped one. */
const appliedByAll = ({ head, areas }: { readonly head: number; readonly areas: readonly AreaStatus[] }): number =>
  Math.min(head, ...areas.map(({ position }) => position));
