/**
 * A fault of a call. With `-before`, the call is not carried out; with `-after`, it is.
 * `refused`: answered UNAVAILABLE, and nothing was done. `lost`: done, but answered UNAVAILABLE.
 * `cut`: all connections of all clients are cut. `silent`: never answered.
 * `calm`: RESOURCE_EXHAUSTED, as the client reports HTTP/2's ENHANCE_YOUR_CALM.
 * `aborted`: ABORTED, the server's own timeout. `denied`: ACCESS_DENIED.
 * `not-leader`: refused with the leader's address. `leaderless`: refused by a node that does not know the leader.
 * `unreplicated`: written only to the leader, and never answered: see {@link FakeLog.append}.
 * `placeless`: done and answered, but without the position, as for events that are no longer in the server's index.
 */
export type FakeFault =
  | 'refused'
  | 'lost'
  | 'cut-before'
  | 'cut-after'
  | 'silent-before'
  | 'silent-after'
  | 'calm-before'
  | 'calm-after'
  | 'aborted-before'
  | 'aborted-after'
  | 'denied'
  | 'not-leader'
  | 'leaderless'
  | 'unreplicated'
  | 'placeless'
  | 'none';

export type FaultyCall = 'append' | 'read';

/** Faults planned by a test, one for each of the next calls of a kind. */
export class FakeFaults {
  readonly #planned = new Map<FaultyCall, FakeFault[]>();
  readonly #lasting = new Map<string, FakeFault>();

  plan(call: FaultyCall, faults: readonly FakeFault[]): void {
    this.#planned.set(call, [...(this.#planned.get(call) ?? []), ...faults]);
  }

  /** The fault of every append to streams with this prefix. */
  planFor(prefix: string, fault: FakeFault): void {
    this.#lasting.set(prefix, fault);
  }

  next(call: FaultyCall, stream = ''): FakeFault {
    const lasting = [...this.#lasting].find(([prefix]) => stream.startsWith(prefix));
    return this.#planned.get(call)?.shift() ?? lasting?.[1] ?? 'none';
  }
}

const CARRIED_OUT: readonly FakeFault[] = ['none', 'placeless', 'lost', 'unreplicated'];

/** Whether the call is carried out. */
export const isCarriedOut = (fault: FakeFault): boolean => CARRIED_OUT.includes(fault) || fault.endsWith('-after');

/** Whether the call stays without an answer. */
export const isSilent = (fault: FakeFault): boolean => fault.startsWith('silent') || fault === 'unreplicated';
