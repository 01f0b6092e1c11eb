import type { Instant } from '@laurel/calendar';
import type { LogRecord } from '@laurel/contracts';

/** What imports mean for what is made known, as of a place in the log. */
export interface ImportBracket {
  /** Whether imported events make outcomes. */
  readonly outgoing: boolean;
  /** When the last import without them was opened: what fell due before is of the past. -Infinity: there was none. */
  readonly dueFrom: Instant;
}

export const NO_IMPORT: ImportBracket = { outgoing: false, dueFrom: -Infinity };

export function afterRecord(bracket: ImportBracket, { fact, recordedAt }: LogRecord): ImportBracket {
  switch (fact.type) {
    case 'ImportOpened':
      return fact.outgoing ? { ...bracket, outgoing: true } : { outgoing: false, dueFrom: recordedAt };
    case 'ImportClosed':
      return { ...bracket, outgoing: false };
    default:
      return bracket;
  }
}
