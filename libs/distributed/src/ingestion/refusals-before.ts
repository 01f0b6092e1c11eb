import type { Command, Refused } from '@laurel/contracts';
import { refused } from '@laurel/engine';
import { commandsOverLimit, type AttributeLimitParts } from './attribute-limit.ts';
import type { AwardsLimit } from './awards-limit.ts';

/** The commands that must not be recorded, by what the read models know of their users now. */
export async function refusalsBefore(
  commands: readonly Command[],
  { awards, ...attributes }: AttributeLimitParts & { readonly awards: Pick<AwardsLimit, 'exceeding'> },
): Promise<ReadonlyMap<Command, Refused>> {
  const overLimit = await commandsOverLimit(commands, attributes);
  const exceeding = await awards.exceeding(commands.filter((command) => !overLimit.has(command)));
  return new Map([
    ...[...overLimit].map((command) => [command, refused('too_many_attributes', null)] as const),
    ...[...exceeding].map(([command, owed]) => [command, { ...refused('too_many_awards', null), owed }] as const),
  ]);
}
