import { MOST_FINDINGS, type VerificationFinding, type VerificationProgress } from '@laurel/schemas';

/** Findings of one comparison: a single change may show in many rows, and other comparisons must be reported, too. */
export const MOST_OF_ONE = 10;

/** A stored value that differs from the expected one. */
export interface ConflictRow {
  readonly subject?: number | string | null;
  readonly user_id?: string | null;
  readonly position?: number | string | null;
  readonly event_id?: string | null;
  readonly what: string;
  readonly stored: string | null;
  readonly expected: string | null;
}

/** The findings of a verification, reported as progress. */
export class Findings {
  readonly #onProgress: (progress: VerificationProgress) => void;
  #found: readonly VerificationFinding[] = [];

  constructor(onProgress: (progress: VerificationProgress) => void) {
    this.#onProgress = onProgress;
  }

  add(check: VerificationFinding['check'], table: string, row: ConflictRow): void {
    if (this.#found.length >= MOST_FINDINGS) return this.#onProgress({ more: true });
    this.#found = [...this.#found, findingOf(check, table, row)];
    this.#onProgress({ findings: [...this.#found] });
  }

  /** @returns a function that counts the findings of a check by table: whether the next one is to be kept. Reports the first that is not. */
  firstOfEach(): (table: string) => boolean {
    const found = new Map<string, number>();
    return (table) => {
      const before = found.get(table) ?? 0;
      found.set(table, before + 1);
      if (before >= MOST_OF_ONE) this.#onProgress({ more: true });
      return before < MOST_OF_ONE;
    };
  }
}

/** Longer values, which events may bring, make a sentence unreadable. */
const MOST_CHARACTERS = 500;
const shortened = (text: string | null): string | null => text && text.slice(0, MOST_CHARACTERS);

function findingOf(check: VerificationFinding['check'], table: string, row: ConflictRow): VerificationFinding {
  const { user_id: userId = null, event_id: eventId = null, position = null } = row;
  const [stored, expected] = [shortened(row.stored), shortened(row.expected)];
  const where = [row.what, ...whose(row), ...(position === null ? [] : [`at position ${position}`])].join(' ');
  const message = `${table}: ${where} ${isAndMust(stored, expected)}.`;
  const at = position === null ? null : Number(position);
  return { check, table, userId, position: at, eventId, stored, expected, message };
}

function whose({ user_id: id = null, subject = null }: ConflictRow): readonly string[] {
  if (id !== null) return [`of user ${JSON.stringify(id)}`];
  return subject === null ? [] : [`of the unknown user with subject ${subject}`];
}

function isAndMust(stored: string | null, expected: string | null): string {
  if (stored === null) return `is missing and must be ${expected}`;
  return expected === null ? `is ${stored} and must not be there` : `is ${stored} and must be ${expected}`;
}
