import { MIGRATIONS_OF_AREA, USER_AREAS } from '@laurel/all-areas';
import type { ChainArea } from './chain-area.ts';

/** Every area of a user, with nothing beside it. */
export const CHAIN_AREAS: readonly ChainArea[] = USER_AREAS.map((area) => ({
  area,
  migrations: MIGRATIONS_OF_AREA[area.name],
}));
