import { type ProgressDependencies, type ServiceProgress, stepProgress } from '@laurel/chain';
import { AREAS, type AreaName } from '@laurel/kernel';
import type { AreaStatus } from '@laurel/schemas';

export interface ChainProgress {
  readonly services: readonly ServiceProgress[];
  readonly areas: readonly AreaStatus[];
}

export interface ChainProgressDependencies extends ProgressDependencies {
  /** The state version of each area in this release. */
  readonly stateVersions: ReadonlyMap<AreaName, number>;
}

/** The progress of each step and each area; see {@link stepProgress}. */
export async function chainProgress(dependencies: ChainProgressDependencies): Promise<ChainProgress> {
  const observed = await stepProgress(dependencies);
  let position = dependencies.published;
  const areas = AREAS.map((area): AreaStatus => {
    const found = observed.find((step) => step.areas.includes(area));
    // An area cannot be ahead of an earlier one.
    position = Math.min(position, found?.position ?? 0);
    const [stopped] = found?.status.stopped ?? [];
    const failure = stopped ? `partition ${stopped.partition}, offset ${stopped.offset}: ${stopped.reason}` : null;
    return { area, position, stateVersion: dependencies.stateVersions.get(area) ?? 0, failure };
  });
  return { services: observed.map(({ status }) => status), areas };
}
