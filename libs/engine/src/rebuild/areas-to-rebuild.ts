import { AREAS, type AreaName } from '@laurel/kernel';

/** The requested areas cannot be rebuilt without others. */
export class NotRebuildableError extends Error {
  override readonly name = 'NotRebuildableError';
}

/**
 * The areas to rebuild, in the order of the chain; all if none is requested. @throws NotRebuildableError if a stopped
 * area is not among them.
 */
export function areasToRebuild(asked: readonly AreaName[], stopped: ReadonlySet<AreaName>): readonly AreaName[] {
  const areas = AREAS.filter((area) => asked.length === 0 || asked.includes(area));
  const first = AREAS.findIndex((area) => stopped.has(area));
  // The records that a stopped area has not applied wait in its inbox only. The areas after it have not seen them, so
  // they must be rebuilt as well.
  const missing = first < 0 ? [] : AREAS.slice(first).filter((area) => !areas.includes(area));
  if (missing.length === 0) return areas;
  throw new NotRebuildableError(
    `${AREAS[first]} is halted, and the areas behind it have not seen what is parked for it: rebuild ${missing.join(', ')} as well`,
  );
}
