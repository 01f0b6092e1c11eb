/** Calls to stream and database that wait until a test completes them, with a fault or without. */
export class CallsOnTheirWay {
  /** Whether calls complete immediately and without faults. */
  isCalm = false;
  readonly #waiting: ((fault: number) => void)[] = [];

  get count(): number {
    return this.#waiting.length;
  }

  /** @param arrive performs the call. Receives the fault to simulate; 0 for none. */
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

  /** Completes one waiting call, and everything that follows from it. */
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
