import {
  StoreUnavailableError,
  type CorrectionRecorded,
  type KeyHash,
  type CommandResult,
  type Refused,
  type Subject,
} from '@laurel/kernel';
import type {
  Clock,
  Corrected,
  CorrectionOrder,
  CorrectionOutcome,
  CorrectionPreview,
  CorrectionRefused,
  CorrectionRequest,
  Corrections,
  PreviewedUser,
} from '@laurel/ports';
import { CorrectionRefusedError, FoldsAtOnce, type Engine, type CorrectionReads } from '@laurel/engine';
import type { EventLookup } from '@laurel/event-store';
import {
  amendedThoughRetracted,
  correctedIn,
  correctedUsers,
  hashOf,
  idOf,
  keyOf,
  madeWith,
  recordedOf,
  withProgress,
} from './corrected-users.ts';
import { previewedUser } from './previewed-user.ts';
import { refusedFor, refusedOf } from './refusals.ts';

/** The engine that records corrections, and the log in which their events are found. */
export interface LiveCorrectionsDependencies {
  readonly engine: Pick<Engine, 'previewCorrection' | 'correct' | 'historyOf' | 'importOpen'>;
  readonly log: Pick<EventLookup, 'findAll' | 'correctionsOf'>;
  readonly clock: Clock;
}

/** Another source for the log and the states that previews read. */
interface PreviewReads {
  readonly log: LiveCorrectionsDependencies['log'];
  readonly user?: CorrectionReads;
}

type Previewed = CorrectionPreview | CorrectionRefused;

/** Corrections in the process whose engine records and applies them. */
export class LiveCorrections implements Corrections {
  readonly #dependencies: LiveCorrectionsDependencies;
  /** Limits calls, and so the users folded at a time: a call folds one user after the other. */
  readonly #calls = new FoldsAtOnce({ most: 2, what: 'corrections' });

  constructor(dependencies: LiveCorrectionsDependencies) {
    this.#dependencies = dependencies;
  }

  preview(account: string, request: CorrectionRequest): Promise<Previewed> {
    return this.#calls.run(() => this.#preview(account, request, this.#dependencies));
  }

  /** Previews that read from another source; all calls share one limit. */
  previewsBy(reads: PreviewReads): Pick<Corrections, 'preview'> {
    return { preview: (account, request) => this.#calls.run(() => this.#preview(account, request, reads)) };
  }

  correct(account: string, order: CorrectionOrder): Promise<CorrectionOutcome> {
    return this.#calls.run(() => this.#correct(account, order));
  }

  async #preview(account: string, request: CorrectionRequest, { log, user }: PreviewReads): Promise<Previewed> {
    const { engine } = this.#dependencies;
    const sorted = await correctedUsers(account, request, log);
    if ('kind' in sorted) return sorted;
    if (engine.importOpen(account)) return { kind: 'refused', reason: 'import_open' };
    const refused = amendedThoughRetracted(request, sorted);
    if (refused !== null) return refused;
    const id = idOf(account, request, sorted);
    const users: PreviewedUser[] = [];
    for (const [subject, corrections] of sorted.users) {
      const correction = recordedOf(request, { subject, corrections, preview: id });
      try {
        const preview = await engine.previewCorrection(account, correction, user);
        users.push(
          previewedUser(correction, preview, engine.historyOf(account).current, this.#dependencies.clock.now()),
        );
      } catch (error) {
        if (error instanceof CorrectionRefusedError)
          return refusedFor({ ...error.of, reason: error.reason }, corrections, request);
        throw error;
      }
    }
    return { kind: 'previewed', id, users };
  }

  async #correct(account: string, order: CorrectionOrder): Promise<CorrectionOutcome> {
    const { preview, attribution } = order;
    const sorted = await correctedUsers(account, order, this.#dependencies.log);
    if ('kind' in sorted) return sorted;
    const key = keyOf(account, order, sorted);
    const keyHashOfUser = (subject: Subject): KeyHash | null => (key === null ? null : hashOf(account, subject, key));
    const done = new Map(
      [...sorted.users.keys()].flatMap((subject) => {
        const made = madeWith(keyHashOfUser(subject), sorted.earlier.get(subject));
        return made === undefined ? [] : [[subject, made] as const];
      }),
    );
    const isPreviewed =
      idOf(account, order, sorted, done) === preview &&
      [...done.values()].every(({ fact }) => fact.preview === preview);
    const made = new Map([...done].map(([subject, { eventId }]) => [subject, eventId]));
    if (!isPreviewed && done.size < sorted.users.size)
      return withProgress({ kind: 'refused', reason: 'stale_preview' }, sorted, made);
    const refused = amendedThoughRetracted(order, sorted, made);
    if (refused !== null) return withProgress(refused, sorted, made);
    // The kind of the last user's result decides: concurrent calls may each record some users, but only one of them
    // records the last one.
    let kind: Corrected['kind'] = 'replayed';
    for (const [subject, corrections] of sorted.users) {
      if (made.has(subject)) {
        kind = 'replayed';
        continue;
      }
      const latest = sorted.earlier.get(subject)?.at(-1)?.position ?? 0;
      const keyHash = keyHashOfUser(subject);
      const correction = { ...recordedOf(order, { subject, corrections, preview }), keyHash, ...attribution };
      const outcome = await this.#correctUser(account, correction, latest);
      if (outcome.kind === 'refused') return withProgress(refusedOf(outcome, corrections, order), sorted, made);
      kind = outcome.kind;
      made.set(subject, outcome.eventId);
    }
    return { kind, users: correctedIn(sorted, made) };
  }

  /** An earlier correction may be the same call, sent again while it was in progress. */
  async #correctUser(
    account: string,
    correction: CorrectionRecorded,
    latest: number,
  ): Promise<Refused | { readonly kind: 'recorded' | 'replayed'; readonly eventId: string }> {
    const outcome = await this.#correctOrRefuse(account, correction, latest);
    if (outcome.kind !== 'refused' || outcome.reason !== 'corrected_meanwhile') return outcome;
    const { keyHash, subject } = correction;
    if (keyHash === null) return outcome;
    const made = madeWith(keyHash, await this.#dependencies.log.correctionsOf([subject]));
    return made === undefined ? outcome : { kind: 'replayed', eventId: made.eventId };
  }

  /** Turns an unavailable store into a refusal, so that the answer still says who was corrected before. */
  async #correctOrRefuse(account: string, correction: CorrectionRecorded, latest: number): Promise<CommandResult> {
    try {
      return await this.#dependencies.engine.correct(account, correction, latest);
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      return { kind: 'refused', reason: 'unavailable', eventId: null, retryAfterMs: null };
    }
  }
}
