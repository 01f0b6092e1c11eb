import type { Instant } from '@laurel/calendar';
import type { LogRecord } from '@laurel/kernel';

/** What imports mean for what is made known, as of a place in the log. */
export interface ImportBracket {
  /** Whether imported events make outcomes. */
  readonly outgoing: boolean;
  /** When the last import without them was opened: what fell due before is of the past. -Infinity: there was none. */
  readonly dueFrom: Instant;
  /** Where the import that is open was opened first; null: none is open. */
  readonly opened: Pick<LogRecord, 'position' | 'recordedAt'> | null;
}

export const NO_IMPORT: ImportBracket = { outgoing: false, dueFrom: -Infinity, opened: null };

export function afterRecord(bracket: ImportBracket, { fact, position, recordedAt }: LogRecord): ImportBracket {
  switch (fact.type) {
    case 'ImportOpened': {
      const opened = bracket.opened ?? { position, recordedAt };
      const dueFrom = fact.outgoing ? bracket.dueFrom : recordedAt;
      return { outgoing: fact.outgoing === true, dueFrom, opened };
    }
    case 'ImportClosed':
      return { ...bracket, outgoing: false, opened: null };
    default:
      return bracket;
  }
}
