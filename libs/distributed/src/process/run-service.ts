import { CHAIN_SERVICES, serviceOf, type ChainServiceEntry } from '@laurel/contracts';
import { EnvironmentError, readEnvironment } from '@laurel/runtime';
import { userServiceDefinition } from '../chain/service-definition.ts';
import { startLeaderboardService, LEADERBOARD_SERVICE } from '../chain/start-leaderboard-service.ts';
import { startUserService, userService } from '../chain/start-user-service.ts';
import { resendLog } from '../ingestion/resend-log.ts';
import { upgradeLog } from '../ingestion/upgrade-log.ts';
import { rebuildService, resendOutput } from '../rebuild/rebuild-service.ts';
import type { ReplayableService } from '../rebuild/replayed-service.ts';
import { endWith, runProcess, type ProcessFrame } from './run-process.ts';

/**
 * Runs the service of the chain that LAUREL_SERVICE names; with the argument `rebuild` it writes its read models anew, with `resend` its
 * output topic, and ends.
 */
export function runChainService(): Promise<void> {
  const service = serviceOfEnvironment();
  if (service === serviceOf('leaderboards')) return run(LEADERBOARD_SERVICE, startLeaderboardService);
  const definition = userServiceDefinition(service);
  return run(userService(definition), (frame) => startUserService(frame, definition));
}

function serviceOfEnvironment(): ChainServiceEntry {
  try {
    const { service } = readEnvironment(process.env);
    const found = CHAIN_SERVICES.find(({ name }) => name === service);
    if (found === undefined)
      throw new EnvironmentError(['LAUREL_SERVICE must be given: the service that this process runs']);
    return found;
  } catch (error) {
    return endWith(error);
  }
}

/** Runs an ingestion gateway; with the argument `resend` it publishes the log again instead, with `upgrade` it copies a log of 0.1; then it ends. */
export const runIngestionGateway = (serve: Serve): Promise<void> =>
  runCommand(
    'ingestion-gateway',
    serve,
    new Map([
      ['resend', resendLog],
      ['upgrade', upgradeLog],
    ]),
  );

type Serve = (frame: ProcessFrame) => Promise<void>;

/** What a service's program does by its first argument: none, it serves; `rebuild`, `resend`: it does that, and ends. */
const run = (service: ReplayableService, serve: Serve): Promise<void> =>
  runCommand(
    service.name,
    serve,
    new Map<string, Serve>([
      ['rebuild', (frame) => rebuildService(frame, service)],
      ['resend', (frame) => resendOutput(frame, service)],
    ]),
  );

function runCommand(name: string, serve: Serve, jobs: ReadonlyMap<string, Serve>): Promise<void> {
  const [, , command] = process.argv;
  if (command === undefined) return runProcess(name, serve);
  const work = jobs.get(command);
  if (work !== undefined) return runProcess(`${name}.${command}`, (frame) => job(frame, () => work(frame)), false);
  process.stderr.write(
    `unknown command ${JSON.stringify(command)}; there is: ${[...jobs.keys()].join(', ')}, or none to serve\n`,
  );
  process.exit(2);
}

async function job({ shutdown }: ProcessFrame, work: () => Promise<void>): Promise<void> {
  await work();
  process.exit((await shutdown.stop()) ? 0 : 1);
}
