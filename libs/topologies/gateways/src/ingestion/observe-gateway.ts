import type { ProcessFrame } from '@laurel/processes';
import { servicesHealth } from '../operations/watch-chain.ts';
import { logHealth } from './log-health.ts';
import type { IngestionStores } from './open-ingestion-stores.ts';
import type { OpenIntake } from './open-intake.ts';
import type { LogLeader } from './start-log-leader.ts';

export type ObservedGateway = OpenIntake & { readonly stores: IngestionStores; readonly leader: LogLeader };

/** Health checks and metrics of an ingestion gateway, except those of its storage. */
export function observeGateway(frame: ProcessFrame, observed: ObservedGateway): void {
  checkHealth(frame, observed);
  countEvents(frame, observed);
}

function checkHealth({ health, clock }: ProcessFrame, { stores, intake, leader, watch }: ObservedGateway): void {
  health.register('database', async () => {
    await stores.schema.sql.query('select published_at from publications limit 1', []);
    return { ok: true };
  });
  health.register('log', () => logHealth(stores.store, intake.queueState(), clock));
  // Without the stream, events are still recorded, and answered as pending, so the gateway stays ready.
  health.register('stream', () => ({
    ok: true,
    detail: { publishes: leader.leading, published: leader.relay.position, trouble: leader.relay.trouble },
  }));
  health.register('services', () => servicesHealth(watch));
}

function countEvents({ metrics }: ProcessFrame, { intake, backlog, leader }: ObservedGateway): void {
  metrics.observe('laurel_recorded_total', 'Events recorded since the start.', () => intake.counts.recorded);
  metrics.observe('laurel_replayed_total', 'Events whose key had been used.', () => intake.counts.replayed);
  metrics.observe('laurel_refused_total', 'Events refused since the start.', () => intake.counts.refused);
  metrics.observe('laurel_pending_total', 'Answers that said `pending`.', () => intake.counts.pending);
  metrics.observe('laurel_waiting', 'Events taken in and not yet answered.', () => intake.waiting);
  metrics.observe(
    'laurel_receipts_unapplied',
    'Events acknowledged by a receipt and, when last looked, not applied by every service.',
    () => backlog.records,
  );
  metrics.observe('laurel_published_total', 'Records published to the first topic.', () => leader.relay.counts.records);
  metrics.observe('laurel_swept_total', 'Users swept since the start.', () => leader.sweeper.counts.users);
  metrics.observe('laurel_leading', '1 if this gateway publishes the log.', () => Number(leader.leading));
}
