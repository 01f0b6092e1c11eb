import type { UserCommand, CommandResult, Recorded, Replayed } from '@laurel/kernel';
import type { AttributeHashing } from '@laurel/ports';
import { withHashes } from './hashed-attributes.ts';
import type { IngestionPorts } from './ports.ts';
import { refusal } from './refusals.ts';

interface SubmittingPorts extends Pick<IngestionPorts, 'intake'> {
  readonly directory: AttributeHashing;
}

/** Submits one command with the hashes of its attributes, and resolves with its result. */
export async function outcomeOf({ intake, directory }: SubmittingPorts, command: UserCommand): Promise<CommandResult> {
  const hashed = withHashes(directory, command);
  return submitted(intake, hashed instanceof Promise ? await hashed : hashed);
}

/** Like {@link outcomeOf}, for a command without attributes. */
export async function submitted(intake: IngestionPorts['intake'], command: UserCommand): Promise<CommandResult> {
  const [outcome] = await intake.submit([command]);
  if (outcome === undefined) throw new Error('the intake answered without an outcome');
  return outcome;
}

/**
 * Like {@link outcomeOf}, for a command that must be accepted.
 * @param userId, attributesPath as for `refusal`
 * @throws ProblemError if the command is refused
 */
export async function submitOne(
  ports: SubmittingPorts,
  command: UserCommand,
  userId: string,
  attributesPath?: string,
): Promise<Recorded | Replayed> {
  const outcome = await outcomeOf(ports, command);
  if (outcome.kind === 'refused') throw refusal(outcome, userId, attributesPath);
  return outcome;
}
