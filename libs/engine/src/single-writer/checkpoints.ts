import { AREAS, type AreaName } from '@laurel/kernel';
import type { Checkpoint } from '../storage/batch-store.ts';
import type { Failure } from './batch.ts';
import type { Chain } from './chain.ts';

type Areas = Pick<Chain, 'userAreas' | 'boards'>;
type NamedCheckpoint = Checkpoint & { readonly area: AreaName };

/** An area after a stopped one is no further than the stopped one, because the later records wait there. */
export function checkpointsAt(
  { userAreas, boards }: Areas,
  head: number,
  failures: ReadonlyMap<AreaName, Failure>,
): readonly NamedCheckpoint[] {
  let position = head;
  return [...userAreas, boards].map(({ name, stateVersion }) => {
    const failure = failures.get(name);
    position = Math.min(position, failure?.position ?? position);
    return { area: name, stateVersion, position, failure: failure?.reason ?? null };
  });
}

/** The areas whose checkpoints say that they have stopped. */
export const failuresIn = (checkpoints: ReadonlyMap<AreaName, Checkpoint>): ReadonlyMap<AreaName, Failure> =>
  new Map(
    AREAS.flatMap((area) => {
      const checkpoint = checkpoints.get(area);
      return checkpoint?.failure
        ? [[area, { position: checkpoint.position, reason: checkpoint.failure }] as const]
        : [];
    }),
  );

/** @throws StaleReadModelsError if the stored state of an area belongs to another log or another release */
export function refuseStaleStates(areas: Areas, head: number, checkpoints: ReadonlyMap<AreaName, Checkpoint>): void {
  if (head === 0) return;
  const stale = checkpointsAt(areas, head, failuresIn(checkpoints)).filter(({ area, position, stateVersion }) => {
    const stored = checkpoints.get(area);
    return stored?.position !== position || stored.stateVersion !== stateVersion;
  });
  if (stale.length > 0) throw new StaleReadModelsError(stale.map(({ area }) => area));
}

/** The stored state of these areas belongs to another log or another release: they must be rebuilt. */
export class StaleReadModelsError extends Error {
  override readonly name = 'StaleReadModelsError';
  readonly areas: readonly AreaName[];

  constructor(areas: readonly AreaName[]) {
    super(
      `what is stored of ${areas.join(', ')} does not fit the log or this release, and must be rebuilt from the log`,
    );
    this.areas = areas;
  }
}
