import { ACHIEVEMENT_SERVICE, runProcess, startUserService } from '@laurel/distributed';

void runProcess(ACHIEVEMENT_SERVICE.name, (frame) => startUserService(frame, ACHIEVEMENT_SERVICE));
