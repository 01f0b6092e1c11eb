import type { UserCommand, CommandResult } from '@laurel/kernel';
import { interrupts, type CommandStream } from '@laurel/ports';
import { refused } from '@laurel/engine';

/** Serializes the calls of one {@link CommandStream}; other calls run concurrently. */
export class StreamTurns {
  readonly #last = new WeakMap<CommandStream, Promise<unknown>>();

  /** Calls `take` once all earlier calls of the stream are answered, unless one of them interrupted the stream. */
  inTurn(
    stream: CommandStream,
    commands: readonly UserCommand[],
    take: () => Promise<readonly CommandResult[]>,
  ): Promise<readonly CommandResult[]> {
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
