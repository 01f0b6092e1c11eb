import type { Instant } from '@laurel/calendar';
import {
  closeImport,
  openImport,
  type AccountEvent,
  type Attribution,
  type ImportClosed,
  type ImportOpened,
  type ImportOptions,
} from '@laurel/kernel';
import type { Clock } from '@laurel/ports';
import type { Imports } from './imports.ts';

export interface ImportBracketDependencies {
  readonly imports: Pick<Imports, 'goesOn' | 'open' | 'isOpen' | 'close' | 'findOpen'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Returns the position. @throws StoreUnavailableError if recording failed or its outcome is unknown */
  readonly appendEvent: (account: string, fact: AccountEvent) => Promise<number>;
}

/**
 * Opens and closes imports, first in the log and then in the table of the gateways. A failed append leaves the table unchanged, and the next
 * attempt records the event. So a failure, or two gateways at once, may record it twice, which has the effect of once.
 */
export class ImportBracket {
  readonly #dependencies: ImportBracketDependencies;
  /** By account: calls that find no open import at the same time share the opening. */
  readonly #opening = new Map<string, Promise<boolean>>();

  constructor(dependencies: ImportBracketDependencies) {
    this.#dependencies = dependencies;
  }

  /** Opens an import for an imported event, if none is open. Returns whether it opened one. */
  async openedBy(account: string, opened: ImportOpened): Promise<boolean> {
    const { imports, clock } = this.#dependencies;
    if (await imports.goesOn(account, clock.now())) return false;
    const opening = this.#opening.get(account);
    if (opening !== undefined) return opening.then(() => false);
    return this.#started(account, opened);
  }

  /** Opens an import, unless one with the same options is open. Returns whether it opened one. */
  async open(account: string, options: ImportOptions, attribution: Attribution): Promise<boolean> {
    const { imports, clock } = this.#dependencies;
    await this.#opening.get(account);
    const open = await imports.findOpen(account);
    const command = { type: 'OpenImport', account, options, attribution } as const;
    const inForce = open === null ? null : { unboundedAwards: false, outgoing: open.outgoing };
    const [opened] = openImport(command, { now: clock.now(), openImport: inForce }).events;
    if (opened !== undefined) return this.#started(account, opened.event);
    await imports.goesOn(account, clock.now());
    return false;
  }

  /** Returns whether an import was open. */
  async close(account: string, cause: ImportClosed['cause'], attribution: Attribution): Promise<boolean> {
    const { imports, clock, appendEvent } = this.#dependencies;
    const state = { now: clock.now(), isImporting: await imports.isOpen(account) };
    const [closed] = closeImport({ type: 'CloseImport', account, cause, attribution }, state).events;
    if (closed === undefined) return false;
    await appendEvent(account, closed.event);
    return imports.close(account);
  }

  /**
   * Enters an open import of the log that the table may lack: the gateway that opened it is about to enter it, or ended before. Then the import
   * can be finished, and is closed when it is idle.
   */
  async isInLog(account: string): Promise<void> {
    await this.#dependencies.imports.open(account, this.#dependencies.clock.now());
  }

  #started(account: string, opened: ImportOpened): Promise<boolean> {
    const started = this.#open(account, opened, this.#dependencies.clock.now()).finally(() =>
      this.#opening.delete(account),
    );
    this.#opening.set(account, started);
    return started;
  }

  async #open(account: string, opened: ImportOpened, at: Instant): Promise<boolean> {
    const { by, reason, outgoing = false } = opened;
    const position = await this.#dependencies.appendEvent(account, opened);
    return this.#dependencies.imports.open(account, at, { position, by: by ?? null, reason: reason ?? null, outgoing });
  }
}
