import { keepUserSearch, runChainService } from '@laurel/chain';
import { streaksArea } from '@laurel/streaks';
import { UserSearchIndex, usersArea } from '@laurel/users';
import { LogController } from './log-controller.ts';

const startBeside = { users: keepUserSearch(UserSearchIndex) };

void runChainService({ service: 'streak-service', ofUsers: [usersArea, streaksArea], boards: null, startBeside }, [
  LogController,
]);
