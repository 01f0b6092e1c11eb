import { configurationJsonSchema } from '@laurel/configuration';
import type { CommandContext } from '../command-context.ts';
import { print } from '../terminal/print.ts';

export const printSchema = ({ stdout }: CommandContext): Promise<void> =>
  print(stdout, `${JSON.stringify(configurationJsonSchema(), null, 2)}\n`);
