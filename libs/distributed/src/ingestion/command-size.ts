import type { Command, UserFields } from '@laurel/contracts';
import type { BatchSize } from './receipt-backlog.ts';

/** What a record has beside the caller's texts. */
const FIXED_BYTES = 300;

/** About what the commands come to in the log: a UTF-16 unit counts as a byte. */
export const sizeOf = (commands: readonly Command[]): BatchSize => ({
  records: commands.length,
  bytes: commands.reduce((sum, command) => sum + bytesOf(command), 0),
});

function bytesOf(command: Command): number {
  const own = FIXED_BYTES + command.userId.length + bytesOfUser(command.user);
  if (command.type !== 'RecordMetricEvent') return own;
  return own + (command.idempotencyKey?.length ?? 0) + bytesOfEntries(command.attributes);
}

const bytesOfUser = ({ name, email, attributes }: UserFields): number =>
  (name?.length ?? 0) + (email?.length ?? 0) + (attributes ? bytesOfEntries(attributes) : 0);

function bytesOfEntries(entries: ReadonlyMap<string, string | null>): number {
  let bytes = 0;
  for (const [key, value] of entries) bytes += key.length + (value?.length ?? 0);
  return bytes;
}
