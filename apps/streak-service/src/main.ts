import { STREAK_SERVICE, runProcess, startUserService } from '@laurel/distributed';

void runProcess(STREAK_SERVICE.name, (frame) => startUserService(frame, STREAK_SERVICE));
