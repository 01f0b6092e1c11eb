import grpc from '@grpc/grpc-js';
import type { FakeFault } from './fake-faults.ts';
import { serverError } from './fake-messages.ts';

/** The client's rights, which a test may change. */
export interface FakeRights {
  password: 'right' | 'wrong';
  mayAppend: boolean;
  /** `$all` is a system stream: by default only administrators may read it. */
  mayReadAll: boolean;
}

export interface FakeEndpoint {
  readonly host: string;
  readonly port: number;
}

export type FakeCallKind = 'append' | 'read-stream' | 'read-all';

/** The refusal of every call of the kind without the right to it; null if it is allowed. */
export function refusalByRights(rights: FakeRights, kind: FakeCallKind): grpc.ServiceError | null {
  if (rights.password === 'wrong') return serverError(grpc.status.UNAUTHENTICATED, 'Received HTTP status code 401');
  const allowed = kind === 'append' ? rights.mayAppend : kind === 'read-stream' || rights.mayReadAll;
  return allowed ? null : accessDenied();
}

export const accessDenied = (): grpc.ServiceError =>
  serverError(grpc.status.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' });

/** The refusal of a call that only the leader answers. @param leader null if the node knows none */
export const notLeader = (leader: FakeEndpoint | null): grpc.ServiceError =>
  leader === null
    ? serverError(grpc.status.UNKNOWN, 'No leader info available in response')
    : serverError(grpc.status.NOT_FOUND, 'Leader info available', {
        exception: 'not-leader',
        'leader-endpoint-host': leader.host,
        'leader-endpoint-port': String(leader.port),
      });

/** The error for a planned fault. */
export function plannedError(fault: FakeFault, leader: FakeEndpoint | null): grpc.ServiceError {
  if (fault.startsWith('calm'))
    return serverError(grpc.status.RESOURCE_EXHAUSTED, 'Bandwidth exhausted or memory limit exceeded');
  if (fault.startsWith('aborted'))
    return serverError(grpc.status.ABORTED, 'Operation timed out: Prepare phase timeout');
  if (fault === 'denied') return accessDenied();
  if (fault === 'not-leader') return notLeader(leader);
  if (fault === 'leaderless') return notLeader(null);
  return serverError(grpc.status.UNAVAILABLE, 'a planned fault');
}
