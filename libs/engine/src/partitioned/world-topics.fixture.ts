import type { OutgoingMessage, StreamMessage } from '@laurel/event-stream';
import { PARTITIONS, TOPICS } from './chain-routes.fixture.ts';

/** The topics between the services of a test. */
export class WorldTopics {
  /** Violations: two different messages with the same number. */
  readonly contradictions: string[] = [];
  readonly #topics: ReadonlyMap<string, StreamMessage[][]> = new Map(
    TOPICS.map((topic) => [topic, Array.from({ length: PARTITIONS }, () => [])]),
  );

  /** The messages in the n-th topic. */
  read(place: number, partition: number): readonly StreamMessage[] {
    return this.#partitions(place)[partition] ?? [];
  }

  append(messages: readonly OutgoingMessage[]): void {
    for (const { topic, partition, key, value, headers } of messages) {
      const kept = this.#topics.get(topic)?.[partition];
      kept?.push({ offset: kept.length, key, value, headers });
    }
  }

  /** Whether the topic has every message up to these numbers. */
  holds(place: number, partition: number, received: ReadonlyMap<number, number>): boolean {
    const numbers = [...new Set(this.read(place, partition).map(numberOf))];
    return [...received].every(
      ([source, last]) => numbers.filter((number) => number.startsWith(`${source}/`)).length >= last,
    );
  }

  lose(place: number): void {
    for (const messages of this.#partitions(place)) messages.length = 0;
  }

  /** Each message once, by its number, in order, without its offset. */
  distinct() {
    return TOPICS.map((topic, place) =>
      this.#partitions(place).map((messages) => {
        const byNumber = new Map<string, string>();
        for (const message of messages) {
          const number = numberOf(message);
          const said = message.value.replace(/"trail":\[[^\]]*\]/, '');
          if ((byNumber.get(number) ?? said) !== said) this.contradictions.push(`${topic}: ${number}`);
          byNumber.set(number, said);
        }
        return [...byNumber].sort();
      }),
    );
  }

  #partitions(place: number): StreamMessage[][] {
    return this.#topics.get(TOPICS[place] ?? '') ?? [];
  }
}

/** Source and sequence as text that sorts correctly. */
const numberOf = ({ headers }: StreamMessage): string =>
  `${headers['laurel-source']}/${headers['laurel-sequence']?.padStart(4, '0')}`;
