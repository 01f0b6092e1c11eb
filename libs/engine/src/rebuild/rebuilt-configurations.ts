import type { ConfigurationHistory, ConfigurationPublished, RecordedEvent } from '@laurel/kernel';
import { publicationOf, type CompileHistory, type RecordedPublication } from '../folding/publications.ts';

/** The configurations that were published up to the record that a rebuild applies. */
export class RebuiltConfigurations {
  readonly #compileHistory: CompileHistory;
  readonly #publications = new Map<string, readonly RecordedPublication[]>();
  readonly #histories = new Map<string, ConfigurationHistory>();

  constructor(compileHistory: CompileHistory) {
    this.#compileHistory = compileHistory;
  }

  take(record: RecordedEvent<ConfigurationPublished>): void {
    const { account } = record;
    const publications = [...(this.#publications.get(account) ?? []), publicationOf(record)];
    this.#publications.set(account, publications);
    this.#histories.set(account, this.#compileHistory(account, publications));
  }

  historyOf(account: string): ConfigurationHistory {
    const history = this.#histories.get(account);
    if (!history) throw new Error(`the log has an event of account ${account} before its first configuration`);
    return history;
  }
}
