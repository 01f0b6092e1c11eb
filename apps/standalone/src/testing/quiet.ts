import type { ServiceEvents } from '../start-service.ts';

/** Ignores everything that a service reports, and needs no outcomes. */
export const QUIET: ServiceEvents = {
  onAreaFailure: () => undefined,
  onQueueState: () => undefined,
  onSweepFailure: () => undefined,
  onDamagedState: () => undefined,
  onOutcomesFailure: () => undefined,
  oldestNeeded: () => Promise.resolve(null),
};
