import { startLeaderboardService, LEADERBOARD_SERVICE } from '../chain/start-leaderboard-service.ts';
import type { UserServiceDefinition } from '../chain/service-definition.ts';
import { startUserService, userService } from '../chain/start-user-service.ts';
import { rebuildService, resendOutput } from '../rebuild/rebuild-service.ts';
import type { ReplayableService } from '../rebuild/replayed-service.ts';
import { runProcess, type ProcessFrame } from './run-process.ts';

/** Runs a service whose areas belong to a user; see {@link run}. */
export const runUserService = (definition: UserServiceDefinition): Promise<void> =>
  run(userService(definition), (frame) => startUserService(frame, definition));

/** Runs the service of the leaderboards; see {@link run}. */
export const runLeaderboardService = (): Promise<void> => run(LEADERBOARD_SERVICE, startLeaderboardService);

/** What a service's program does by its first argument: none, it serves; `rebuild`, `resend`: it does that, and ends. */
function run(service: ReplayableService, serve: (frame: ProcessFrame) => Promise<void>): Promise<void> {
  const [, , command] = process.argv;
  switch (command) {
    case undefined:
      return runProcess(service.name, serve);
    case 'rebuild':
      return runProcess(`${service.name}.rebuild`, (frame) => job(frame, () => rebuildService(frame, service)));
    case 'resend':
      return runProcess(`${service.name}.resend`, (frame) => job(frame, () => resendOutput(frame, service)));
    default:
      process.stderr.write(`unknown command ${JSON.stringify(command)}; there is: rebuild, resend, or none to serve\n`);
      process.exit(2);
  }
}

async function job({ shutdown }: ProcessFrame, work: () => Promise<void>): Promise<void> {
  await work();
  process.exit((await shutdown.stop()) ? 0 : 1);
}
