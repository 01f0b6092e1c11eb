import type { Configuration, ConfigurationHistory, StreamedConfiguration } from '@laurel/contracts';
import type { CompileHistory } from '@laurel/projections';

/**
 * The configurations that a service has seen. They come with the messages: each partition carries every publication at its
 * place in the log, so a record never comes before the configuration under which it is applied.
 */
export class Publications {
  readonly #compile: CompileHistory;
  readonly #reload: () => Promise<readonly StreamedConfiguration[]>;
  readonly #byAccount = new Map<string, readonly StreamedConfiguration[]>();
  readonly #histories = new Map<string, ConfigurationHistory>();

  constructor(compile: CompileHistory, reload: () => Promise<readonly StreamedConfiguration[]>) {
    this.#compile = compile;
    this.#reload = reload;
  }

  /** Reads what is stored: at the start, and when another process of the service may have seen more. */
  async load(): Promise<void> {
    for (const publication of await this.#reload()) this.add(publication);
  }

  /** Idempotent. A later publication of a version replaces the one before it. */
  add(publication: StreamedConfiguration): void {
    const { account, version, publishedAt } = publication;
    const known = this.#byAccount.get(account) ?? [];
    if (known.some((other) => other.version === version && other.publishedAt === publishedAt)) return;
    const all = [...known, publication].sort((a, b) => a.version - b.version || a.publishedAt - b.publishedAt);
    this.#histories.set(account, this.#compile(account, all));
    this.#byAccount.set(account, all);
  }

  /** @throws UnknownConfigurationError for a version that has not been seen: it is waited for, never guessed. */
  async at(account: string, version: number): Promise<Configuration> {
    if (!this.#knows(account, version)) await this.load();
    if (!this.#knows(account, version)) throw new UnknownConfigurationError(account, version);
    return this.historyOf(account).at(version);
  }

  /** @throws Error if nothing was published for the account yet. */
  historyOf(account: string): ConfigurationHistory {
    const history = this.#histories.get(account);
    if (!history) throw new Error(`account ${account} has no configuration yet`);
    return history;
  }

  /** Of every account. */
  histories(): readonly ConfigurationHistory[] {
    return [...this.#histories.values()];
  }

  #knows(account: string, version: number): boolean {
    return this.#byAccount.get(account)?.some((publication) => publication.version === version) ?? false;
  }
}

export class UnknownConfigurationError extends Error {
  override readonly name = 'UnknownConfigurationError';
  constructor(account: string, version: number) {
    super(`configuration version ${version} of account ${account} has not arrived`);
  }
}
