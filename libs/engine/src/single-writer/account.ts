import type { Instant } from '@laurel/calendar';
import {
  importOptionsOf,
  type Attribution,
  type ConfigurationHistory,
  type ImportOpened,
  type ImportOptions,
  type RecordedEvent,
} from '@laurel/kernel';
import { publicationOf, type CompileHistory, type RecordedPublication } from '../folding/publications.ts';

/** The state of an account that the log defines, apart from its users. */
export interface Account {
  readonly name: string;
  readonly publications: readonly RecordedPublication[];
  /** null until a first configuration is published. */
  readonly history: ConfigurationHistory | null;
  /** null if no import is open. */
  readonly openImport: ImportOpening | null;
  /** False if the log has no event of the account other than configurations. */
  readonly holdsEvents: boolean;
}

/** The record that opened an import or changed its options. */
export interface ImportOpening {
  readonly at: Instant;
  readonly position: number;
  readonly attribution: Attribution;
  readonly options: ImportOptions;
}

/** An account without records. */
export const newAccount = (name: string): Account => ({
  name,
  publications: [],
  history: null,
  openImport: null,
  holdsEvents: false,
});

/** The account after the event is recorded. Returns the same object if the event does not change the account. */
export function accountAfter(account: Account, record: RecordedEvent, compileHistory: CompileHistory): Account {
  const { fact } = record;
  switch (fact.type) {
    case 'ConfigurationPublished': {
      const publications = [...account.publications, publicationOf({ ...record, fact })];
      return { ...account, publications, history: compileHistory(account.name, publications) };
    }
    case 'ImportOpened':
      return { ...account, openImport: openingOf({ ...record, fact }) };
    case 'ImportClosed':
      return { ...account, openImport: null };
    default:
      return 'subject' in fact && !account.holdsEvents ? { ...account, holdsEvents: true } : account;
  }
}

/** The import that this record opens. */
export const openingOf = ({ recordedAt, position, fact }: RecordedEvent<ImportOpened>): ImportOpening => {
  const { by, reason } = fact;
  const attribution = { ...(by !== undefined && { by }), ...(reason !== undefined && { reason }) };
  return { at: recordedAt, position, attribution, options: importOptionsOf(fact) };
};
