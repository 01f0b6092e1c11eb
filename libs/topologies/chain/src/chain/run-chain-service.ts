import { serviceOf, type ChainStep } from '@laurel/ports';
import { readEnvironment } from '@laurel/runtime';
import type { Type } from '@nestjs/common';
import { endWith, type Job, type ProcessFrame, runCommand, serveOperations } from '@laurel/processes';
import { rebuildService, resendOutput, verifyService } from '../rebuild/rebuild-service.ts';
import type { ReplayableStep } from '../rebuild/replayed-step.ts';
import { moveSteps } from '../steps/move-steps.ts';
import { observeSteps, type RunningStep } from './observe-service.ts';
import { stepsToRun, type ChainProgram, type ChainBoards } from './chain-program.ts';
import { userStepDefinition } from './service-definition.ts';
import { startUserStep } from './start-user-step.ts';
import { userStep } from './user-step.ts';

/**
 * Runs a service of the chain, or the steps of LAUREL_STEPS. With the argument `rebuild` it rebuilds their read models and ends; with
 * `rebuild --verify` it rebuilds them beside those in use and compares; with `resend` it sends their output again; with `steps move` it moves
 * their areas to these steps.
 * @param program refuses to run areas that it does not have
 * @param controllers handle the inputs of the steps
 */
export function runChainService(program: ChainProgram, controllers: readonly Type[]): Promise<void> {
  const steps = stepsOfEnvironment(program);
  const replayable = (step: ChainStep): ReplayableStep => replayableStep(step, program);
  const name = steps.map((step) => step.name).join('+');
  return runCommand(
    name,
    (frame) => serveSteps(frame, name, steps, program),
    new Map<string, Job>([
      ['steps move', (frame) => moveSteps(frame, steps)],
      ['rebuild', (frame) => each(steps.map(replayable), (step) => rebuildService(frame, step))],
      ['rebuild --verify', (frame) => verifyEach(frame, steps.map(replayable))],
      ['resend', (frame) => each(steps.slice(0, 1).map(replayable), (step) => resendOutput(frame, step))],
    ]),
    controllers,
  );
}

/** Ends the process if the environment names no steps, or steps that the program cannot run. */
function stepsOfEnvironment(program: ChainProgram): readonly ChainStep[] {
  try {
    return stepsToRun(program, readEnvironment(process.env));
  } catch (error) {
    return endWith(error);
  }
}

/** The leaderboards of the program if the step contains them; null for a step of user areas. */
const boardsOf = (step: ChainStep, { boards }: ChainProgram): ChainBoards | null =>
  step.services.includes(serviceOf('leaderboards')) ? boards : null;

const replayableStep = (step: ChainStep, program: ChainProgram): ReplayableStep =>
  boardsOf(step, program)?.step ?? userStep(userStepDefinition(step, program.ofUsers, program.startBeside));

async function serveSteps(
  frame: ProcessFrame,
  name: string,
  steps: readonly ChainStep[],
  program: ChainProgram,
): Promise<void> {
  const running: RunningStep[] = [];
  for (const step of steps) {
    const boards = boardsOf(step, program);
    const start = boards
      ? boards.start(frame)
      : startUserStep(frame, userStepDefinition(step, program.ofUsers, program.startBeside));
    running.push({ step, service: await start });
  }
  observeSteps(frame, running);
  const of = steps.map(({ areas: applied, input, output }) => ({ areas: applied, input, output }));
  frame.logger.info({ url: await serveOperations(frame), steps: of }, `${name} is ready`);
}

/** Compares all steps, even after a difference. @returns the exit code */
async function verifyEach(frame: ProcessFrame, steps: readonly ReplayableStep[]): Promise<number> {
  let exitCode = 0;
  for (const step of steps) if (!(await verifyService(frame, step))) exitCode = 1;
  return exitCode;
}

async function each<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  for (const one of all) await work(one);
}
