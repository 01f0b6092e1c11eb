import { runChainService } from '@laurel/chain';
import { BOARDS } from '@laurel/partitioned-boards';
import { ContributionsController } from './contributions-controller.ts';

void runChainService({ service: 'leaderboard-service', ofUsers: [], boards: BOARDS }, [ContributionsController]);
