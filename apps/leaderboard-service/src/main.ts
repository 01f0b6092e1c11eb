import { runProcess, startLeaderboardService } from '@laurel/distributed';

void runProcess('leaderboard-service', startLeaderboardService);
