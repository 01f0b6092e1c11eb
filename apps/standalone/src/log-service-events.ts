import { describeDamage, repairCommand } from '@laurel/kernel';
import { lastingFailure } from '@laurel/runtime';
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
    logger.error({ area, position, err }, 'an area is halted; events are recorded and parked for it'),
  onCommitted: metrics.onCommitted,
  onSweepFailure: lastingFailure(logger, clock, 'could not settle what fell due; the next sweep retries'),
  onDamagedState: (damage, err) =>
    logger.error({ ...damage, repair: repairCommand(damage), err }, describeDamage(damage)),
  onOutcomesFailure: lastingFailure(logger, clock, 'outcomes could not be made or deleted; they are tried again'),
  onUserSearch: {
    onProgress: (users, isBuilt) =>
      logger.info({ users }, isBuilt ? 'the index of users is built' : 'building the index of users'),
    onFailure: lastingFailure(logger, clock, 'could not keep the index of users; retrying'),
  },
  onQueueState: (state, err) => {
    if (state === 'fenced') {
      logger.fatal({ err }, 'another process writes to this database now');
      process.exit(1);
    }
    logger[err ? 'warn' : 'info']({ state, err }, 'the single-writer queue changed its state');
  },
});
