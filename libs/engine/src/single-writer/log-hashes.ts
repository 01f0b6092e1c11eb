import {
  chained,
  chainHeadOf,
  READ_CHAIN,
  type ChainHead,
  type ChainRow,
  type HashStep,
  type LogWriter,
  type StoredRecord,
} from '@laurel/event-store';

/** The hash of the log at the last commit; read from the store if it is unknown. */
export class LogHashes {
  readonly #writer: Pick<LogWriter, 'query'>;
  #head: ChainHead | null = null;

  constructor(writer: Pick<LogWriter, 'query'>) {
    this.#writer = writer;
  }

  /** null: nothing is recorded, or the hash does not reach the end of the log; the next start catches up. */
  async next(after: number, records: readonly StoredRecord[]): Promise<HashStep | null> {
    if (records.length === 0) return null;
    if (this.#head === null) {
      const [row] = await this.#writer.query<ChainRow>('read-chain', READ_CHAIN, []);
      this.#head = row === undefined ? null : chainHeadOf(row);
    }
    return this.#head?.position === after ? chained(this.#head, records) : null;
  }

  /** The step is committed. */
  take(step: HashStep | null): void {
    this.#head = step?.head ?? this.#head;
  }

  /** Called when it is unknown what is committed. */
  forget(): void {
    this.#head = null;
  }
}
