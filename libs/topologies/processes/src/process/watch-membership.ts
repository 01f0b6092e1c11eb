import { MembershipLiveness } from './membership-liveness.ts';
import type { ProcessFrame } from './run-process.ts';

type WatchingFrame = Pick<ProcessFrame, 'clock' | 'health' | 'metrics' | 'shutdown' | 'stream'>;

/** A consumer group that this process should be in. */
export interface WatchedMembership {
  readonly group: string;
  readonly isMember: () => boolean;
}

/** `/healthz` fails if this process does not get back into one of its consumer groups although the broker answers. */
export function watchMembership(
  { clock, health, metrics, shutdown, stream }: WatchingFrame,
  memberships: readonly WatchedMembership[],
): void {
  const watched = memberships.map(
    ({ group, isMember }) =>
      new MembershipLiveness({ clock, group, isMember, askCoordinator: () => stream.ping(group) }),
  );
  for (const liveness of watched) health.registerLiveness(() => liveness.restartReason);
  metrics.observe(
    'laurel_memberless_seconds',
    'Seconds outside its consumer group while the broker answers; at 300 /healthz fails.',
    () => Math.max(...watched.map(({ memberlessSeconds }) => memberlessSeconds)),
  );
  for (const liveness of watched) {
    shutdown.register('membership', () => liveness.stop());
    liveness.start();
  }
}
