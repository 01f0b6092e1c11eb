import type { Command } from 'commander';
import type { CommandContext } from './command-context.ts';

/** The action of a command. Loads the code of the command when it runs, so that the help and other commands do not wait for it. */
export const loadAction =
  <Words extends unknown[]>(
    context: CommandContext,
    load: () => Promise<(...words: [...Words, CommandContext]) => Promise<void>>,
  ) =>
  async (...words: [...Words, Command]): Promise<void> => {
    const run = await load();
    const given = words.slice(0, -1) as Words;
    await run(...given, context);
  };
