import type { SqlReader } from '@laurel/kernel';
import { CHAIN_SERVICES, stepOf, stepsOf, stepText, type ChainServiceEntry, type Step } from '@laurel/ports';

/** The areas of a service are recorded as those of another step than this process would run. */
export class StepsDifferError extends Error {
  override readonly name = 'StepsDifferError';
}

/** The schema, its table, or, of an older release, the column is not there. */
const NOTHING_RECORDED = ['3F000', '42P01', '42703'];

/** The step that applies the areas of a service; null: the service has never been started. */
async function recordedStep(sql: SqlReader, service: ChainServiceEntry): Promise<Step | null> {
  const rows = await sql
    .query<{ step: string | null }>(`select step from ${service.schema}.area_versions order by area limit 1`, [])
    .catch((error: unknown) => {
      const { code = '' } = error as { readonly code?: string };
      if (NOTHING_RECORDED.includes(code)) return [];
      throw error;
    });
  const [row] = rows;
  if (row === undefined) return null;
  const [step = stepOf([service])] = row.step === null ? [] : stepsOf(row.step.split(','));
  return step;
}

/** The steps that the services were last run in, front to back; a service that was never started is a step of its own. @param sql of any schema */
export async function recordedSteps(sql: SqlReader): Promise<readonly Step[]> {
  const steps: Step[] = [];
  let next = 0;
  for (const [place, service] of CHAIN_SERVICES.entries()) {
    if (place < next) continue;
    const step = (await recordedStep(sql, service)) ?? stepOf([service]);
    steps.push(step);
    next = place + step.services.length;
  }
  return steps;
}

/** Whether the areas of this step were last applied in this very step, or never. @throws StepsDifferError which says what to do */
export async function assertRecorded(
  sql: SqlReader,
  step: Pick<Step, 'areas' | 'services'>,
  remedy: (recorded: Step) => string,
): Promise<void> {
  for (const service of step.services) {
    const recorded = await recordedStep(sql, service);
    if (recorded === null || stepText(recorded) === stepText(step)) continue;
    throw new StepsDifferError(
      `${service.areas.join(',')} ${service.areas.length > 1 ? 'are' : 'is'} applied in the step ${stepText(recorded)}, not in ${stepText(step)}: ${remedy(recorded)}`,
    );
  }
}

/** What a process says that was started with other steps. */
export const toldToMove = (): string =>
  'run this program with the words steps move and the same variables, then start it again';
