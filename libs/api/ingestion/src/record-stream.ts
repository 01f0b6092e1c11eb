import type { Readable } from 'node:stream';
import { StoreUnavailableError } from '@laurel/kernel';
import { pause, type CommandStream } from '@laurel/ports';
import { createSuggest, ProblemError, problemOf, writeJson } from '@laurel/schemas';
import { answerLines, type Line, principalOf } from '@laurel/runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ReadItem, readItemsInSteps } from './batch.ts';
import { EventChunk } from './event-chunk.ts';
import { type EventLine, EventLineReader } from './event-lines.ts';
import type { IngestionPorts } from './ports.ts';
import { wantsFullResults } from './record-batch.ts';

/** Most lines, and bytes, that are submitted together. While this many wait, nothing more is read. */
const CHUNK = { lines: 250, bytes: 256 * 1024 };
/** Most chunks of a stream that the intake has at a time. */
const MOST_CHUNKS = 4;
/** How long a stream waits for an intake that accepts nothing, and how often it tries, in milliseconds. */
const WAIT_LIMIT = 30_000;
const TRY_AGAIN = 500;

/**
 * `POST /admin/v1/metrics/events` with one event per line. Records the events in order, and answers each with a line
 * while further ones arrive (specification, section 9). Events that the intake turned away are submitted again before
 * any others.
 */
export function recordStream(ports: IngestionPorts, request: FastifyRequest, reply: FastifyReply): Promise<Readable> {
  const { account, by } = principalOf(request);
  const receiptOnly = !wantsFullResults(request.query as Readonly<Record<string, unknown>>);
  return answerLines(request, reply, (chunks, isCut) =>
    new EventStream({ ports, account, by, receiptOnly, pieces: chunks, isCut }).results(),
  );
}

/** A submitted chunk. */
interface UnderWay {
  readonly chunk: EventChunk;
  answered: Promise<void>;
  isAnswered: boolean;
}

interface EventStreamDependencies {
  readonly ports: IngestionPorts;
  readonly account: string;
  /** The sender's name in the log. */
  readonly by: string;
  readonly receiptOnly: boolean;
  readonly pieces: AsyncIterator<readonly Line[]>;
  /** Whether the caller has disconnected. */
  readonly isCut: () => boolean;
}

class EventStream {
  readonly #dependencies: EventStreamDependencies;
  readonly #reader = new EventLineReader();
  readonly #suggest = createSuggest();
  readonly #order: CommandStream = { interrupted: false };
  readonly #underWay: UnderWay[] = [];
  #lines: EventLine[] = [];
  #piece: Promise<void> | null = null;
  #isRead = false;
  /** Why no more is submitted, or null. */
  #failure: Error | null = null;

  constructor(dependencies: EventStreamDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * The results, chunk by chunk. @throws the reason why the body was not read to its end, after all submitted events
   * are answered
   */
  async *results(): AsyncGenerator<string> {
    try {
      while (!this.#isThrough()) {
        await this.#step();
        if (this.#order.interrupted) await this.#submitAgain();
        while (this.#underWay[0]?.isAnswered) yield this.#resultsOf((this.#underWay.shift() as UnderWay).chunk);
      }
    } finally {
      // The caller has disconnected; submitted events are recorded nevertheless.
      for (const { chunk, answered } of this.#underWay) void answered.then(() => chunk.count());
    }
    if (this.#failure !== null) throw this.#failure;
  }

  /** Submits what may be submitted, then waits for an answer or more input. */
  async #step(): Promise<void> {
    if (this.#lines.length > 0 && this.#underWay.length < MOST_CHUNKS) return this.#begin();
    const [oldest] = this.#underWay;
    await Promise.race([...(oldest ? [oldest.answered] : []), ...(this.#mayRead() ? [this.#read()] : [])]);
  }

  #isThrough(): boolean {
    return this.#underWay.length === 0 && this.#lines.length === 0 && (this.#isRead || this.#failure !== null);
  }

  #mayRead(): boolean {
    const bytes = this.#lines.reduce((sum, line) => sum + sizeOf(line), 0);
    return !this.#isRead && this.#lines.length < CHUNK.lines && bytes < CHUNK.bytes;
  }

  #read(): Promise<void> {
    this.#piece ??= this.#readPiece().finally(() => (this.#piece = null));
    return this.#piece;
  }

  async #readPiece(): Promise<void> {
    try {
      const { value, done } = await this.#dependencies.pieces.next();
      if (done) this.#isRead = true;
      else if (this.#failure === null) this.#lines.push(...this.#reader.number(value));
    } catch (error) {
      this.#stop(error as Error);
    }
  }

  /** Drops lines that were read but not submitted. They get no result. */
  #stop(why: Error): void {
    this.#failure ??= why;
    this.#isRead = true;
    this.#lines = [];
  }

  async #begin(): Promise<void> {
    const { ports, account, by } = this.#dependencies;
    const context = {
      account,
      by,
      configuration: ports.configuration(account).current,
      now: ports.clock.now(),
      suggest: this.#suggest,
    };
    const items = await readItemsInSteps(this.#take(), (line) => this.#reader.read(line, context));
    if (this.#reader.problem !== null) this.#stop(new ProblemError(this.#reader.problem));
    if (this.#dependencies.isCut()) return this.#stop(CUT);
    const chunk = await this.#chunkOf(items);
    if (chunk === null) return this.#stop(TURNED_AWAY);
    const underWay: UnderWay = { chunk, answered: Promise.resolve(), isAnswered: false };
    this.#underWay.push(underWay);
    this.#submit(underWay);
  }

  /** If the directory cannot be reached, waits as for the intake. Returns null if that takes too long. */
  async #chunkOf(items: readonly ReadItem[]): Promise<EventChunk | null> {
    const { ports, receiptOnly, isCut } = this.#dependencies;
    const { clock } = ports;
    for (const sinceMs = clock.elapsedMs(); ; await pause(clock, TRY_AGAIN)) {
      try {
        return await EventChunk.of(ports, items, { receiptOnly, stream: this.#order });
      } catch (error) {
        if (!(error instanceof StoreUnavailableError)) throw error;
        if (isCut() || clock.elapsedMs() - sinceMs >= WAIT_LIMIT) return null;
      }
    }
  }

  /** Takes the lines of the next chunk. */
  #take(): EventLine[] {
    let bytes = 0;
    const end = this.#lines.findIndex((line, place) => place === CHUNK.lines || (bytes += sizeOf(line)) > CHUNK.bytes);
    return this.#lines.splice(0, end === -1 ? CHUNK.lines : Math.max(1, end));
  }

  #submit(underWay: UnderWay): void {
    underWay.isAnswered = false;
    underWay.answered = underWay.chunk.submit().then(() => {
      underWay.isAnswered = true;
    });
    underWay.answered.catch(() => undefined);
  }

  /**
   * Submits again until the intake has accepted everything that it turned away, or has accepted none of it for too
   * long.
   */
  async #submitAgain(): Promise<void> {
    const { clock } = this.#dependencies.ports;
    let open = Infinity;
    let sinceMs = clock.elapsedMs();
    for (;;) {
      await Promise.all(this.#underWay.map(({ answered }) => answered));
      this.#order.interrupted = false;
      const left = this.#underWay.reduce((sum, { chunk }) => sum + chunk.open, 0);
      if (left === 0) return;
      if (left < open) sinceMs = clock.elapsedMs();
      open = left;
      if (this.#dependencies.isCut()) return this.#stop(CUT);
      if (clock.elapsedMs() - sinceMs >= WAIT_LIMIT) return this.#stop(TURNED_AWAY);
      await pause(clock, TRY_AGAIN);
      for (const underWay of this.#underWay) this.#submit(underWay);
    }
  }

  #resultsOf(chunk: EventChunk): string {
    chunk.count();
    this.#reader.leave(chunk.damagedUsers);
    return chunk
      .results()
      .map((result) => `${writeJson(result)}\n`)
      .join('');
  }
}

const TURNED_AWAY = new ProblemError(
  problemOf('unavailable', 'The intake takes nothing; what has no result was not recorded.'),
);

const CUT = new ProblemError(problemOf('malformed_body', 'The body did not arrive whole.'));

const sizeOf = ({ bytes }: EventLine): number => bytes?.length ?? 0;
