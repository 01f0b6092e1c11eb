import { MOST_FINDINGS, type VerificationFinding, type VerificationProgress } from '@laurel/schemas';

/** Of one comparison: a single change may show in many rows, and the others have something to say, too. */
export const MOST_OF_ONE = 10;

export interface ConflictRow {
  readonly subject: string | null;
  readonly user_id: string | null;
  readonly position: string | null;
  readonly event_id: string | null;
  readonly what: string;
  readonly stored: string | null;
  readonly expected: string | null;
}

export const NOBODY: ConflictRow = {
  subject: null,
  user_id: null,
  position: null,
  event_id: null,
  what: '',
  stored: null,
  expected: null,
};

/** What a verification has found so far: it is reported as it grows. */
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

  /** Answers, finding by finding of one check, whether it is among the first of its table, and reports that there are more. */
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

/** A value as long as an event may bring is of no use in a sentence. */
const MOST_CHARACTERS = 500;
const shortened = (text: string | null): string | null => text && text.slice(0, MOST_CHARACTERS);

function findingOf(check: VerificationFinding['check'], table: string, row: ConflictRow): VerificationFinding {
  const [stored, expected] = [shortened(row.stored), shortened(row.expected)];
  const where = [row.what, ...whose(row), ...(row.position === null ? [] : [`at position ${row.position}`])].join(' ');
  return {
    check,
    table,
    userId: row.user_id,
    position: row.position === null ? null : Number(row.position),
    eventId: row.event_id,
    stored,
    expected,
    message: `${table}: ${where} ${isAndMust(stored, expected)}.`,
  };
}

function whose({ user_id: id, subject }: ConflictRow): readonly string[] {
  if (id !== null) return [`of user ${JSON.stringify(id)}`];
  return subject === null ? [] : [`of the unknown user with subject ${subject}`];
}

function isAndMust(stored: string | null, expected: string | null): string {
  if (stored === null) return `is missing and must be ${expected}`;
  return expected === null ? `is ${stored} and must not be there` : `is ${stored} and must be ${expected}`;
}
