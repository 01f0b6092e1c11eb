import { POINTS_SERVICE, runUserService } from '@laurel/distributed';

void runUserService(POINTS_SERVICE);
