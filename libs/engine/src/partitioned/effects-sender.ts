import type { OutgoingMessage, StreamProducer } from '@laurel/event-stream';

/** Limit of the effects being sent at a time, in characters. */
export const MOST_ON_THEIR_WAY = 32_000_000;

/**
 * Sends effects in the background. If effects are lost, the caller is answered `pending`. Above the limit, further
 * effects are dropped: a topic that accepts nothing must not fill the memory of a service whose other output goes on.
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

  /** Resolves once all effects are sent or lost. */
  async idle(): Promise<void> {
    await Promise.all(this.#sending);
  }
}
