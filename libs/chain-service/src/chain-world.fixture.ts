import { StoreUnavailableError } from '@laurel/contracts';
import type { OutgoingMessage, StreamMessage } from '@laurel/event-stream';
import {
  MemoryPartitionStore,
  NOTHING_STORED,
  type Passage,
  type StoredData,
} from './memory-partition-store.fixture.ts';
import { numberOutputs } from './number-outputs.ts';
import { PartitionWorker, type WorkerCounts } from './partition-worker.ts';
import { decodeEffect } from './protocol.ts';
import { Publications } from './publications.ts';
import { numberedHistory, tracingArea } from './tracing-area.fixture.ts';
import { UserProjection } from './user-projection.ts';

const AREAS = ['users', 'points', 'achievements'] as const;
export const SERVICES = AREAS.length;

interface Member {
  readonly worker: PartitionWorker;
  position: number;
  busy: boolean;
}

const counts = (): WorkerCounts => ({ records: 0, configurations: 0, repeated: 0, batches: 0, sent: 0, effects: 0 });

/**
 * Three services in a row over one database: the first and the second pass on to the same partition and to some of all partitions, as
 * the real ones do; every call to stream and database waits until the test lets it through, one way or another.
 */
export class ChainWorld {
  readonly topics: ReadonlyMap<string, StreamMessage[][]> = new Map(
    TOPICS.map((topic) => [topic, Array.from({ length: PARTITIONS }, () => [])]),
  );
  readonly stored = AREAS.map(() => ({ data: NOTHING_STORED }));
  /** Positions that an area refuses until it is mended. */
  readonly poison: Set<number>;
  /** What must never be seen: told at the end. */
  readonly broken: string[] = [];
  readonly #log: readonly Entry[];
  readonly #waiting: ((fault: number) => void)[] = [];
  readonly #limbo: OutgoingMessage[] = [];
  readonly #moments: StoredData[][] = [];
  readonly #members = new Map<string, Member>();
  isCalm = false;

  constructor(log: readonly Entry[], poison: readonly number[]) {
    this.#log = ['publication', ...log];
    this.poison = new Set(poison);
    this.relay(0);
  }

  /** Publishes the log from that place on, once more if it was before. */
  relay(from: number): void {
    if (from > this.#log.length) return;
    const [before, again] = [this.#log.slice(0, from), this.#log.slice(from)].map((entries, part) =>
      entries.flatMap((entry, index) => routeEntry(entry, index + (part === 0 ? 0 : from), this.#log)),
    );
    const { sent } = numberOutputs('t0', { source: 0, sent: new Map() }, before ?? []);
    this.#append(numberOutputs('t0', { source: 0, sent }, again ?? []).messages);
  }

  /** Hands a batch to one of two processes of a service; `jump`: it begins there and not where the process has stopped. */
  deliver(service: number, partition: number, process: number, size: number, jump: number | null): void {
    const member = this.#memberOf(service, partition, process);
    if (member.busy) return;
    const messages = this.#input(service, partition);
    if (jump !== null) {
      member.position = jump % (messages.length + 1);
      member.worker.reassigned();
    }
    const batch = messages.slice(member.position, member.position + size);
    if (batch.length === 0) return;
    member.busy = true;
    member.worker
      .onBatch({ messages: batch, end: messages.length })
      .then((next) => (member.position = next))
      .catch((error: unknown) => this.#expect(error))
      .finally(() => (member.busy = false));
  }

  /** Lets one of the calls on their way arrive. */
  async step(pick: number, fault: number): Promise<void> {
    this.#waiting.splice(pick % Math.max(1, this.#waiting.length), 1)[0]?.(fault);
    await settled();
  }

  /** A process forgets everything; what it had under way may still happen. */
  restart(service: number, partition: number, process: number): void {
    this.#members.delete(JSON.stringify([service, partition, process]));
  }

  /** The database loses its last commits, of all services alike. */
  loseCommits(count: number): void {
    const moment = this.#moments.at(-1 - count);
    if (!moment) return;
    this.#moments.length -= count;
    moment.forEach((data, service) => ((this.stored[service] as { data: StoredData }).data = data));
  }

  /** What a send that failed had left on its way arrives after all. */
  arriveLate(): void {
    this.#append(this.#limbo.splice(0));
  }

  /**
   * A topic is lost, and sent again from the beginning by the service before it, which is not at work meanwhile and whose own input
   * is complete.
   */
  async loseTopic(service: number): Promise<void> {
    await this.calm();
    if (this.#isInputComplete(service - 1)) await this.#loseTopic(service);
    this.isCalm = false;
  }

  async #loseTopic(service: number): Promise<void> {
    this.topics.get(TOPICS[service] as string)?.forEach((messages) => (messages.length = 0));
    const database = this.stored[service] as { data: StoredData };
    const checkpoints = [...database.data.checkpoints].map(
      ([at, checkpoint]) => [at, { ...checkpoint, nextOffset: 0 }] as const,
    );
    database.data = { ...database.data, checkpoints: new Map(checkpoints) };
    this.#moments.length = 0;
    if (service === 0) this.relay(0);
    else await this.#applyAgain(service - 1);
    for (let partition = 0; partition < PARTITIONS; partition++)
      for (const process of [0, 1]) {
        const member = this.#memberOf(service, partition, process);
        member.position = 0;
        member.worker.reassigned();
      }
  }

  /** Not if that topic was lost before, and the database had lost what the service before it would have had to send again. */
  #isInputComplete(service: number): boolean {
    const checkpoints = this.stored[service]?.data.checkpoints ?? [];
    return [...checkpoints].every(([partition, { received }]) => {
      const numbers = new Set(
        this.#input(service, partition).map(
          ({ headers }) => `${headers['laurel-source']}/${headers['laurel-sequence']}`,
        ),
      );
      return [...received].every(([source, last]) =>
        Array.from({ length: last }, (_, index) => `${source}/${index + 1}`).every((number) => numbers.has(number)),
      );
    });
  }

  /** From now on nothing goes wrong. */
  async calm(): Promise<void> {
    this.isCalm = true;
    while (this.#waiting.length > 0) await this.step(0, 0);
    this.arriveLate();
    await settled();
  }

  /** Everything is mended and applied to its end by one process each. */
  async finish(): Promise<void> {
    await this.calm();
    this.poison.clear();
    for (let service = 0; service < SERVICES; service++)
      for (let partition = 0; partition < PARTITIONS; partition++) await this.#readToEnd(service, partition);
  }

  /** From wherever the process is, or at least from the last message on, as when one more comes. */
  async #readToEnd(service: number, partition: number): Promise<void> {
    const member = this.#memberOf(service, partition, 0);
    const end = this.#input(service, partition).length;
    member.position = Math.min(member.position, end - 1);
    for (let tries = 0; tries < 100 && member.position < end; tries++) {
      this.deliver(service, partition, 0, 20, null);
      while (member.busy) await settled();
    }
  }

  /** What the services have, and what lies between them: each message once, in its order, without the offsets. */
  outcome() {
    return {
      services: this.stored.map(({ data }) => ({
        received: [...data.checkpoints].sort().map(([partition, { received }]) => [partition, [...received].sort()]),
        failures: [...data.checkpoints.values()].flatMap(({ failure }) => failure ?? []),
        states: [...data.states].sort(),
        rows: data.rows.map((row) => JSON.stringify(row)).sort(),
        versions: [...new Set(data.publications.map(({ version }) => version))].sort(),
      })),
      messages: TOPICS.map((topic) => this.#distinct(topic)),
    };
  }

  #distinct(topic: string) {
    return this.topics.get(topic)?.map((messages) => {
      const byNumber = new Map<string, string>();
      for (const { headers, value } of messages) {
        const number = `${headers['laurel-source']}/${headers['laurel-sequence']?.padStart(4, '0')}`;
        const said = value.replace(/"trail":\[[^\]]*\]/, '');
        if ((byNumber.get(number) ?? said) !== said) this.broken.push(`${topic} says two things under ${number}`);
        byNumber.set(number, said);
      }
      return [...byNumber].sort();
    });
  }

  #memberOf(service: number, partition: number, process: number): Member {
    const key = JSON.stringify([service, partition, process]);
    const member = this.#members.get(key) ?? {
      worker: this.#openWorker(service, partition, this.#storeOf(service, partition), (messages) =>
        this.#send(messages),
      ),
      position: 0,
      busy: false,
    };
    this.#members.set(key, member);
    return member;
  }

  #openWorker(
    service: number,
    partition: number,
    store: MemoryPartitionStore,
    send: (messages: readonly OutgoingMessage[]) => Promise<void>,
  ): PartitionWorker {
    const area = tracingArea(AREAS[service] as (typeof AREAS)[number], (message) =>
      this.poison.has(message.record.position),
    );
    return new PartitionWorker({
      partition,
      store,
      publications: new Publications(numberedHistory, () => store.readPublications()),
      openProjection: () =>
        new UserProjection({
          areas: [area],
          partition,
          readStates: (users) => store.readStates(users),
          cachedUsers: 2,
        }),
      routes: routesOf(service),
      producer: { send },
      sendEffects: (messages) => this.#checkEffects(service, messages),
      counts: counts(),
    });
  }

  #storeOf(service: number, partition: number): MemoryPartitionStore {
    const database = this.stored[service] as { data: StoredData };
    const pass: Passage = (call, work) =>
      this.#pass((fault) => {
        if (fault === 1) throw new StoreUnavailableError(`${call} did not arrive`);
        const answer = work();
        if (call === 'commit') this.#moments.push(this.stored.map(({ data }) => data));
        if (fault === 2 && call === 'commit') throw new StoreUnavailableError('the answer to the commit was lost');
        return answer;
      });
    return new MemoryPartitionStore(database, pass, `${partition}/`);
  }

  #send(messages: readonly OutgoingMessage[]): Promise<void> {
    return this.#pass((fault) => {
      const kept = fault === 0 || fault > 4 ? messages.length : fault === 2 ? Math.ceil(messages.length / 2) : 0;
      this.#append(fault === 1 ? [] : fault === 4 ? messages : messages.slice(0, kept));
      if (fault === 3) this.#limbo.push(...messages);
      if (fault >= 1 && fault <= 4) throw new Error('nobody knows whether the messages are kept');
    });
  }

  #pass<T>(work: (fault: number) => T): Promise<T> {
    if (this.isCalm) return Promise.resolve().then(() => work(0));
    return new Promise((resolve, reject) => {
      this.#waiting.push((fault) => {
        try {
          resolve(work(fault));
        } catch (error) {
          reject(error as Error);
        }
      });
    });
  }

  #append(messages: readonly OutgoingMessage[]): void {
    for (const { topic, partition, key, value, headers } of messages) {
      const kept = this.topics.get(topic)?.[partition];
      kept?.push({ offset: kept.length, key, value, headers });
    }
  }

  #input(service: number, partition: number): readonly StreamMessage[] {
    return this.topics.get(TOPICS[service] as string)?.[partition] ?? [];
  }

  /** As far as the service has come, on a store of its own. */
  async #applyAgain(service: number): Promise<void> {
    const poison = [...this.poison];
    this.poison.clear();
    for (let partition = 0; partition < PARTITIONS; partition++) {
      const checkpoint = this.stored[service]?.data.checkpoints.get(partition);
      const messages = this.#input(service, partition).filter(
        ({ headers }) =>
          Number(headers['laurel-sequence']) <= (checkpoint?.received.get(Number(headers['laurel-source'])) ?? 0),
      );
      const send = (sent: readonly OutgoingMessage[]) => Promise.resolve(this.#append(sent));
      const worker = this.#openWorker(service, partition, new MemoryPartitionStore(), send);
      if (messages.length > 0) await worker.onBatch({ messages: messages.map(inOrder), end: messages.length });
    }
    for (const position of poison) this.poison.add(position);
  }

  #checkEffects(service: number, messages: readonly OutgoingMessage[]): void {
    const rows = this.stored[service]?.data.rows ?? [];
    for (const { value } of messages) {
      const { eventId } = decodeEffect(value);
      if (!rows.some(({ position }) => `event-${String(position)}` === eventId))
        this.broken.push(`an effect of ${eventId} was sent before it was committed`);
    }
  }

  #expect(error: unknown): void {
    const { name, message } = error as Error;
    const isKnown =
      ['StoreUnavailableError', 'StaleCheckpointError', 'SendError', 'MissingMessagesError'].includes(name) ||
      message.includes('cannot apply');
    if (!isKnown) this.broken.push(String(error));
  }
}

const inOrder = (message: StreamMessage, offset: number): StreamMessage => ({ ...message, offset });

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
