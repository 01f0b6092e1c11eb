import type { BadLine } from './batches.ts';
import type { EventLine } from './event-lines.ts';

/**
 * The users of an import whose stored state is damaged. Only an operator can repair it, so nothing more of them is sent: a repair
 * during the import would otherwise record a later line before the one that was given up.
 */
export class DamagedUsers {
  /** By user id: the first line that was given up. */
  readonly #lines = new Map<string, number>();

  add(line: EventLine): void {
    const user = userOf(line);
    if (user !== null && !this.#lines.has(user)) this.#lines.set(user, line.number);
  }

  has(line: EventLine): boolean {
    return this.#lineBefore(line) !== undefined;
  }

  /** Parts lines into those to be sent and those that are given up. */
  part(lines: readonly EventLine[]): { readonly sent: readonly EventLine[]; readonly givenUp: readonly BadLine[] } {
    if (this.#lines.size === 0) return { sent: lines, givenUp: [] };
    return { sent: lines.filter((line) => !this.has(line)), givenUp: lines.flatMap((line) => this.#givenUp(line)) };
  }

  #givenUp(line: EventLine): BadLine[] {
    const before = this.#lineBefore(line);
    if (before === undefined) return [];
    const error = `not sent, because the stored state of its user is damaged (line ${before})`;
    return [{ number: line.number, error, damaged: true }];
  }

  #lineBefore(line: EventLine): number | undefined {
    const user = this.#lines.size === 0 ? null : userOf(line);
    return user === null ? undefined : this.#lines.get(user);
  }
}

function userOf({ text }: EventLine): string | null {
  const { user } = JSON.parse(text) as { readonly user?: { readonly id?: unknown } | null };
  return typeof user?.id === 'string' ? user.id : null;
}
