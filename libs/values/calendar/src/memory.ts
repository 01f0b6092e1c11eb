import type { Zone } from './types.ts';

/**
 * Remembers values by zone and number, at most `capacity` of them: then it forgets all. That repeats some work and never changes a
 * result.
 */
export class LocalMemory<V> {
  readonly #byZone = new Map<Zone, Map<number, V>>();
  readonly #capacity: number;
  #size = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(zone: Zone, key: number): V | undefined {
    return this.#byZone.get(zone)?.get(key);
  }

  /** Remembers a value that is not held yet, and returns it. */
  set(zone: Zone, key: number, value: V): V {
    if (this.#size >= this.#capacity) this.#forget();
    const known = this.#byZone.get(zone) ?? new Map<number, V>();
    this.#byZone.set(zone, known.set(key, value));
    this.#size++;
    return value;
  }

  #forget(): void {
    this.#byZone.clear();
    this.#size = 0;
  }
}
