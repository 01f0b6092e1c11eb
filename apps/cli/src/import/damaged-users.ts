import type { BadLine } from './import-events.ts';
import type { EventLine } from './event-lines.ts';
import { jsonIn } from './json-in.ts';

/**
 * The users of an import whose stored state is damaged. Only an operator can repair it, so their further lines are not sent: a repair
 * during the import would otherwise record a later line before the abandoned one.
 */
export class DamagedUsers {
  /** The first abandoned line of each user, by user id. */
  readonly #lines = new Map<string, number>();

  add(line: EventLine): void {
    const user = userOf(line);
    if (user !== null && !this.#lines.has(user)) this.#lines.set(user, line.number);
  }

  /** The reason not to send a line; null if it is sent. */
  refusalOf(line: EventLine): BadLine | null {
    const user = this.#lines.size === 0 ? null : userOf(line);
    const before = user === null ? undefined : this.#lines.get(user);
    if (before === undefined) return null;
    const error = `not sent, because the stored state of its user is damaged (line ${before})`;
    return { number: line.number, error, damaged: true };
  }
}

function userOf(line: EventLine): string | null {
  const user = jsonIn(line)['user'] as { readonly id?: unknown } | null | undefined;
  return typeof user?.id === 'string' ? user.id : null;
}
