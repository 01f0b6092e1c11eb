import type { ChainService, ChainServiceEvent } from '@laurel/engine';
import type { Step } from '@laurel/ports';
import { markMembership, type ProcessFrame, watchMembership } from '@laurel/processes';
import { lastingFailure } from '@laurel/runtime';

/** A step that runs in this process. */
export interface RunningStep {
  readonly step: Pick<Step, 'name'>;
  readonly service: ChainService;
}

/** Health, numbers and graceful stop of the steps of a process. */
export function observeSteps(frame: ProcessFrame, steps: readonly RunningStep[]): void {
  const { health, metrics, shutdown } = frame;
  const services = steps.map(({ service }) => service);
  for (const { step, service } of steps) {
    const isMember = () => service.assigned !== null;
    shutdown.register(`chain ${step.name}`, () => service.close());
    markMembership(frame, step.name, isMember);
    health.register(steps.length === 1 ? 'chain' : `chain ${step.name}`, () => ({
      ok: isMember() && service.troubles.size === 0,
      detail: {
        partitions: service.assigned?.length ?? null,
        stopped: Object.fromEntries([...service.troubles].map(([partition, reason]) => [partition, reason])),
      },
    }));
  }
  watchMembership(
    frame,
    services.map((service) => ({ group: service.group, isMember: () => service.assigned !== null })),
  );
  const sumOf = (countIn: (service: ChainService) => number) => () =>
    services.reduce((sum, service) => sum + countIn(service), 0);
  metrics.observe(
    'laurel_records_total',
    'Records applied since the start.',
    sumOf(({ counts }) => counts.records),
  );
  metrics.observe(
    'laurel_configurations_total',
    'Configurations that came by since the start.',
    sumOf(({ counts }) => counts.configurations),
  );
  metrics.observe(
    'laurel_repeated_total',
    'Messages dropped because they had been seen.',
    sumOf(({ counts }) => counts.repeated),
  );
  metrics.observe(
    'laurel_batches_total',
    'Commits since the start.',
    sumOf(({ counts }) => counts.batches),
  );
  metrics.observe(
    'laurel_sent_total',
    'Messages sent to the next service since the start.',
    sumOf(({ counts }) => counts.sent),
  );
  metrics.observe(
    'laurel_effects_total',
    'Effects sent to waiting callers since the start.',
    sumOf(({ counts }) => counts.effects),
  );
  metrics.observe(
    'laurel_partitions_assigned',
    'Partitions owned.',
    sumOf(({ assigned }) => assigned?.length ?? 0),
  );
  metrics.observe(
    'laurel_partitions_stopped',
    'Halted partitions.',
    sumOf(({ troubles }) => troubles.size),
  );
}

/** What happens in a service, told to its log. */
export function logServiceEvents({ clock, logger }: ProcessFrame): (event: ChainServiceEvent) => void {
  const lost = lastingFailure(logger, clock, 'could not send results to the query gateways; answers are pending');
  return (event) => {
    switch (event.type) {
      case 'assigned':
        return logger.info({ partitions: event.partitions }, 'partitions assigned');
      case 'stopped':
        return logger.error(
          { partition: event.partition, err: event.error },
          'a partition stands still; it is tried again',
        );
      case 'effects-lost':
        return lost(event.error);
      case 'look-failed':
        return logger.warn({ err: event.error }, 'could not recompute due dates; retrying');
    }
  };
}
