import { StoreUnavailableError } from '@laurel/kernel';
import type { OutgoingMessage, StreamMessage } from '@laurel/event-stream';
import { CallsOnTheirWay, settled } from './calls-on-their-way.fixture.ts';
import { PARTITIONS, publishedIn, routeEntry, routesOf, type Entry } from './chain-routes.fixture.ts';
import {
  MemoryPartitionStore,
  NOTHING_STORED,
  type FaultPoint,
  type StoredData,
} from './memory-partition-store.fixture.ts';
import { numberOutputs } from './number-outputs.ts';
import { PartitionWorker } from './partition-worker.ts';
import { decodeEffect } from './protocol.ts';
import { Publications } from './publications.ts';
import { numberedHistory, tracingArea } from './tracing-area.fixture.ts';
import { UserProjection } from './user-projection.ts';
import { WorldTopics } from './world-topics.fixture.ts';

/** No record has personal fields. */
const NO_PERSONAL_FIELDS = { dataKeys: () => Promise.resolve(new Map<string, Uint8Array>()) };

const AREAS = ['users', 'points', 'achievements'] as const;
export const SERVICES = AREAS.length;

interface Member {
  readonly worker: PartitionWorker;
  position: number;
  busy: boolean;
}

type Send = (messages: readonly OutgoingMessage[]) => Promise<void>;

/** Enough for about two users with a state of the tracing area. */
const CACHED_BYTES = 130;

/**
 * Three consecutive services over one database. Every call to stream and database waits until the test completes it.
 */
export class ChainWorld {
  readonly topics = new WorldTopics();
  readonly calls = new CallsOnTheirWay();
  readonly stored = AREAS.map(() => ({ data: NOTHING_STORED }));
  /** Positions that every area refuses until the set is emptied. */
  readonly poison: Set<number>;
  /** Violations that the services must never cause. */
  readonly broken: string[] = [];
  readonly #log: readonly Entry[];
  readonly #limbo: OutgoingMessage[] = [];
  readonly #moments: StoredData[][] = [];
  readonly #members = new Map<string, Member>();

  constructor(log: readonly Entry[], poison: readonly number[]) {
    this.#log = ['publication', ...log];
    this.poison = new Set(poison);
    this.relay(0);
  }

  /** Publishes the log from that position on, again if it was published before. */
  relay(from: number): void {
    if (from > this.#log.length) return;
    const [before, again] = [this.#log.slice(0, from), this.#log.slice(from)].map((entries, part) =>
      entries.flatMap((entry, index) => routeEntry(entry, index + (part === 0 ? 0 : from), this.#log)),
    );
    const { sent } = numberOutputs('t0', { source: 0, sent: new Map() }, before ?? []);
    this.topics.append(numberOutputs('t0', { source: 0, sent }, again ?? []).messages);
  }

  /**
   * Hands a batch to one of two processes of a service. @param jump the offset to begin at if the partition is assigned
   * anew, otherwise null
   */
  deliver(service: number, partition: number, process: number, size: number, jump: number | null): void {
    const member = this.#memberOf(service, partition, process);
    if (member.busy) return;
    const messages = this.topics.read(service, partition);
    if (jump !== null) begin(member, jump % (messages.length + 1));
    const batch = messages.slice(member.position, member.position + size);
    if (batch.length === 0) return;
    member.busy = true;
    member.worker
      .onBatch({ messages: batch, end: messages.length })
      .then((next) => (member.position = next))
      .catch((error: unknown) => this.#expect(error as Error))
      .finally(() => (member.busy = false));
  }

  /** Restarts a process: its memory is gone, but calls that it has sent may still complete. */
  restart(service: number, partition: number, process: number): void {
    this.#members.delete(JSON.stringify([service, partition, process]));
  }

  /** Makes the database lose its last commits, of all services alike. */
  loseCommits(count: number): void {
    const moment = this.#moments.at(-1 - count);
    if (!moment) return;
    this.#moments.length -= count;
    moment.forEach((data, service) => (this.#database(service).data = data));
  }

  /** Delivers the messages of a failed send that were still on their way. */
  arriveLate(): void {
    this.topics.append(this.#limbo.splice(0));
  }

  /**
   * Loses a topic. The service before it sends everything again from the beginning. It needs a complete input, and is
   * stopped meanwhile.
   */
  async loseTopic(service: number): Promise<void> {
    await this.#calm();
    if (this.#isInputComplete(service - 1)) await this.#sendAgain(service);
    this.calls.isCalm = false;
  }

  /** Ends all faults, and lets one process of each service read its input to the end. */
  async finish(): Promise<void> {
    await this.#calm();
    this.poison.clear();
    for (let service = 0; service < SERVICES; service++)
      for (let partition = 0; partition < PARTITIONS; partition++) await this.#readToEnd(service, partition);
  }

  /** The state of the services, the messages between them, and the violations found. */
  outcome() {
    return {
      services: this.stored.map(({ data }) => ({
        received: [...data.checkpoints].sort().map(([partition, { received }]) => [partition, [...received].sort()]),
        failures: [...data.checkpoints.values()].flatMap(({ failure }) => failure ?? []),
        states: [...data.states].sort(),
        rows: data.rows.map((row) => JSON.stringify(row)).sort(),
      })),
      messages: this.topics.distinct(),
      broken: [...this.broken, ...this.topics.contradictions],
    };
  }

  async #calm(): Promise<void> {
    await this.calls.calm();
    this.arriveLate();
    await settled();
  }

  /** Reads from the process's position, and at least the last message: as if one more message had arrived. */
  async #readToEnd(service: number, partition: number): Promise<void> {
    const member = this.#memberOf(service, partition, 0);
    const end = this.topics.read(service, partition).length;
    member.position = Math.min(member.position, end - 1);
    for (let tries = 0; tries < 100 && member.position < end; tries++) {
      this.deliver(service, partition, 0, 20, null);
      while (member.busy) await settled();
    }
  }

  async #sendAgain(service: number): Promise<void> {
    this.topics.lose(service);
    const database = this.#database(service);
    const checkpoints = [...database.data.checkpoints].map(([at, one]) => [at, { ...one, nextOffset: 0 }] as const);
    database.data = { ...database.data, checkpoints: new Map(checkpoints) };
    this.#moments.length = 0;
    if (service === 0) this.relay(0);
    else await this.#applyAgain(service - 1);
    for (let partition = 0; partition < PARTITIONS; partition++)
      for (const process of [0, 1]) {
        this.restart(service - 1, partition, process);
        begin(this.#memberOf(service, partition, process), 0);
      }
  }

  /**
   * Whether the topic still holds all input of the service. False if the topic was lost and the service before it had
   * lost the commits needed to send it again.
   */
  #isInputComplete(service: number): boolean {
    return [...(this.stored[service]?.data.checkpoints ?? [])].every(([partition, { received }]) =>
      this.topics.holds(service, partition, received),
    );
  }

  /** Applies the service's input again up to where the service is, on a separate store. */
  async #applyAgain(service: number): Promise<void> {
    const poison = [...this.poison];
    this.poison.clear();
    for (let partition = 0; partition < PARTITIONS; partition++) {
      const received = this.stored[service]?.data.checkpoints.get(partition)?.received;
      const wasApplied = ({ headers }: StreamMessage): boolean =>
        Number(headers['laurel-sequence']) <= (received?.get(Number(headers['laurel-source'])) ?? 0);
      const messages = this.topics.read(service, partition).filter(wasApplied).map(atOffset);
      const send: Send = (sent) => Promise.resolve(this.topics.append(sent));
      const worker = this.#openWorker(service, partition, new MemoryPartitionStore(), send);
      if (messages.length > 0) await worker.onBatch({ messages, end: messages.length });
    }
    for (const position of poison) this.poison.add(position);
  }

  #memberOf(service: number, partition: number, process: number): Member {
    const key = JSON.stringify([service, partition, process]);
    const present = this.#members.get(key);
    if (present) return present;
    const store = new MemoryPartitionStore(this.#database(service), this.#passage, `${partition}/`);
    const worker = this.#openWorker(service, partition, store, (messages) => this.#send(messages));
    const member = { worker, position: 0, busy: false };
    this.#members.set(key, member);
    return member;
  }

  #openWorker(service: number, partition: number, store: MemoryPartitionStore, send: Send): PartitionWorker {
    const area = tracingArea(AREAS[service] ?? 'users', ({ position }) => this.poison.has(position));
    const readStates = store.readStates.bind(store, partition);
    return new PartitionWorker({
      partition,
      store,
      publications: new Publications(numberedHistory, () => Promise.resolve(publishedIn(this.#log))),
      openProjection: () =>
        new UserProjection({ areasBySchema: [[area]], partition, readStates, cachedUserBytes: CACHED_BYTES }),
      routes: routesOf(service),
      dataKeys: NO_PERSONAL_FIELDS,
      producer: { send },
      sendEffects: (messages) => this.#checkEffects(service, messages),
      counts: { records: 0, configurations: 0, repeated: 0, batches: 0, sent: 0, effects: 0 },
    });
  }

  /** Simulates faults of database calls. 1: the call does not arrive. 2: a commit succeeds, but its answer is lost. */
  readonly #passage: FaultPoint = (call, work) =>
    this.calls.add((fault) => {
      if (fault === 1) throw new StoreUnavailableError(`a ${call} did not arrive`);
      const answer = work();
      if (call === 'commit') this.#moments.push(this.stored.map(({ data }) => data));
      if (fault === 2 && call === 'commit') throw new StoreUnavailableError('the answer to a commit was lost');
      return answer;
    });

  /**
   * Simulates faults of a send. With 1 to 4 the send rejects. 1: no message is kept; 2: the first half is kept; 3: all
   * are kept, but much later; 4: all are kept.
   */
  #send(messages: readonly OutgoingMessage[]): Promise<void> {
    return this.calls.add((fault) => {
      if (fault === 2) this.topics.append(messages.slice(0, Math.ceil(messages.length / 2)));
      else if (fault === 3) this.#limbo.push(...messages);
      else if (fault !== 1) this.topics.append(messages);
      if (fault >= 1 && fault <= 4) throw new Error('nobody knows whether the messages are kept');
    });
  }

  readonly #database = (service: number) => this.stored[service] as { data: StoredData };

  #checkEffects(service: number, messages: readonly OutgoingMessage[]): void {
    const committed = this.#database(service).data.rows.map(({ position }) => `event-${String(position)}`);
    for (const { value } of messages) {
      const { eventId } = decodeEffect(value);
      if (!committed.includes(eventId)) this.broken.push(`an effect of ${eventId} before its commit`);
    }
  }

  #expect({ name, message }: Error): void {
    const expected = ['StoreUnavailableError', 'StaleCheckpointError', 'SendError', 'MissingMessagesError'];
    if (!expected.includes(name) && !message.includes('cannot apply')) this.broken.push(`${name}: ${message}`);
  }
}

function begin(member: Member, position: number): void {
  member.position = position;
  member.worker.reassigned();
}

const atOffset = (message: StreamMessage, offset: number): StreamMessage => ({ ...message, offset });
