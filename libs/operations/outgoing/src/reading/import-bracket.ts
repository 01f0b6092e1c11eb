import type { Instant } from '@laurel/calendar';
import type { RecordedEvent } from '@laurel/kernel';

/** How imports affect outcomes, as of a position of the log. */
export interface ImportBracket {
  /** Whether imported events make outcomes. */
  readonly outgoing: boolean;
  /**
   * When the last import without outcomes was opened: effects that fell due before it make no outcomes. -Infinity if
   * there was no such import.
   */
  readonly dueFrom: Instant;
  /** The first opening of the open import, or null if none is open. */
  readonly opened: Pick<RecordedEvent, 'position' | 'recordedAt'> | null;
}

export const NO_IMPORT: ImportBracket = { outgoing: false, dueFrom: -Infinity, opened: null };

export function afterRecord(bracket: ImportBracket, { fact, position, recordedAt }: RecordedEvent): ImportBracket {
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
