/** Calls to stream and database that arrive when a test lets them, and as it says. */
export class CallsOnTheirWay {
  /** Calls go well, and at once. */
  isCalm = false;
  readonly #waiting: ((fault: number) => void)[] = [];

  get count(): number {
    return this.#waiting.length;
  }

  /** @param arrive what the call does. It gets the fault that it meets; 0: none. */
  add<T>(arrive: (fault: number) => T): Promise<T> {
    if (this.isCalm) return Promise.resolve().then(() => arrive(0));
    return new Promise((resolve, reject) => {
      this.#waiting.push((fault) => {
        try {
          resolve(arrive(fault));
        } catch (error) {
          reject(error as Error);
        }
      });
    });
  }

  /** Lets one of them arrive, and everything that follows from it happen. */
  async step(pick: number, fault: number): Promise<void> {
    this.#waiting.splice(pick % Math.max(1, this.count), 1)[0]?.(fault);
    await settled();
  }

  async calm(): Promise<void> {
    this.isCalm = true;
    while (this.count > 0) await this.step(0, 0);
  }
}

export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
