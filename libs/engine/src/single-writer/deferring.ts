import type { Batch } from './batch.ts';
import { userKey } from '../folding/document.ts';
import type { EngineTask } from './internal-command.ts';

/**
 * Whether an earlier command of the same user or submission waits for the next batch. A sweep never waits: users whom
 * it leaves out stay due.
 */
export const isBehindDeferred = ({ held }: Batch, { command, submission }: EngineTask): boolean =>
  held.size > 0 && 'subject' in command && (held.has(submission) || held.has(userKey(command)));

/** Defers the command to the next batch, along with all later commands of its user and submission. */
export function defer({ held }: Batch, { command, submission }: EngineTask): void {
  if (!('subject' in command)) return;
  held.add(submission);
  held.add(userKey(command));
}

/**
 * False for a user who was quarantined when documents were loaded but is not any more: the next batch loads the user.
 */
export const isLoaded = (batch: Batch, { command }: EngineTask): boolean =>
  !('subject' in command) || batch.documentOf(userKey(command)) !== undefined;
