import { repeat } from '@laurel/ports';
import { lastingFailure } from '@laurel/runtime';
import type { ProcessFrame } from '../process/run-process.ts';
import type { PartitionOwners } from './partition-owners.ts';

const LOOK_MS = 2_000;

/** Claims the partitions of this process again if another owner is recorded. @param assigned null if it currently owns none */
export function keepClaims(
  { clock, logger, shutdown }: Pick<ProcessFrame, 'clock' | 'logger' | 'shutdown'>,
  owners: PartitionOwners,
  assigned: () => readonly number[] | null,
  address: string,
): void {
  const onFailure = lastingFailure(logger, clock, 'could not check the recorded owners of partitions; trying again');
  shutdown.register(
    'claims',
    repeat(clock, LOOK_MS, () => owners.keep(assigned() ?? [], address), onFailure),
  );
}
