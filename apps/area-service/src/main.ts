import { MIGRATIONS_OF_AREA, USER_AREAS } from '@laurel/all-areas';
import { BOARDS, keepUserSearch, runChainService, type ChainArea } from '@laurel/distributed';
import { ChainController } from './chain-controller.ts';

const ofUsers = USER_AREAS.map((area): ChainArea => {
  const migrations = MIGRATIONS_OF_AREA[area.name];
  return area.name === 'users' ? { area, migrations, startBeside: keepUserSearch } : { area, migrations };
});

void runChainService({ ofUsers, boards: BOARDS }, [ChainController]);
