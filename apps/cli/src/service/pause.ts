import type { CommandContext } from '../command-context.ts';
import { InterruptedError } from '../command-error.ts';

/** Waits. @throws InterruptedError as soon as Ctrl-C is pressed. */
export async function pause(ms: number, { clock, interrupted }: CommandContext): Promise<void> {
  if (!interrupted.aborted)
    await new Promise<void>((resolve) => {
      const end = (): void => {
        cancel();
        interrupted.removeEventListener('abort', end);
        resolve();
      };
      const cancel = clock.after(ms, end);
      interrupted.addEventListener('abort', end);
    });
  if (interrupted.aborted) throw new InterruptedError();
}
