import { pointsArea } from '@laurel/points';
import { runChainService } from '@laurel/chain';
import { AchievementsController } from './achievements-controller.ts';

void runChainService({ service: 'points-service', ofUsers: [pointsArea], boards: null }, [AchievementsController]);
