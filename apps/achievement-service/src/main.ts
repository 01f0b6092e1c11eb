import { achievementsArea } from '@laurel/achievements';
import { runChainService } from '@laurel/chain';
import { StreaksController } from './streaks-controller.ts';

void runChainService({ service: 'achievement-service', ofUsers: [achievementsArea], boards: null }, [
  StreaksController,
]);
