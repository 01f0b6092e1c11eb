import type { PreparedStatements } from './postgres-partition-store.ts';

/** The version of the form in which each area stores its data, by the area's name. */
export type StateVersions = ReadonlyMap<string, number>;

/** The stored data of a service was written by a release that stores it in another form. */
export class StaleStatesError extends Error {
  override readonly name = 'StaleStatesError';
}

/**
 * Records the state versions and the step in an empty schema. In a schema with data, compares them with the recorded
 * ones.
 * @param step all areas of the step, separated by commas
 * @throws StaleStatesError naming the areas that differ: the service must be rebuilt from its input.
 */
export async function assertStateVersions(
  sql: PreparedStatements,
  versions: StateVersions,
  step: string,
): Promise<void> {
  await sql.query(
    'note-versions',
    `insert into area_versions (area, state_version, step)
     select area, state_version, $2 from json_to_recordset($1::json) as given (area text, state_version integer)
     where not exists (select from input_partitions) on conflict do nothing`,
    [JSON.stringify([...versions].map(([area, state_version]) => ({ area, state_version }))), step],
  );
  // A separate statement sees the rows that another instance inserted while the first one waited for its lock.
  const rows = await sql.query<{ area: string; state_version: number }>(
    'noted-versions',
    'select area, state_version from area_versions',
    [],
  );
  const stored = new Map(rows.map(({ area, state_version }) => [area, state_version]));
  const differing = [...versions].filter(([area, version]) => stored.get(area) !== version);
  if (differing.length === 0) return;
  const which = differing.map(
    ([area, version]) => `${area} (stored: ${stored.get(area) ?? 'none'}, of this release: ${version})`,
  );
  throw new StaleStatesError(
    `what is stored of ${which.join(', ')} has another form: run this release with the argument rebuild first`,
  );
}
