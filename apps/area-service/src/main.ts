import { USER_AREAS } from '@laurel/all-areas';
import { keepUserSearch, runChainService } from '@laurel/chain';
import { BOARDS } from '@laurel/partitioned-boards';
import { UserSearchIndex } from '@laurel/users';
import { ChainController } from './chain-controller.ts';

const startBeside = { users: keepUserSearch(UserSearchIndex) };

void runChainService({ service: null, ofUsers: USER_AREAS, boards: BOARDS, startBeside }, [ChainController]);
