import { STREAK_SERVICE, runUserService } from '@laurel/distributed';

void runUserService(STREAK_SERVICE);
