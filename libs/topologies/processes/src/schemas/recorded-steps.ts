import type { SqlReader } from '@laurel/kernel';
import { CHAIN_SERVICES, stepOf, stepsOf, stepText, type ChainServiceEntry, type ChainStep } from '@laurel/ports';
import { readIfColumnsExist } from './read-if-there.ts';

/** The areas of a service were last applied in another step than this process would run. */
export class StepsDifferError extends Error {
  override readonly name = 'StepsDifferError';
}

/** The step that applies the areas of a service; null if the service has never been started. */
async function recordedStep(sql: SqlReader, service: ChainServiceEntry): Promise<ChainStep | null> {
  const [row] = await readIfColumnsExist<{ step: string | null }>(
    sql,
    `select step from ${service.schema}.area_versions order by area limit 1`,
  );
  if (row === undefined) return null;
  const [step = stepOf([service])] = row.step === null ? [] : stepsOf(row.step.split(','));
  return step;
}

/** The steps in which the services last ran, front to back; a service that was never started is a step of its own. @param sql of any schema */
export async function recordedSteps(sql: SqlReader): Promise<readonly ChainStep[]> {
  const steps: ChainStep[] = [];
  let next = 0;
  for (const [place, service] of CHAIN_SERVICES.entries()) {
    if (place < next) continue;
    const step = (await recordedStep(sql, service)) ?? stepOf([service]);
    steps.push(step);
    next = place + step.services.length;
  }
  return steps;
}

/** @throws StepsDifferError with the remedy if the areas of this step were last applied in another step */
export async function assertRecorded(
  sql: SqlReader,
  step: Pick<ChainStep, 'areas' | 'services'>,
  remedy: (recorded: ChainStep) => string,
): Promise<void> {
  for (const service of step.services) {
    const recorded = await recordedStep(sql, service);
    if (recorded === null || stepText(recorded) === stepText(step)) continue;
    throw new StepsDifferError(
      `${service.areas.join(',')} ${service.areas.length > 1 ? 'are' : 'is'} applied in the step ${stepText(recorded)}, not in ${stepText(step)}: ${remedy(recorded)}`,
    );
  }
}

/** The remedy for a process that was started with other steps. */
export const moveInstructions = (): string =>
  'run this program with the words steps move and the same variables, then start it again';
