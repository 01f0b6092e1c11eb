import type { ChainStep } from '@laurel/ports';
import type { ProcessFrame } from '@laurel/processes';
import { instanceLock } from '../rebuild/instance-lock.ts';

/**
 * Holds the instance lock while the process runs. @param check see {@link KeptLock} @throws StartError if a job runs
 * that excludes instances of the step
 */
export async function keepInstanceLock(
  frame: ProcessFrame,
  step: Pick<ChainStep, 'name' | 'services'>,
  check: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const onRefused = (err: unknown): void => {
    frame.logger.fatal({ err }, 'this instance must not continue; its process ends');
    process.exit(1);
  };
  frame.shutdown.register('instance', await instanceLock(frame, step, { check, onRefused }));
}
