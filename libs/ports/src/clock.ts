import type { Instant } from '@laurel/calendar';

/** The one clock of a process. Nothing else asks for the time or sets a timer. */
export interface Clock {
  now(): Instant;
  /**
   * Milliseconds since an arbitrary moment, for measuring durations. Never decreases, and continues while `now` stands
   * still.
   */
  elapsedMs(): number;
  /** Runs `task` once after `delayMs` of real time. @throws RangeError beyond 2³¹ − 1 ms, where a Node timer fires at once. */
  after(delayMs: number, task: () => void): CancelTimer;
}

export type CancelTimer = () => void;

/** Resolves once `ms` of real time have passed. @throws RangeError as {@link Clock.after} does */
export const pause = (clock: Pick<Clock, 'after'>, ms: number): Promise<void> =>
  new Promise((resolve) => void clock.after(ms, resolve));

/**
 * Runs `work` every `ms` of real time, counted from the end of the previous run, until it is cancelled. Reports a rejected run to
 * `onFailure` and goes on. Cancelling does not stop a run that is under way. @throws RangeError as
 * {@link Clock.after} does
 */
export function repeat(
  clock: Pick<Clock, 'after'>,
  ms: number,
  work: () => Promise<unknown>,
  onFailure: (error: unknown) => void,
): CancelTimer {
  let isCancelled = false;
  const schedule = (): CancelTimer =>
    clock.after(ms, () => {
      void work()
        .catch(onFailure)
        .finally(() => {
          if (!isCancelled) cancelNext = schedule();
        });
    });
  let cancelNext = schedule();
  return () => {
    isCancelled = true;
    cancelNext();
  };
}
