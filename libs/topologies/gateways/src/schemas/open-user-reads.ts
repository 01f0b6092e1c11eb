import { AchievementQueries } from '@laurel/achievements';
import { USER_AREAS } from '@laurel/all-areas';
import type { StateReader } from '@laurel/kernel';
import { PointsQueries } from '@laurel/points';
import { postgresStateReader } from '@laurel/engine';
import { type GatewayConfigurations, schemaOf, type SchemaReaders } from '@laurel/processes';
import { StreakQueries } from '@laurel/streaks';
import { UserQueries } from '@laurel/users';

/** The read sides of the user areas, each in the schema of its service. */
export interface UserReadSides {
  readonly users: UserQueries;
  readonly streaks: StreakQueries;
  readonly achievements: AchievementQueries;
  readonly points: PointsQueries;
  readonly states: StateReader;
}

export function openUserReads(
  readers: Pick<SchemaReaders, 'reader'>,
  { historyOf }: Pick<GatewayConfigurations, 'historyOf'>,
): UserReadSides {
  const sqlOfArea = (area: (typeof USER_AREAS)[number]['name']) => readers.reader(schemaOf(area));
  const stateReaders = new Map(USER_AREAS.map(({ name }) => [name, postgresStateReader(sqlOfArea(name))]));
  const readerOf = (area: (typeof USER_AREAS)[number]['name']) => stateReaders.get(area) as StateReader;
  const states: StateReader = {
    read: (account, subject, area) => readerOf(area).read(account, subject, area),
    readAll: (account, subjects, area) => readerOf(area).readAll(account, subjects, area),
  };
  const users = new UserQueries(sqlOfArea('users'), states, historyOf);
  return {
    users,
    streaks: new StreakQueries(sqlOfArea('streaks'), states, historyOf),
    achievements: new AchievementQueries(sqlOfArea('achievements'), historyOf),
    points: new PointsQueries(sqlOfArea('points'), states, historyOf, users),
    states,
  };
}
