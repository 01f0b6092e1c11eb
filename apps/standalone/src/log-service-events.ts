import { describeDamage, repairCommand } from '@laurel/kernel';
import { lastingFailure, logUserSearch } from '@laurel/runtime';
import type { ServiceEvents } from './start-service.ts';
import type { StandaloneFrame } from './standalone-frame.ts';

/** Logs and measures the events of a service. Ends the process when another one has taken over its database. */
export const logServiceEvents = ({
  logger,
  clock,
  port,
  metrics,
}: StandaloneFrame): Omit<ServiceEvents, 'oldestNeeded' | 'onErased'> => ({
  onStep: (step) => port.starting(step),
  onAreaFailure: (area, position, err) =>
    logger.error(
      { area, position, err },
      'an area is halted; further events are recorded, and wait until a fixed release is started or the area is rebuilt',
    ),
  onCommitted: metrics.onCommitted,
  onSweepFailure: lastingFailure(logger, clock, 'could not settle what fell due; the next sweep retries'),
  onDamagedState: (damage, err) =>
    logger.error({ ...damage, repair: repairCommand(damage), err }, describeDamage(damage)),
  onOutcomesFailure: lastingFailure(logger, clock, 'outcomes could not be made or deleted; they are tried again'),
  onUserSearch: logUserSearch(logger, clock),
  onQueueState: (state, err) => {
    if (state === 'fenced') {
      logger.fatal({ err }, 'another process now writes to this database; this one ends');
      process.exit(1);
    }
    logger[err ? 'warn' : 'info']({ state, err }, 'the single-writer queue changed its state');
  },
});
