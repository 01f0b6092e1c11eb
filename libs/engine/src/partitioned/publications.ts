import type { Configuration, ConfigurationHistory } from '@laurel/kernel';
import type { PublishedConfiguration, StreamedConfiguration } from '@laurel/ports';
import type { CompileHistory } from '../folding/publications.ts';

/**
 * The published configurations. Messages carry only an account and a version; the documents are read from where the
 * gateways store them, when a message announces a publication and before the first record of a version is applied. A
 * version may be published again until its first record; afterwards its document never changes.
 */
export class Publications {
  readonly #compile: CompileHistory;
  readonly #read: () => Promise<readonly PublishedConfiguration[]>;
  readonly #byAccount = new Map<string, readonly PublishedConfiguration[]>();
  readonly #histories = new Map<string, ConfigurationHistory>();
  /** Versions that were read after their first record had arrived. */
  readonly #final = new Set<string>();

  /** @param read reads all stored publications */
  constructor(compile: CompileHistory, read: () => Promise<readonly PublishedConfiguration[]>) {
    this.#compile = compile;
    this.#read = read;
  }

  async load(): Promise<void> {
    for (const publication of await this.#read()) this.#add(publication);
  }

  /** @throws UnknownConfigurationError if the document is not stored yet */
  async learn({ account, version, publishedAt }: StreamedConfiguration): Promise<void> {
    const isKnown = () => this.#find(account, version).some((known) => known.publishedAt === publishedAt);
    if (!isKnown()) await this.load();
    if (!isKnown()) throw new UnknownConfigurationError(account, version);
  }

  /** @throws UnknownConfigurationError if the version is not stored yet. The caller waits for it. */
  async at(account: string, version: number): Promise<Configuration> {
    const name = `${version} ${account}`;
    if (!this.#final.has(name)) await this.load();
    if (this.#find(account, version).length === 0) throw new UnknownConfigurationError(account, version);
    this.#final.add(name);
    return this.historyOf(account).at(version);
  }

  /** @throws Error if nothing is published for the account yet. */
  historyOf(account: string): ConfigurationHistory {
    const history = this.#histories.get(account);
    if (!history) throw new Error(`account ${account} has no configuration yet`);
    return history;
  }

  /** The histories of all accounts. */
  histories(): readonly ConfigurationHistory[] {
    return [...this.#histories.values()];
  }

  #find(account: string, version: number): readonly PublishedConfiguration[] {
    return (this.#byAccount.get(account) ?? []).filter((publication) => publication.version === version);
  }

  /** Idempotent. A later publication of a version replaces the one before it. */
  #add(publication: PublishedConfiguration): void {
    const { account, version, publishedAt } = publication;
    if (this.#find(account, version).some((other) => other.publishedAt === publishedAt)) return;
    const known = this.#byAccount.get(account) ?? [];
    const all = [...known, publication].sort((a, b) => a.version - b.version || a.publishedAt - b.publishedAt);
    this.#histories.set(account, this.#compile(account, all));
    this.#byAccount.set(account, all);
  }
}

export class UnknownConfigurationError extends Error {
  override readonly name = 'UnknownConfigurationError';
  constructor(account: string, version: number) {
    super(`configuration version ${version} of account ${account} has not arrived`);
  }
}
