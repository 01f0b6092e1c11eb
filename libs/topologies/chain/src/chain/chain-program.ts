import type { AnyUserArea, ChainService } from '@laurel/engine';
import type { AreaName, SqlReader } from '@laurel/kernel';
import {
  CHAIN_SERVICES,
  stepOf,
  stepsOf,
  type ChainServiceEntry,
  type ChainServiceName,
  type ChainStep,
} from '@laurel/ports';
import { EnvironmentError, type Environment } from '@laurel/runtime';
import type { ProcessFrame } from '@laurel/processes';
import type { ReplayableStep } from '../rebuild/replayed-step.ts';

/** Starts additional work of an area on the schema with its tables, until the process stops. */
export type StartBeside = (frame: ProcessFrame, sql: SqlReader) => void;

/** The leaderboards of a chain process. */
export interface ChainBoards {
  readonly step: ReplayableStep;
  readonly start: (frame: ProcessFrame) => Promise<ChainService>;
}

/** The areas of a chain program. */
export interface ChainProgram {
  /** The service that it runs unless LAUREL_STEPS says otherwise; null if LAUREL_SERVICE names it. */
  readonly service: ChainServiceName | null;
  readonly ofUsers: readonly AnyUserArea[];
  /** null if the program has no leaderboards. */
  readonly boards: ChainBoards | null;
  readonly startBeside?: Readonly<Partial<Record<AreaName, StartBeside>>>;
}

/**
 * The steps that a program runs: the steps of LAUREL_STEPS, else the service of LAUREL_SERVICE, else its own service.
 * @throws EnvironmentError if nothing names a service or steps, or if the program does not have all of their areas
 */
export function stepsToRun(
  program: Pick<ChainProgram, 'service' | 'ofUsers' | 'boards'>,
  { service, steps }: Pick<Environment, 'service' | 'steps'>,
): readonly ChainStep[] {
  const wanted = steps === null ? [stepOf([serviceNamed(service ?? program.service)])] : stepsOf(steps);
  const missing = missingAreas(wanted, program);
  if (missing.length > 0)
    throw new EnvironmentError([
      `${steps === null ? 'LAUREL_SERVICE' : 'LAUREL_STEPS'}: ${program.service ?? 'this program'} does not have ${missing.join(', ')}; apps/area-service (image laurel-area-service) has every area`,
    ]);
  return wanted;
}

function serviceNamed(name: string | null): ChainServiceEntry {
  const found = CHAIN_SERVICES.find((service) => service.name === name);
  if (found === undefined)
    throw new EnvironmentError([
      'LAUREL_SERVICE or LAUREL_STEPS must be given: the service, or the areas, that this process runs',
    ]);
  return found;
}

/** In the order of the chain. */
function missingAreas(
  steps: readonly Pick<ChainStep, 'areas'>[],
  { ofUsers, boards }: Pick<ChainProgram, 'ofUsers' | 'boards'>,
): readonly AreaName[] {
  const present = new Set<AreaName>([...ofUsers.map(({ name }) => name), ...(boards ? ['leaderboards' as const] : [])]);
  return steps.flatMap(({ areas }) => areas.filter((area) => !present.has(area)));
}
