import type { Command, Outcome } from '@laurel/kernel';
import { interrupts, type CommandStream } from '@laurel/ports';
import { refused } from '@laurel/engine';

/** Calls run side by side here, so those of one {@link CommandStream} wait for each other. */
export class StreamTurns {
  readonly #last = new WeakMap<CommandStream, Promise<unknown>>();

  /** Calls `take` once every call of the stream before it is answered, unless one of them interrupted the stream. */
  inTurn(
    stream: CommandStream,
    commands: readonly Command[],
    take: () => Promise<readonly Outcome[]>,
  ): Promise<readonly Outcome[]> {
    const turn = (this.#last.get(stream) ?? Promise.resolve()).then(async () => {
      if (stream.interrupted) return commands.map(() => refused('unavailable', null));
      const outcomes = await take();
      if (outcomes.some(interrupts)) stream.interrupted = true;
      return outcomes;
    });
    this.#last.set(
      stream,
      turn.catch(() => (stream.interrupted = true)),
    );
    return turn;
  }
}
