import type { OutgoingMessage, StreamProducer } from '@laurel/event-stream';

/** Characters of effects that are being sent at a time. */
export const MOST_ON_THEIR_WAY = 32_000_000;

/**
 * Sends effects while nobody waits for them: a caller whose effects are lost is answered `pending`. While too many are being sent, further
 * ones are lost, so that a topic that takes none does not fill the memory of a service whose own output goes on.
 */
export class EffectsSender {
  readonly #producer: Pick<StreamProducer, 'send'>;
  readonly #onLost: (error: unknown) => void;
  readonly #sending = new Set<Promise<void>>();
  #length = 0;

  constructor(producer: Pick<StreamProducer, 'send'>, onLost: (error: unknown) => void) {
    this.#producer = producer;
    this.#onLost = onLost;
  }

  send(messages: readonly OutgoingMessage[]): void {
    const length = messages.reduce((sum, { value }) => sum + value.length, 0);
    if (this.#length > 0 && this.#length + length > MOST_ON_THEIR_WAY) {
      this.#onLost(new Error('too many effects are being sent'));
      return;
    }
    this.#length += length;
    const sent = this.#producer
      .send(messages)
      .catch(this.#onLost)
      .finally(() => {
        this.#length -= length;
        this.#sending.delete(sent);
      });
    this.#sending.add(sent);
  }

  /** Until all are sent or lost. */
  async idle(): Promise<void> {
    await Promise.all(this.#sending);
  }
}
