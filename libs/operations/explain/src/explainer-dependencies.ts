import type { ConfigurationHistory, StateReader } from '@laurel/kernel';
import type { EventLookup } from '@laurel/event-store';
import type { PointsQueries } from '@laurel/points';
import type { SqlOfArea } from '@laurel/stored-effects';
import type { StreakQueries } from '@laurel/streaks';
import type { UserQueries } from '@laurel/users';

/** The log and the read models that explanations read. */
export interface ExplainerDependencies {
  readonly sqlOf: SqlOfArea;
  readonly log: EventLookup;
  readonly users: UserQueries;
  readonly points: PointsQueries;
  readonly streaks: StreakQueries;
  readonly states: StateReader;
  readonly configurations: (account: string) => ConfigurationHistory;
}
