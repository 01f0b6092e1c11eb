import { ACHIEVEMENT_SERVICE, runUserService } from '@laurel/distributed';

void runUserService(ACHIEVEMENT_SERVICE);
