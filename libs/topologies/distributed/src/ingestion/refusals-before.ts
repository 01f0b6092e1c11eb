import type { Command, Refused } from '@laurel/kernel';
import { refused } from '@laurel/engine';
import { erasuresRefused } from './erasures.ts';
import { commandsOverLimit, type AttributeLimitParts } from './attribute-limit.ts';
import type { AwardsLimit } from './awards-limit.ts';
import { refusedGrants } from './refused-grants.ts';

export interface RefusalsParts extends AttributeLimitParts {
  readonly awards: Pick<AwardsLimit, 'exceeding'>;
  readonly erasures: Parameters<typeof erasuresRefused>[1];
}

/** The commands that must not be recorded, by what the read models know of their users now. @throws StoreUnavailableError for an erasure or a grant */
export async function refusalsBefore(
  commands: readonly Command[],
  { awards, erasures, ...attributes }: RefusalsParts,
): Promise<ReadonlyMap<Command, Refused>> {
  const overLimit = await commandsOverLimit(commands, attributes);
  const exceeding = await awards.exceeding(commands.filter((command) => !overLimit.has(command)));
  return new Map([
    ...(await erasuresRefused(commands, erasures)),
    ...(await refusedGrants(commands, { imports: erasures.imports, store: attributes.store })),
    ...[...overLimit].map((command) => [command, refused('too_many_attributes', null)] as const),
    ...[...exceeding].map(([command, owed]) => [command, { ...refused('too_many_awards', null), owed }] as const),
  ]);
}
