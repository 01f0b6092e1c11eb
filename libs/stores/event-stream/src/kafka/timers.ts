import type { CancelTimer, Clock } from '@laurel/ports';

/** Timers that are cancelled together. */
export class Timers {
  readonly #clock: Clock;
  readonly #cancels = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  after(delayMs: number, task: () => void): void {
    const cancel: CancelTimer = this.#clock.after(delayMs, () => {
      this.#cancels.delete(cancel);
      task();
    });
    this.#cancels.add(cancel);
  }

  /** Resolves early when the timers are cancelled. */
  async wait(delayMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const end = (): void => {
        this.#cancels.delete(stop);
        resolve();
      };
      const cancel = this.#clock.after(delayMs, end);
      const stop = (): void => {
        cancel();
        resolve();
      };
      this.#cancels.add(stop);
    });
  }

  cancel(): void {
    const cancels = [...this.#cancels];
    this.#cancels.clear();
    for (const cancel of cancels) cancel();
  }
}
