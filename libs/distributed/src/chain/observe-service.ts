import type { ChainService, ChainServiceEvent } from '@laurel/engine';
import { markMembership } from '../process/membership-mark.ts';
import type { ProcessFrame } from '../process/run-process.ts';
import { watchMembership } from '../process/watch-membership.ts';

/** Health, numbers and graceful stop of a service of the chain. */
export function observeService(frame: ProcessFrame, service: ChainService): void {
  const { health, metrics, shutdown } = frame;
  shutdown.register('chain', () => service.close());
  watchMembership(frame, service.group, () => service.assigned !== null);
  markMembership(frame, () => service.assigned !== null);
  health.register('chain', () => ({
    ok: service.assigned !== null && service.troubles.size === 0,
    detail: {
      partitions: service.assigned?.length ?? null,
      stopped: Object.fromEntries([...service.troubles].map(([partition, reason]) => [partition, reason])),
    },
  }));
  const { counts } = service;
  metrics.observe('laurel_records_total', 'Records applied since the start.', () => counts.records);
  metrics.observe(
    'laurel_configurations_total',
    'Configurations that came by since the start.',
    () => counts.configurations,
  );
  metrics.observe('laurel_repeated_total', 'Messages dropped because they had been seen.', () => counts.repeated);
  metrics.observe('laurel_batches_total', 'Commits since the start.', () => counts.batches);
  metrics.observe('laurel_sent_total', 'Messages sent to the next service since the start.', () => counts.sent);
  metrics.observe('laurel_effects_total', 'Effects sent to waiting callers since the start.', () => counts.effects);
  metrics.observe('laurel_partitions_assigned', 'Partitions owned.', () => service.assigned?.length ?? 0);
  metrics.observe('laurel_partitions_stopped', 'Halted partitions.', () => service.troubles.size);
}

/** What happens in a service, told to its log. */
export const logServiceEvents =
  ({ logger }: ProcessFrame) =>
  (event: ChainServiceEvent): void => {
    switch (event.type) {
      case 'assigned':
        return logger.info({ partitions: event.partitions }, 'partitions assigned');
      case 'stopped':
        return logger.error(
          { partition: event.partition, err: event.error },
          'a partition stands still; it is tried again',
        );
      case 'effects-lost':
        return logger.warn({ err: event.error }, 'could not send results to the query gateways; answers are pending');
      case 'look-failed':
        return logger.warn({ err: event.error }, 'could not recompute due dates; retrying');
    }
  };
