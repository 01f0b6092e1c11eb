import { MembershipLiveness } from './membership-liveness.ts';
import type { ProcessFrame } from './run-process.ts';

type WatchingFrame = Pick<ProcessFrame, 'clock' | 'health' | 'metrics' | 'shutdown' | 'stream'>;

/** `/healthz` fails if this process does not get back into its consumer group although the broker answers. */
export function watchMembership(
  { clock, health, metrics, shutdown, stream }: WatchingFrame,
  group: string,
  isMember: () => boolean,
): void {
  const liveness = new MembershipLiveness({ clock, group, isMember, askCoordinator: () => stream.ping(group) });
  health.registerLiveness(() => liveness.restartReason);
  metrics.observe(
    'laurel_memberless_seconds',
    'Seconds outside its consumer group while the broker answers; at 300 /healthz fails.',
    () => liveness.memberlessSeconds,
  );
  shutdown.register('membership', () => liveness.stop());
  liveness.start();
}
