import type { Instant } from '@laurel/calendar';
import type { AccountFact, Attribution, ImportClosed, ImportOpened, ImportOptions } from '@laurel/kernel';
import type { Clock } from '@laurel/ports';
import { importOpened } from '@laurel/engine';
import type { Imports } from './imports.ts';

/** What an import that nobody opened is opened with. */
const WITHOUT_OPTIONS: ImportOptions = { unboundedAwards: false, outgoing: false };

export interface ImportBracketParts {
  readonly imports: Pick<Imports, 'goesOn' | 'open' | 'isOpen' | 'close' | 'findOpen'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Answers the position. @throws StoreUnavailableError if the fact is not recorded, or may not be */
  readonly appendFact: (account: string, fact: AccountFact) => Promise<number>;
}

/**
 * Opens and closes imports, in the log first and in the table of the gateways after it: an append that fails leaves the table as it
 * was, and the next attempt records the fact. So a failure, or two gateways at once, may record it twice, which has the effect of one.
 */
export class ImportBracket {
  readonly #parts: ImportBracketParts;
  /** By account: all who find no import open at the same time open one together. */
  readonly #opening = new Map<string, Promise<boolean>>();

  constructor(parts: ImportBracketParts) {
    this.#parts = parts;
  }

  /** Notes that something is being imported, and opens an import without options if none is open. Answers whether it did. */
  async note(account: string, attribution: Attribution): Promise<boolean> {
    const { imports, clock } = this.#parts;
    const at = clock.now();
    if (await imports.goesOn(account, at)) return false;
    const opening = this.#opening.get(account);
    if (opening !== undefined) return opening.then(() => false);
    return this.#started(account, importOpened(WITHOUT_OPTIONS, attribution), at);
  }

  /** Opens an import with these options, unless one with the same is open. Answers whether it did. */
  async open(account: string, options: ImportOptions, attribution: Attribution): Promise<boolean> {
    await this.#opening.get(account);
    const open = await this.#parts.imports.findOpen(account);
    if (open !== null && open.outgoing === options.outgoing) return this.note(account, attribution);
    return this.#started(account, importOpened(options, attribution), this.#parts.clock.now());
  }

  /** Answers whether an import was open. */
  async close(account: string, cause: ImportClosed['cause'], attribution: Attribution): Promise<boolean> {
    const { imports, appendFact } = this.#parts;
    if (!(await imports.isOpen(account))) return false;
    await appendFact(account, { type: 'ImportClosed', cause, ...attribution });
    return imports.close(account);
  }

  /**
   * The log has an open import that the table may lack: the gateway that opened it is about to enter it, or ended before it could.
   * Entered, it can be finished, and is closed when it is idle.
   */
  async isInLog(account: string): Promise<void> {
    await this.#parts.imports.open(account, this.#parts.clock.now());
  }

  #started(account: string, opened: ImportOpened, at: Instant): Promise<boolean> {
    const started = this.#open(account, opened, at).finally(() => this.#opening.delete(account));
    this.#opening.set(account, started);
    return started;
  }

  async #open(account: string, opened: ImportOpened, at: Instant): Promise<boolean> {
    const { by, reason, outgoing = false } = opened;
    const position = await this.#parts.appendFact(account, opened);
    return this.#parts.imports.open(account, at, { position, by: by ?? null, reason: reason ?? null, outgoing });
  }
}
