import { CHAIN_SERVICES, serviceOf, stepOf, stepsOf, type Step } from '@laurel/ports';
import { EnvironmentError, readEnvironment } from '@laurel/runtime';
import type { Type } from '@nestjs/common';
import { endWith, type Job, type ProcessFrame, runCommand, serveOperations } from '@laurel/processes';
import { rebuildService, resendOutput, verifyService } from '../rebuild/rebuild-service.ts';
import type { ReplayableStep } from '../rebuild/replayed-step.ts';
import { moveSteps } from '../steps/move-steps.ts';
import { observeSteps, type RunningStep } from './observe-service.ts';
import { missingAreas, type ChainAreas, type ChainBoards } from './chain-areas.ts';
import { userStepDefinition } from './service-definition.ts';
import { startUserStep } from './start-user-step.ts';
import { userStep } from './user-step.ts';

/**
 * Runs the areas of the chain that LAUREL_STEPS names, or the service that LAUREL_SERVICE names; with the argument `rebuild` it writes
 * their read models anew, with `rebuild --verify` it does so beside them and compares, with `resend` their output topic, with `steps move` it has them
 * applied in these steps from now on, and ends.
 * @param areas that the program has; it refuses to run others
 * @param controllers have a handler for the input of each service of the chain
 */
export function runChainService(areas: ChainAreas, controllers: readonly Type[]): Promise<void> {
  const steps = stepsOfEnvironment(areas);
  const replayable = (step: Step): ReplayableStep => replayableStep(step, areas);
  const name = steps.map((step) => step.name).join('+');
  return runCommand(
    name,
    (frame) => serveSteps(frame, name, steps, areas),
    new Map<string, Job>([
      ['steps move', (frame) => moveSteps(frame, steps)],
      ['rebuild', (frame) => each(steps.map(replayable), (step) => rebuildService(frame, step))],
      ['rebuild --verify', (frame) => verifyEach(frame, steps.map(replayable))],
      ['resend', (frame) => each(steps.slice(0, 1).map(replayable), (step) => resendOutput(frame, step))],
    ]),
    controllers,
  );
}

/** @returns the steps that this process runs; it ends if the environment names none, or the program has not all of their areas */
function stepsOfEnvironment(areas: ChainAreas): readonly Step[] {
  try {
    const steps = namedSteps();
    const missing = missingAreas(steps, areas);
    if (missing.length > 0)
      throw new EnvironmentError([`LAUREL_SERVICE or LAUREL_STEPS: this program does not have ${missing.join(', ')}`]);
    return steps;
  } catch (error) {
    return endWith(error);
  }
}

function namedSteps(): readonly Step[] {
  const { service, steps } = readEnvironment(process.env);
  if (steps !== null) return stepsOf(steps);
  const found = CHAIN_SERVICES.find(({ name }) => name === service);
  if (found === undefined)
    throw new EnvironmentError([
      'LAUREL_SERVICE or LAUREL_STEPS must be given: the service, or the areas, that this process runs',
    ]);
  return [stepOf([found])];
}

/** The leaderboards of the program for a step of theirs; null: its areas belong to a user. */
const boardsOf = (step: Step, { boards }: ChainAreas): ChainBoards | null =>
  step.services.includes(serviceOf('leaderboards')) ? boards : null;

const replayableStep = (step: Step, areas: ChainAreas): ReplayableStep =>
  boardsOf(step, areas)?.step ?? userStep(userStepDefinition(step, areas.ofUsers, areas.startBeside));

async function serveSteps(frame: ProcessFrame, name: string, steps: readonly Step[], areas: ChainAreas): Promise<void> {
  const running: RunningStep[] = [];
  for (const step of steps) {
    const boards = boardsOf(step, areas);
    const start = boards
      ? boards.start(frame)
      : startUserStep(frame, userStepDefinition(step, areas.ofUsers, areas.startBeside));
    running.push({ step, service: await start });
  }
  observeSteps(frame, running);
  const of = steps.map(({ areas: applied, input, output }) => ({ areas: applied, input, output }));
  frame.logger.info({ url: await serveOperations(frame), steps: of }, `${name} is ready`);
}

/** All are compared, whatever is found. @returns the exit code */
async function verifyEach(frame: ProcessFrame, steps: readonly ReplayableStep[]): Promise<number> {
  let exitCode = 0;
  for (const step of steps) if (!(await verifyService(frame, step))) exitCode = 1;
  return exitCode;
}

async function each<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  for (const one of all) await work(one);
}
