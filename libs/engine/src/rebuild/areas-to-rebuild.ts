import { AREAS, type AreaName } from '@laurel/kernel';

/** The areas asked for cannot be rebuilt alone. */
export class NotRebuildableError extends Error {
  override readonly name = 'NotRebuildableError';
}

/** In the order of the chain; none named: all. @throws NotRebuildableError if an area that has stopped would be left out. */
export function areasToRebuild(asked: readonly AreaName[], stopped: ReadonlySet<AreaName>): readonly AreaName[] {
  const areas = AREAS.filter((area) => asked.length === 0 || asked.includes(area));
  const first = AREAS.findIndex((area) => stopped.has(area));
  // What an area has not applied waits for it alone: those behind it in the chain have not seen it, and would never.
  const missing = first < 0 ? [] : AREAS.slice(first).filter((area) => !areas.includes(area));
  if (missing.length === 0) return areas;
  throw new NotRebuildableError(
    `${AREAS[first]} is halted, and the areas behind it have not seen what is parked for it: rebuild ${missing.join(', ')} as well`,
  );
}
