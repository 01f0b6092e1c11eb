import { runLeaderboardService } from '@laurel/distributed';

void runLeaderboardService();
