import type { ChainService, ChainServiceEvent } from '@laurel/engine';
import type { ChainStep } from '@laurel/ports';
import { markMembership, type ProcessFrame, watchMembership } from '@laurel/processes';
import { lastingFailure } from '@laurel/runtime';

/** A step that runs in this process. */
export interface RunningStep {
  readonly step: Pick<ChainStep, 'name'>;
  readonly service: ChainService;
}

/** Health, metrics and graceful stop of the steps of a process. */
export function observeSteps(frame: ProcessFrame, steps: readonly RunningStep[]): void {
  for (const running of steps) observeStep(frame, running, steps.length === 1 ? 'chain' : `chain ${running.step.name}`);
  const services = steps.map(({ service }) => service);
  watchMembership(
    frame,
    services.map((service) => ({ group: service.group, isMember: () => service.assigned !== null })),
  );
  const observe = (name: string, help: string, countIn: (service: ChainService) => number): void =>
    frame.metrics.observe(name, help, () => services.reduce((sum, service) => sum + countIn(service), 0));
  observe('laurel_records_total', 'Records applied since the start.', ({ counts }) => counts.records);
  const configurations = 'Configurations that came by since the start.';
  observe('laurel_configurations_total', configurations, ({ counts }) => counts.configurations);
  const repeated = 'Messages dropped because they had been seen.';
  observe('laurel_repeated_total', repeated, ({ counts }) => counts.repeated);
  observe('laurel_batches_total', 'Commits since the start.', ({ counts }) => counts.batches);
  observe('laurel_sent_total', 'Messages sent to the next service since the start.', ({ counts }) => counts.sent);
  observe('laurel_effects_total', 'Effects sent to waiting callers since the start.', ({ counts }) => counts.effects);
  observe('laurel_partitions_assigned', 'Partitions owned.', ({ assigned }) => assigned?.length ?? 0);
  observe('laurel_partitions_stopped', 'Halted partitions.', ({ troubles }) => troubles.size);
}

function observeStep(frame: ProcessFrame, { step, service }: RunningStep, healthName: string): void {
  const isMember = () => service.assigned !== null;
  frame.shutdown.register(`chain ${step.name}`, () => service.close());
  markMembership(frame, step.name, isMember);
  frame.health.register(healthName, () => ({
    ok: isMember() && service.troubles.size === 0,
    detail: { partitions: service.assigned?.length ?? null, stopped: Object.fromEntries(service.troubles) },
  }));
}

/** Writes the events of a service to the log. */
export function logServiceEvents({ clock, logger }: ProcessFrame): (event: ChainServiceEvent) => void {
  const lost = lastingFailure(logger, clock, 'could not send results to the query gateways; answers are pending');
  return (event) => {
    switch (event.type) {
      case 'assigned':
        return logger.info({ partitions: event.partitions }, 'partitions assigned');
      case 'stopped':
        return logger.error({ partition: event.partition, err: event.error }, 'a partition is stuck; trying again');
      case 'effects-lost':
        return lost(event.error);
      case 'look-failed':
        return logger.warn({ err: event.error }, 'could not recompute due dates; retrying');
    }
  };
}
