import { USER_AREAS } from '@laurel/all-areas';
import { BOARDS, keepUserSearch, runChainService } from '@laurel/distributed';
import { ChainController } from './chain-controller.ts';

const startBeside = { users: keepUserSearch };

void runChainService({ ofUsers: USER_AREAS, boards: BOARDS, startBeside }, [ChainController]);
