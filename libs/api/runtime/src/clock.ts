import { formatInstant } from '@laurel/calendar/instants';
import type { CancelTimer, Clock } from '@laurel/ports';
import type { ClockSetting } from './environment/variable-parsers.ts';

/** The longest delay of a Node timer. With a longer one, the timer would fire at once. */
export const LONGEST_DELAY_MS = 2 ** 31 - 1;

/** The clock that the environment requests. Only this function reads the system time and sets timers. */
export function createClock(setting: ClockSetting): Clock {
  switch (setting.type) {
    case 'system':
      return { now: () => Date.now(), elapsedMs, after };
    case 'frozen':
      return { now: () => setting.at, elapsedMs, after };
    case 'started': {
      const startedAtMs = elapsedMs();
      return { now: () => setting.at + Math.floor(elapsedMs() - startedAtMs), elapsedMs, after };
    }
  }
}

/** A note that the clock is not the system's, for the banner and `/readyz`; null for the system clock. */
export function clockNote(setting: ClockSetting): string | null {
  switch (setting.type) {
    case 'system':
      return null;
    case 'frozen':
      return `LAUREL_CLOCK: stands still at ${formatInstant(setting.at)}`;
    case 'started':
      return `LAUREL_CLOCK: started at ${formatInstant(setting.at)}`;
  }
}

const elapsedMs = (): number => performance.now();

function after(delayMs: number, task: () => void): CancelTimer {
  if (!(delayMs >= 0 && delayMs <= LONGEST_DELAY_MS))
    throw new RangeError(`a timer takes 0 to ${LONGEST_DELAY_MS} ms, not ${delayMs}`);
  const timer = setTimeout(task, delayMs);
  return () => clearTimeout(timer);
}
