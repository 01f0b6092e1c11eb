import type { BatchResult, StreamEnd, StreamResult } from '@laurel/schemas';
import { LONGEST_LINE } from '@laurel/runtime/surroundings';
import { CommandError } from '../command-error.ts';
import { plainText } from '../plain-text.ts';
import { OutcomeUnknownError, UnreachableError } from '../service/service-error.ts';
import { DamagedUsers } from './damaged-users.ts';
import type { EventLine } from './event-lines.ts';
import { hasKey, SentLines } from './sent-lines.ts';

export interface BadLine {
  readonly number: number;
  readonly error: string;
  /** The line was abandoned, because the stored state of its user is damaged. */
  readonly damaged?: true;
}

export interface ImportCounts {
  /** Lines with a known result. */
  sent: number;
  recorded: number;
  replayed: number;
  /** Recorded lines with an instant before their user's latest event. */
  late: number;
  refused: number;
}

export interface ImportRun {
  readonly lines: AsyncIterable<readonly EventLine[]>;
  /** Makes one request: sends a body, and yields the results as they arrive. */
  readonly exchange: (body: () => AsyncIterable<Uint8Array>) => AsyncIterable<readonly StreamResult[]>;
  readonly onBadLine: (line: BadLine) => void;
  readonly onProgress: () => void;
  /** Waits a little before lines are sent again. */
  readonly pause: () => Promise<void>;
}

/** Most consecutive requests that may end without any line being recorded or refused. */
const RETRIES = 30;
/** The number of lines that are sent again in one chunk. */
const PIECE = 250;
const NEWLINE = Buffer.from('\n');

/**
 * Sends the lines in one request and reads the results meanwhile, so lines are recorded in the order of the file. Keeps
 * `counts` up to date.
 *
 * If the request ends early or the connection breaks, another request continues at the first line that is not known to
 * be recorded. A service that rejects a line records no later line of the same request, so each user's order is kept. A
 * line without a key is not sent again if it may have been recorded.
 */
export async function importEvents(run: ImportRun, counts: ImportCounts): Promise<void> {
  await new EventImport(run, counts).run();
}

class EventImport {
  readonly #run: ImportRun;
  readonly #counts: ImportCounts;
  readonly #file: AsyncIterator<readonly EventLine[]>;
  readonly #sent = new SentLines();
  readonly #damaged = new DamagedUsers();
  /** Event ids under which a line may have been recorded. */
  readonly #inDoubt = new Map<EventLine, string>();
  #upcoming: Promise<IteratorResult<readonly EventLine[], unknown>> | null = null;
  #isRead = false;
  #unreadable: Error | null = null;
  /** The number of the current body; only this one is sent. */
  #body = 0;
  #wake: () => void = () => undefined;
  #lastNumber = 0;
  #wasConnected = false;

  constructor(run: ImportRun, counts: ImportCounts) {
    this.#run = run;
    this.#counts = counts;
    this.#file = run.lines[Symbol.asyncIterator]();
  }

  async run(): Promise<void> {
    for (let inVain = 0; ;) {
      const before = this.#counts.sent;
      const trouble = await this.#exchange();
      if (this.#isRead && this.#sent.again === 0) break;
      inVain = this.#counts.sent > before ? 0 : inVain + 1;
      if (inVain > RETRIES)
        throw trouble ?? new CommandError(2, 'the service ends every request before all lines are answered');
      await this.#run.pause();
    }
    if (this.#unreadable !== null) throw this.#unreadable;
  }

  /**
   * Makes one request. @returns why it ended early, or null. @throws errors that would affect any further request as
   * well.
   */
  async #exchange(): Promise<CommandError | null> {
    let end: StreamEnd | null = null;
    try {
      let expected = 0;
      for await (const results of this.#run.exchange(() => this.#newBody())) {
        this.#wasConnected = true;
        for (const result of results)
          if ('index' in result) this.#take(result, expected++);
          else end = result;
        this.#wake();
        this.#run.onProgress();
      }
    } catch (error) {
      return this.#lost(error);
    } finally {
      this.#endBody();
    }
    if (end !== null) return this.#ended(end);
    this.#sent.sendAgain();
    return null;
  }

  /** A new body begins with the lines that the previous one did not get recorded. */
  #newBody(): AsyncIterable<Uint8Array> {
    this.#endBody();
    this.#sent.sendAgain();
    return this.#pieces(this.#body);
  }

  #endBody(): void {
    this.#body++;
    this.#wake();
  }

  async *#pieces(body: number): AsyncGenerator<Uint8Array> {
    while (body === this.#body) {
      if (this.#sent.isFull) {
        await new Promise<void>((wake) => (this.#wake = wake));
        continue;
      }
      const read = this.#sent.again > 0 ? this.#sent.takeAgain(PIECE) : await this.#read(body);
      if (read === null) return;
      const lines = read.filter((line) => this.#maySend(line));
      this.#sent.add(lines);
      if (lines.length > 0) yield Buffer.concat(lines.flatMap(({ bytes }) => [bytes as Buffer, NEWLINE]));
    }
  }

  /** null at the end of the file or of the body. */
  async #read(body: number): Promise<readonly EventLine[] | null> {
    if (this.#isRead) return null;
    this.#upcoming ??= this.#file.next().catch((error: Error) => {
      this.#unreadable = error;
      return { done: true, value: undefined };
    });
    const { value, done } = await this.#upcoming;
    // Lines that were read for a finished body go into the next one.
    if (body !== this.#body) return null;
    this.#upcoming = null;
    this.#isRead = done === true;
    return done ? null : (value as readonly EventLine[]);
  }

  #maySend(line: EventLine): boolean {
    const refusal = line.bytes === null ? tooLong(line) : this.#damaged.refusalOf(line);
    if (refusal !== null) this.#refuse(refusal);
    return refusal === null;
  }

  #take(result: BatchResult, expected: number): void {
    const line = this.#sent.answered();
    if (line === undefined || result.index !== expected)
      throw new CommandError(2, 'the service gave a result for a line that it was not sent');
    this.#lastNumber = line.number;
    const { status, eventId, code, late } = result;
    if (status === 503 && eventId !== undefined) this.#inDoubt.set(line, eventId);
    if (status === 503 && code !== 'state_damaged' && (eventId === undefined || hasKey(line)))
      return this.#sent.turnAway(line);
    const wasOurs = this.#inDoubt.size > 0 && this.#inDoubt.get(line) === eventId;
    this.#inDoubt.delete(line);
    this.#counts.sent++;
    if (late) this.#counts.late++;
    if (status === 201 || (status === 202 && wasOurs)) this.#counts.recorded++;
    else if (status === 202) this.#counts.replayed++;
    else this.#refuseAnswered(line, result);
  }

  #refuseAnswered(line: EventLine, { status, error = `status ${status}`, code }: BatchResult): void {
    const damaged = code === 'state_damaged';
    if (damaged) this.#damaged.add(line);
    this.#run.onBadLine({ number: line.number, error, ...(damaged && { damaged }) });
  }

  #refuse(line: BadLine): void {
    this.#counts.sent++;
    this.#run.onBadLine(line);
  }

  /** If the service was reached, unanswered lines may have been recorded. */
  #lost(error: unknown): CommandError {
    const isLost = error instanceof OutcomeUnknownError;
    if (!isLost && !(error instanceof UnreachableError && this.#wasConnected)) throw error;
    this.#sent.sendAgain((line) => {
      const isInDoubt = isLost && !hasKey(line);
      if (isInDoubt) this.#refuse({ number: line.number, error: NOT_ANSWERED });
      return isInDoubt;
    });
    return error;
  }

  #ended({ code, status, error }: StreamEnd): CommandError {
    this.#sent.sendAgain();
    if (code === 'malformed_body') throw notNdjson(this.#lastNumber);
    const trouble = new CommandError(2, `the service ended the import (${status}): ${plainText(error)}`);
    if (!PASSING.has(code)) throw trouble;
    return trouble;
  }
}

/** Reasons for an early end after which another request may get further. */
const PASSING: ReadonlySet<StreamEnd['code']> = new Set(['overloaded', 'unavailable', 'request_timeout']);

const NOT_ANSWERED = 'whether it was recorded is not known: the connection broke before the service answered';

const tooLong = ({ number }: EventLine): BadLine => ({
  number,
  error: `the line is longer than ${LONGEST_LINE / 1_024} KiB`,
});

function notNdjson(line: number): CommandError {
  const found = `the last 20 lines, up to line ${line}, are not JSON`;
  return new CommandError(
    2,
    `${found}: the file must hold one JSON object a line (NDJSON), gzipped if its name ends in .gz`,
  );
}
