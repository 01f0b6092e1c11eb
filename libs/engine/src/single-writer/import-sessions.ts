import type { Instant } from '@laurel/calendar';
import {
  idleImportsSince,
  StoreUnavailableError,
  type Attribution,
  type ImportClosed,
  type ImportOptions,
  type CommandResult,
} from '@laurel/kernel';
import type { Clock, ImportProgress, OpenedImport } from '@laurel/ports';
import type { Committed } from './committed.ts';
import type { InternalCommand } from './internal-command.ts';

interface ImportSessionsDependencies {
  readonly clock: Clock;
  readonly committed: Pick<Committed, 'accounts' | 'head'>;
  readonly submit: (command: InternalCommand) => Promise<CommandResult>;
  /** Called when an idle import could not be closed; it is tried again. */
  readonly onFailure: (error: unknown) => void;
}

const CHECK_EVERY_MS = 30_000;

/** The open imports. A record opens and closes each; the process closes idle ones. */
export class ImportSessions {
  readonly #dependencies: ImportSessionsDependencies;
  readonly #idleMs: number;
  readonly #lastImported = new Map<string, Instant>();
  #stopCheck = (): void => undefined;

  constructor(dependencies: ImportSessionsDependencies, idleMs: number) {
    this.#dependencies = dependencies;
    this.#idleMs = idleMs;
  }

  /** Starts closing idle imports, until {@link end}. */
  begin(): void {
    const { clock, committed } = this.#dependencies;
    const now = clock.now();
    for (const { name, openImport } of committed.accounts.values()) if (openImport) this.goesOn(name, now);
    this.#check();
  }

  end(): void {
    this.#stopCheck();
  }

  /** Called when something is imported: the import is not idle. */
  goesOn(account: string, at: Instant): void {
    this.#lastImported.set(account, at);
  }

  async open(account: string, options: ImportOptions, attribution: Attribution): Promise<OpenedImport> {
    this.goesOn(account, this.#dependencies.clock.now());
    const outcome = await this.#dependencies.submit({ type: 'OpenImport', account, options, attribution });
    if (outcome.kind !== 'recorded') throw new StoreUnavailableError('the import could not be opened');
    return { opened: outcome.position > 0, ...options };
  }

  /** Closes the account's import. Returns whether one was open. */
  async close(account: string, cause: ImportClosed['cause'], attribution: Attribution): Promise<boolean> {
    const outcome = await this.#dependencies.submit({ type: 'CloseImport', account, cause, attribution });
    if (outcome.kind !== 'recorded') throw new StoreUnavailableError('the import could not be closed');
    return outcome.position > 0;
  }

  isOpen(account: string): boolean {
    return (this.#dependencies.committed.accounts.get(account)?.openImport ?? null) !== null;
  }

  progress(account: string): ImportProgress | null {
    const { accounts, head } = this.#dependencies.committed;
    const openImport = accounts.get(account)?.openImport;
    if (!openImport) return null;
    const { at: openedAt, position, attribution, options } = openImport;
    return {
      openedAt,
      attribution,
      ...options,
      events: head - position,
      lastReceivedAt: this.#lastImported.get(account) ?? openedAt,
    };
  }

  #check(): void {
    const { clock, committed, onFailure } = this.#dependencies;
    this.#stopCheck = clock.after(CHECK_EVERY_MS, () => {
      for (const { name, openImport } of committed.accounts.values())
        if (openImport && (this.#lastImported.get(name) ?? 0) <= idleImportsSince(clock.now(), this.#idleMs))
          this.close(name, 'idle', { by: 'process' }).catch(onFailure);
      this.#check();
    });
  }
}
