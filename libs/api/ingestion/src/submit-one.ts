import type { UserCommand, CommandResult, Recorded, Replayed } from '@laurel/kernel';
import type { IngestionPorts } from './ports.ts';
import { refusal } from './refusals.ts';

/** Submits one command, and resolves with its result. */
export async function outcomeOf(
  { intake }: Pick<IngestionPorts, 'intake'>,
  command: UserCommand,
): Promise<CommandResult> {
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
  ports: Pick<IngestionPorts, 'intake'>,
  command: UserCommand,
  userId: string,
  attributesPath?: string,
): Promise<Recorded | Replayed> {
  const outcome = await outcomeOf(ports, command);
  if (outcome.kind === 'refused') throw refusal(outcome, userId, attributesPath);
  return outcome;
}
