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

/** None of the records brings any. */
const NO_PERSONAL_FIELDS = { dataKeys: () => Promise.resolve(new Map<string, Uint8Array>()) };

const AREAS = ['users', 'points', 'achievements'] as const;
export const SERVICES = AREAS.length;

interface Member {
  readonly worker: PartitionWorker;
  position: number;
  busy: boolean;
}

type Send = (messages: readonly OutgoingMessage[]) => Promise<void>;

/** About two users with a state of the tracing area. */
const CACHED_BYTES = 130;

/** Three services in a row over one database; every call to stream and database waits until the test lets it arrive. */
export class ChainWorld {
  readonly topics = new WorldTopics();
  readonly calls = new CallsOnTheirWay();
  readonly stored = AREAS.map(() => ({ data: NOTHING_STORED }));
  /** Positions that every area refuses until they are mended. */
  readonly poison: Set<number>;
  /** What must never happen, and did. */
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

  /** Publishes the log from that place on, once more if it was before. */
  relay(from: number): void {
    if (from > this.#log.length) return;
    const [before, again] = [this.#log.slice(0, from), this.#log.slice(from)].map((entries, part) =>
      entries.flatMap((entry, index) => routeEntry(entry, index + (part === 0 ? 0 : from), this.#log)),
    );
    const { sent } = numberOutputs('t0', { source: 0, sent: new Map() }, before ?? []);
    this.topics.append(numberOutputs('t0', { source: 0, sent }, again ?? []).messages);
  }

  /** Hands a batch to one of two processes of a service. @param jump it is assigned the partition anew, and begins there */
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

  /** A process forgets everything; what it had under way may still happen. */
  restart(service: number, partition: number, process: number): void {
    this.#members.delete(JSON.stringify([service, partition, process]));
  }

  /** The database loses its last commits, of all services alike. */
  loseCommits(count: number): void {
    const moment = this.#moments.at(-1 - count);
    if (!moment) return;
    this.#moments.length -= count;
    moment.forEach((data, service) => (this.#database(service).data = data));
  }

  /** What a send that failed had left on its way arrives after all. */
  arriveLate(): void {
    this.topics.append(this.#limbo.splice(0));
  }

  /**
   * A topic is lost, and sent again from the beginning by the service before it, which is stopped meanwhile and whose own input is
   * complete.
   */
  async loseTopic(service: number): Promise<void> {
    await this.#calm();
    if (this.#isInputComplete(service - 1)) await this.#sendAgain(service);
    this.calls.isCalm = false;
  }

  /** Everything is mended and applied to its end by one process each. */
  async finish(): Promise<void> {
    await this.#calm();
    this.poison.clear();
    for (let service = 0; service < SERVICES; service++)
      for (let partition = 0; partition < PARTITIONS; partition++) await this.#readToEnd(service, partition);
  }

  /** What the services have, what lies between them, and what must never have happened. */
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

  /** From wherever the process is, or at least from the last message on, as when one more comes. */
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

  /** Not if that topic was lost before, and the database had lost what the service before it would have had to send again. */
  #isInputComplete(service: number): boolean {
    return [...(this.stored[service]?.data.checkpoints ?? [])].every(([partition, { received }]) =>
      this.topics.holds(service, partition, received),
    );
  }

  /** As far as the service has come, on a store of its own. */
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

  /** Faults of calls to the database. 1: it does not arrive; 2: a commit is done, but its answer is lost. */
  readonly #passage: FaultPoint = (call, work) =>
    this.calls.add((fault) => {
      if (fault === 1) throw new StoreUnavailableError(`a ${call} did not arrive`);
      const answer = work();
      if (call === 'commit') this.#moments.push(this.stored.map(({ data }) => data));
      if (fault === 2 && call === 'commit') throw new StoreUnavailableError('the answer to a commit was lost');
      return answer;
    });

  /** Faults of a send, which rejects. 1: nothing is kept; 2: the first half; 3: all of it, much later; 4: all of it. */
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
