import type { Instant } from '@laurel/calendar';
import type { PointsRequest, RecordedEvent, RequestDecided, Verdict } from '@laurel/kernel';
import type { Clock, Directory } from '@laurel/ports';
import { SweepTimer } from './sweep-timer.ts';
import { lacksVerdict, requestDecided, type EventLookup, type RequestLog } from '@laurel/event-store';

export interface DecisionRecorderDependencies {
  readonly log: RequestLog & Pick<EventLookup, 'find'>;
  /** How the rules decided each of these requests, by what they have stored; null while they have not applied it. */
  readonly storedVerdicts: (requests: readonly RecordedEvent<PointsRequest>[]) => Promise<readonly (Verdict | null)[]>;
  /** Knows which users were erased: nothing is stored of them. */
  readonly directory: Pick<Directory, 'idsOf'>;
  readonly checkpoint: DecisionCheckpoint;
  /** @throws StoreUnavailableError if the event is not known to be recorded */
  readonly record: (account: string, event: RequestDecided, at: Instant) => Promise<void>;
  readonly clock: Clock;
  /** Requests that are younger are left to the process that waits for them. */
  readonly graceMs: number;
  /** Called when recording failed; it is tried again. */
  readonly onFailure: (error: unknown) => void;
}

/** The position up to which the log says how each request was decided, kept so that a start looks at no request again. */
export interface DecisionCheckpoint {
  read(): Promise<number>;
  save(position: number): Promise<void>;
}

const REQUESTS_AT_A_TIME = 500;
const EVERY_MS = 1_000;

/**
 * Records how the rules decided the requests for points that were recorded without a verdict (ADR 0061): in the distributed topology, whose
 * gateways do not have the user's points, and while an area has stopped. Usually the process that waits for the answer records the verdict;
 * this does if it could not, for example because it crashed.
 */
export class DecisionRecorder {
  readonly #dependencies: DecisionRecorderDependencies;
  readonly #timer: SweepTimer;
  #turn: Promise<unknown> = Promise.resolve();
  /** null until the checkpoint is read. */
  #reached: number | null = null;

  constructor(dependencies: DecisionRecorderDependencies) {
    this.#dependencies = dependencies;
    const { clock, onFailure } = dependencies;
    this.#timer = new SweepTimer(clock, () => this.recordDue(), onFailure, EVERY_MS);
  }

  /** Records verdicts repeatedly, until {@link stop}. */
  start(): void {
    this.#reached = null;
    this.#timer.start();
  }

  /** Resolves once nothing is being recorded. */
  stop(): Promise<void> {
    return this.#timer.stop();
  }

  close(): Promise<void> {
    return this.stop();
  }

  /** How long recording has been failing; 0 if the last attempt succeeded. */
  get failingMs(): number {
    return this.#timer.failingMs;
  }

  /**
   * As `EventLookup.find`. A request that the rules have decided has its verdict, which is then recorded.
   * @throws StoreUnavailableError
   */
  async find(account: string, eventId: string): Promise<RecordedEvent | null> {
    const { log } = this.#dependencies;
    const found = await log.find(account, eventId);
    if (found === null || !lacksVerdict(found)) return found;
    return this.#inTurn(async () => {
      // Another call may have recorded the verdict meanwhile.
      const request = await log.find(account, eventId);
      if (request === null || !lacksVerdict(request)) return request;
      const [verdict = null] = await this.#dependencies.storedVerdicts([request]);
      if (verdict === null) return request;
      await this.#record(request, verdict);
      return { ...request, fact: { ...request.fact, verdict } };
    });
  }

  /** Records the verdicts that the log lacks, up to the first request that is not applied yet. @throws StoreUnavailableError */
  recordDue(): Promise<void> {
    return this.#inTurn(async () => {
      while (await this.#recordNext());
    });
  }

  /** Returns whether there may be more. */
  async #recordNext(): Promise<boolean> {
    const { log, checkpoint, storedVerdicts } = this.#dependencies;
    const after = (this.#reached ??= await checkpoint.read());
    const requests = await log.readRequests(after, REQUESTS_AT_A_TIME);
    const undecided = requests.filter(lacksVerdict);
    const verdicts = undecided.length === 0 ? [] : await storedVerdicts(undecided);
    const erased = await this.#erasedAmong(undecided.filter((_, index) => verdicts[index] === null));
    let reached = after;
    for (const request of requests) {
      if (lacksVerdict(request) && !erased.has(request)) {
        const verdict = verdicts[undecided.indexOf(request)] ?? null;
        if (verdict === null || this.#isAwaited(request)) break;
        await this.#record(request, verdict);
      }
      reached = request.position;
    }
    if (reached > after) await checkpoint.save(reached);
    this.#reached = reached;
    return requests.length === REQUESTS_AT_A_TIME && reached === requests.at(-1)?.position;
  }

  #isAwaited({ recordedAt }: RecordedEvent<PointsRequest>): boolean {
    return recordedAt + this.#dependencies.graceMs > this.#dependencies.clock.now();
  }

  /** Requests of erased users stay undecided: nobody asks again, and nothing is left to decide. */
  async #erasedAmong(
    requests: readonly RecordedEvent<PointsRequest>[],
  ): Promise<ReadonlySet<RecordedEvent<PointsRequest>>> {
    const erased = new Set<RecordedEvent<PointsRequest>>();
    for (const request of requests) {
      const { subject } = request.fact;
      if (!(await this.#dependencies.directory.idsOf(request.account, [subject])).has(subject)) erased.add(request);
    }
    return erased;
  }

  #record(request: RecordedEvent<PointsRequest>, verdict: Verdict): Promise<void> {
    const { record, clock } = this.#dependencies;
    return record(request.account, requestDecided(request.account, request, verdict), clock.now());
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }
}
