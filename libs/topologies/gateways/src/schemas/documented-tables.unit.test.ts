import { readFileSync } from 'node:fs';
import { MIGRATIONS, USER_AREAS } from '@laurel/all-areas';
import { userStepDefinition } from '@laurel/chain';
import { chainServiceMigrations } from '@laurel/engine';
import type { Migration } from '@laurel/kernel';
import { serviceOf, stepOf, USER_SERVICES } from '@laurel/ports';
import { databaseMigrations } from '@laurel/database';
import { BOARDS_STEP } from '@laurel/partitioned-boards';
import { INGESTION_MIGRATIONS, partitionOwnersMigrations, SCHEMAS } from '@laurel/processes';
import { USER_SEARCH_TABLES } from '@laurel/users';
import { OUTGOING_SERVICE_MIGRATIONS } from '../outgoing/open-outgoing-stores.ts';

const [ONE_PROCESS = '', DISTRIBUTED = ''] = readFileSync(
  new URL('../../../../../docs/architecture/tables.md', import.meta.url),
  'utf8',
)
  .split('\n## ')
  .slice(1);

/** The cells of the rows of the table in a section. */
const rowsOf = (section: string): readonly (readonly string[])[] =>
  section.split('\n').flatMap((line) => (line.startsWith('| `') ? [line.split('|').slice(1, -1)] : []));

const namesIn = (cell = ''): string[] => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);

/** The tables that are there once the migrations are through. */
function tablesOf(migrations: readonly Migration[]): string[] {
  const tables = new Set<string>();
  const inOrder = [...migrations].sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const [, made, dropped] of inOrder.flatMap(({ sql }) => [
    ...sql.matchAll(/create table (\w+)|drop table ([\w, ]+)/g),
  ])) {
    if (made !== undefined) tables.add(made);
    for (const name of dropped?.split(', ') ?? []) tables.delete(name);
  }
  return [...tables].sort();
}

/** A service after the first names those that all have by their number. */
function documentedBySchema(): ReadonlyMap<string, readonly string[]> {
  const rows = rowsOf(DISTRIBUTED);
  const first = namesIn(rows.find(([schema]) => schema?.includes('laurel_streak'))?.[1]).slice(0, 5);
  return new Map(
    rows.map(([schema, tables = '']) => [
      namesIn(schema)[0] ?? '',
      [...(tables.includes('the first five') ? first : []), ...namesIn(tables)].sort(),
    ]),
  );
}

describe('docs/architecture/tables.md', () => {
  it('names the tables of a standalone process', () => {
    const documented = rowsOf(ONE_PROCESS).flatMap(([tables]) => namesIn(tables));
    const switchedOn = USER_SEARCH_TABLES;
    expect(documented.sort()).toEqual([...tablesOf(MIGRATIONS), ...switchedOn, 'schema_migrations'].sort());
  });

  it('names the tables of each schema of the distributed topology', () => {
    const services = USER_SERVICES.flatMap((service) => userStepDefinition(stepOf([service]), USER_AREAS).schemas).map(
      ({ name, areas }) => {
        const columns = areas.map((area) => area.name);
        return [
          name,
          tablesOf([...chainServiceMigrations(columns), ...areas.flatMap(({ migrations }) => migrations)]),
        ] as const;
      },
    );
    expect(documentedBySchema()).toEqual(
      new Map<string, readonly string[]>([
        [SCHEMAS.ingestion, tablesOf(INGESTION_MIGRATIONS)],
        ...services,
        [serviceOf('leaderboards').schema, tablesOf(BOARDS_STEP.schemas.flatMap(({ migrations }) => migrations))],
        [SCHEMAS.query, tablesOf(partitionOwnersMigrations)],
        [SCHEMAS.keys, tablesOf(databaseMigrations)],
        [SCHEMAS.outgoing, tablesOf(OUTGOING_SERVICE_MIGRATIONS)],
      ]),
    );
  });
});
