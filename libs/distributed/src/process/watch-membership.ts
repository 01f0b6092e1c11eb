import { MembershipLiveness } from './membership-liveness.ts';
import type { ProcessFrame } from './run-process.ts';

/** `/healthz` fails if this process does not get back into its consumer group although the broker answers. */
export function watchMembership(
  { clock, health, shutdown, stream }: ProcessFrame,
  group: string,
  isMember: () => boolean,
): void {
  const liveness = new MembershipLiveness({ clock, group, isMember, askCoordinator: () => stream.ping(group) });
  health.registerLiveness(() => liveness.restartReason);
  shutdown.register('membership', () => liveness.stop());
  liveness.start();
}
