import { POINTS_SERVICE, runProcess, startUserService } from '@laurel/distributed';

void runProcess(POINTS_SERVICE.name, (frame) => startUserService(frame, POINTS_SERVICE));
