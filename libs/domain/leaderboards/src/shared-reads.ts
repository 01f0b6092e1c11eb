/** Shares reads by name: while a name is being read, later callers wait for that read. */
export class SharedReads {
  readonly #underWay = new Map<string, Promise<void>>();
  #epoch = 0;

  /**
   * Reads all keys that are not being read yet in one call, `take`s each result, and waits for the other reads.
   * @throws the error of `read`, to all who wait for it; the next call reads again
   */
  async read<Key, Value>(
    wanted: ReadonlyMap<string, Key>,
    read: (absent: readonly Key[]) => Promise<readonly Value[]>,
    take: (key: Key, value: Value) => void,
  ): Promise<void> {
    const others = [...wanted.keys()].flatMap((name) => this.#underWay.get(name) ?? []);
    const absent = new Map([...wanted].filter(([name]) => !this.#underWay.has(name)));
    if (absent.size > 0) others.push(this.#begin(absent, read, take));
    await Promise.all(others);
  }

  /** Discards running reads; later calls read again. */
  abandon(): void {
    this.#epoch++;
    this.#underWay.clear();
  }

  #begin<Key, Value>(
    absent: ReadonlyMap<string, Key>,
    read: (absent: readonly Key[]) => Promise<readonly Value[]>,
    take: (key: Key, value: Value) => void,
  ): Promise<void> {
    const epoch = this.#epoch;
    const keys = [...absent.values()];
    const reading = read(keys)
      .then((values) => {
        if (epoch === this.#epoch) keys.forEach((key, i) => take(key, values[i] as Value));
      })
      .finally(() => {
        if (epoch === this.#epoch) for (const name of absent.keys()) this.#underWay.delete(name);
      });
    for (const name of absent.keys()) this.#underWay.set(name, reading);
    return reading;
  }
}
