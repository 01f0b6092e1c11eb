import { assertStateVersions, type StateVersions, type UserAreaName } from '@laurel/engine';
import type { AreaName, AreaTable, Migration } from '@laurel/kernel';
import { stepText, type Step } from '@laurel/ports';
import type { ConnectionOptions } from '@laurel/database';
import { openSchema, type OpenSchema } from './open-schema.ts';
import type { SchemaName } from './schemas.ts';

/** What a step stores in the schema of one of its services. */
export interface StepSchema {
  readonly name: SchemaName;
  readonly migrations: readonly Migration[];
  readonly stateVersions: StateVersions;
  /** The tables of each of its areas, in the order of the chain. */
  readonly tables: ReadonlyMap<AreaName, readonly AreaTable[]>;
  /** SQL for what a comparison of states compares. */
  readonly states: ReadonlyMap<UserAreaName, string>;
}

/** Where a step stores: the schemas of its services, of which the first has its checkpoints. */
export interface OpenPlace {
  readonly opened: readonly [OpenSchema, ...OpenSchema[]];
  close(): Promise<void>;
}

/** A step, and what it stores where. */
export interface StoredStep extends Pick<Step, 'areas'> {
  /** Front to back, one at least. */
  readonly schemas: readonly StepSchema[];
}

/**
 * Brings the schemas of a step up to date and opens them.
 * @param nameOf what each is called instead
 * @throws StartError, or the driver's error
 */
export async function openPlace(
  server: ConnectionOptions,
  { schemas }: StoredStep,
  nameOf: (schema: SchemaName) => string = (schema) => schema,
): Promise<OpenPlace> {
  const opened: OpenSchema[] = [];
  const close = async () => {
    await Promise.all(opened.map((schema) => schema.close()));
  };
  try {
    for (const { name, migrations } of schemas)
      opened.push(await openSchema(server, nameOf(name) as SchemaName, migrations));
  } catch (error) {
    await close();
    throw error;
  }
  const [first, ...others] = opened;
  if (first === undefined) throw new Error('a step stores in one schema at least');
  return { opened: [first, ...others], close };
}

/** @throws StaleStatesError naming what differs: the step must be rebuilt from its input */
export async function assertVersions({ opened }: OpenPlace, step: StoredStep): Promise<void> {
  for (const [index, { stateVersions }] of step.schemas.entries()) {
    const schema = opened[index];
    if (schema) await assertStateVersions(schema.statements, stateVersions, stepText(step));
  }
}
