/**
 * What happens to a call. `refused`: answered with an error, and nothing was done. `lost`: done, but answered with an error. `cut-before`,
 * `cut-after`: every connection of every client is cut, before or after it was done. `silent-before`, `silent-after`: never
 * answered. `placeless`: done and answered, but without the position, as of events that are no longer in the server's index.
 */
export type FakeFault =
  'refused' | 'lost' | 'cut-before' | 'cut-after' | 'silent-before' | 'silent-after' | 'placeless' | 'none';

export type FaultyCall = 'append' | 'read';

/** Faults planned by a test, one for each of the next calls of a kind. */
export class FakeFaults {
  readonly #planned = new Map<FaultyCall, FakeFault[]>();

  plan(call: FaultyCall, faults: readonly FakeFault[]): void {
    this.#planned.set(call, [...(this.#planned.get(call) ?? []), ...faults]);
  }

  next(call: FaultyCall): FakeFault {
    return this.#planned.get(call)?.shift() ?? 'none';
  }
}

/** Whether the call is carried out at all. */
export const isCarriedOut = (fault: FakeFault): boolean =>
  fault === 'none' || fault === 'placeless' || fault === 'lost' || fault.endsWith('-after');
