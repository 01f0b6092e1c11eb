import type { AnyUserArea, ChainService } from '@laurel/engine';
import type { AreaName, SqlReader } from '@laurel/kernel';
import type { Step } from '@laurel/ports';
import type { ProcessFrame } from '@laurel/processes';
import type { ReplayableStep } from '../rebuild/replayed-step.ts';

/** Starts what a process does beside applying an area, on the schema that has its tables, until it stops. */
export type StartBeside = (frame: ProcessFrame, sql: SqlReader) => void;

/** The leaderboards, as a process of the chain runs them. */
export interface ChainBoards {
  readonly step: ReplayableStep;
  readonly start: (frame: ProcessFrame) => Promise<ChainService>;
}

/** The areas that a program has. */
export interface ChainAreas {
  readonly ofUsers: readonly AnyUserArea[];
  /** null: the program has no leaderboards. */
  readonly boards: ChainBoards | null;
  readonly startBeside?: Readonly<Partial<Record<AreaName, StartBeside>>>;
}

/** The areas of the steps that a program does not have, in the order of the chain. */
export function missingAreas(
  steps: readonly Pick<Step, 'areas'>[],
  { ofUsers, boards }: ChainAreas,
): readonly AreaName[] {
  const present = new Set<AreaName>([...ofUsers.map(({ name }) => name), ...(boards ? ['leaderboards' as const] : [])]);
  return steps.flatMap(({ areas }) => areas.filter((area) => !present.has(area)));
}
