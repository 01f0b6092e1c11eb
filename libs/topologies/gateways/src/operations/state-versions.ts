import { USER_AREAS } from '@laurel/all-areas';
import type { AreaName } from '@laurel/kernel';
import { LEADERBOARDS_STATE_VERSION } from '@laurel/leaderboards';

/** The version of each area's stored state in this release. */
export const STATE_VERSIONS: ReadonlyMap<AreaName, number> = new Map<AreaName, number>([
  ...USER_AREAS.map(({ name, stateVersion }) => [name, stateVersion] as const),
  ['leaderboards', LEADERBOARDS_STATE_VERSION],
]);
