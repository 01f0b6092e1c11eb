import type { OutgoingMessage, StreamMessage } from '@laurel/event-stream';
import { PARTITIONS, TOPICS } from './chain-routes.fixture.ts';

/** The topics between the services of a test. */
export class WorldTopics {
  /** What must never be: one number that says two things. */
  readonly contradictions: string[] = [];
  readonly #topics: ReadonlyMap<string, StreamMessage[][]> = new Map(
    TOPICS.map((topic) => [topic, Array.from({ length: PARTITIONS }, () => [])]),
  );

  /** Of the n-th topic. */
  read(place: number, partition: number): readonly StreamMessage[] {
    return this.#partitions(place)[partition] ?? [];
  }

  append(messages: readonly OutgoingMessage[]): void {
    for (const { topic, partition, key, value, headers } of messages) {
      const kept = this.#topics.get(topic)?.[partition];
      kept?.push({ offset: kept.length, key, value, headers });
    }
  }

  /** Whether every message up to these numbers is there. */
  holds(place: number, partition: number, received: ReadonlyMap<number, number>): boolean {
    const numbers = [...new Set(this.read(place, partition).map(numberOf))];
    return [...received].every(
      ([source, last]) => numbers.filter((number) => number.startsWith(`${source}/`)).length >= last,
    );
  }

  lose(place: number): void {
    for (const messages of this.#partitions(place)) messages.length = 0;
  }

  /** Each message once, in its order, by its number, without the offsets of the road. */
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

/** Source and sequence, in an order that can be sorted. */
const numberOf = ({ headers }: StreamMessage): string =>
  `${headers['laurel-source']}/${headers['laurel-sequence']?.padStart(4, '0')}`;
