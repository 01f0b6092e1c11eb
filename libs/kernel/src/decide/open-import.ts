import type { Instant } from '@laurel/calendar';
import type { OpenImport } from '../commands.ts';
import type { Attribution, ImportOpened } from '../events.ts';
import { accepted, type Accepted } from './decision.ts';

export interface ImportOptions {
  /** Whether an imported event may owe a new user more time awards than `MOST_OWED_AWARDS`. */
  readonly unboundedAwards: boolean;
  /** Whether imported events make outcomes. */
  readonly outgoing: boolean;
}

/** The options of an import that an imported event opens. */
export const WITHOUT_OPTIONS: ImportOptions = { unboundedAwards: false, outgoing: false };

export interface ImportState {
  readonly now: Instant;
  /** null if no import is open. */
  readonly openImport: ImportOptions | null;
}

/** Opens an import, or changes the options of the open one. */
export function openImport({ options, attribution }: OpenImport, state: ImportState): Accepted<ImportOpened> {
  const inForce = state.openImport;
  if (inForce?.unboundedAwards === options.unboundedAwards && inForce.outgoing === options.outgoing) return accepted();
  return accepted({ occurredAt: state.now, event: importOpened(options, attribution) });
}

export const importOpened = ({ unboundedAwards, outgoing }: ImportOptions, attribution: Attribution): ImportOpened => ({
  type: 'ImportOpened',
  ...(unboundedAwards && { unboundedAwards }),
  ...(outgoing && { outgoing }),
  ...attribution,
});

/** The options with which an event opens an import. */
export const importOptionsOf = ({ unboundedAwards, outgoing }: ImportOpened): ImportOptions => ({
  unboundedAwards: unboundedAwards === true,
  outgoing: outgoing === true,
});
