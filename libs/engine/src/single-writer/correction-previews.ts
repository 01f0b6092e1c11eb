import type { Instant } from '@laurel/calendar';
import {
  type ConfigurationHistory,
  type CorrectionRecorded,
  type Effect,
  type RunDifference,
  type UserRef,
  sweepOf,
} from '@laurel/kernel';
import type { Clock } from '@laurel/ports';
import { BeforeAfterFolds } from '../folding/corrected-fold.ts';
import { CorrectionRefusedError } from '../folding/correction-refused-error.ts';
import { encodeDocument, type Document, type StoredDocument } from '../folding/document.ts';
import { dueAt } from '../folding/due-at.ts';
import type { UserEvents } from '../folding/user-events.ts';
import { takeEvents, UserFold } from '../folding/user-fold.ts';
import type { BatchStore } from '../storage/batch-store.ts';
import type { Chain } from './chain.ts';
import { assertFewRuns, correctedRuns } from './correct-in-batch.ts';
import type { Committed } from './committed.ts';
import { documentAtFolds, type CorrectionReads } from './document-at-folds.ts';
import { readDocument } from './load-documents.ts';
import type { Quarantine } from './quarantine.ts';

/** The result that a correction would have for its user. */
export interface PreviewedCorrection {
  /** Position of the user's newest event that the preview includes. */
  readonly position: number;
  /** The states of all areas in their stored form. */
  readonly before: StoredDocument;
  readonly after: StoredDocument;
  readonly effects: readonly Effect[];
  /** Runs in which the user's values would differ. Final runs are included only if the correction changes them. */
  readonly runs: readonly RunDifference[];
}

export interface CorrectionPreviewsDependencies {
  readonly store: Pick<BatchStore, 'loadDocuments'>;
  readonly chain: Chain;
  readonly clock: Pick<Clock, 'now'>;
  readonly committed: Committed;
  readonly quarantine: Quarantine;
  readonly userEvents: UserEvents;
  readonly newEventId: (at: Instant) => string;
  readonly historyOf: (account: string) => ConfigurationHistory;
}

/** Folds the events of users with and without a correction, outside the queue. */
export class CorrectionPreviews {
  readonly #dependencies: CorrectionPreviewsDependencies;

  constructor(dependencies: CorrectionPreviewsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Computes the result of a correction without recording it. As when a correction is carried out, the result is
   * compared with the user's stored state.
   * @param reads reads the user's past
   * @throws CorrectionRefusedError if the correction cannot be carried out; AreaError if an area cannot apply it;
   * StoreUnavailableError
   */
  async preview(
    account: string,
    correction: CorrectionRecorded,
    reads: CorrectionReads = { events: this.#dependencies.userEvents, documents: this.#dependencies.store },
  ): Promise<PreviewedCorrection> {
    const { chain, clock, newEventId } = this.#dependencies;
    const folds = await this.beforeAndAfter(account, correction, reads.events);
    if (folds.position === 0) throw new CorrectionRefusedError('unknown_user', 'nothing is recorded of the user');
    const { subject } = correction;
    let before = await this.#documentBefore(folds, { account, subject }, reads);
    if (folds.hasConflict) return this.preview(account, correction, reads);
    const { position } = folds;
    const [now, history] = [clock.now(), this.#dependencies.historyOf(account)];
    const { version } = history.current;
    const next = { eventId: newEventId(now), account, configurationVersion: version, occurredAt: now, recordedAt: now };
    const due = dueAt(chain.userAreas, { account, subject }, before, history.current);
    if (due !== null && due <= now) {
      const swept = sweepOf({ ...next, position: position + 1 }, subject);
      const fold = new UserFold(chain.userAreas, history, { document: before, position });
      fold.apply(swept);
      before = fold.document;
      folds.apply(swept);
    }
    const corrected = folds.finish({ ...next, position: position + 2, fact: correction }, before);
    assertFewRuns(chain.boards, corrected, correction.finalRuns === 'change');
    const { document, effects } = corrected;
    const stateOf = (one: Document) => JSON.parse(encodeDocument(chain.userAreas, one)) as StoredDocument;
    const runs = correctedRuns(chain.boards, corrected, now);
    return { position, before: stateOf(before), after: stateOf(document), effects, runs };
  }

  /** Both folds, with all committed events of the user. */
  async beforeAndAfter(
    account: string,
    correction: CorrectionRecorded,
    events: UserEvents = this.#dependencies.userEvents,
  ): Promise<BeforeAfterFolds> {
    const { chain, clock, committed, historyOf } = this.#dependencies;
    const { head } = committed;
    const recorded = await events.correctionsOf([correction.subject]);
    const earlier = recorded.filter(({ position }) => position <= head);
    // Versions may be published until the folds reach their place in the log, so look each one up when it is needed.
    const configurations = { at: (version: number) => historyOf(account).at(version) };
    const user = { account, subject: correction.subject };
    const folds = BeforeAfterFolds.begin({ areas: chain.userAreas, configurations, boards: chain.boards }, correction, {
      earlier,
      amended: await events.amendedBy(user, [...earlier, { fact: correction }]),
      bound: { configuration: historyOf(account).current, at: clock.now() },
    });
    await takeEvents(folds, events, user, head);
    return folds;
  }

  /**
   * The user's stored document. If an area has stopped or the user is damaged, corrections are refused; the preview
   * then uses the document computed from the events.
   */
  async #documentBefore(folds: BeforeAfterFolds, user: UserRef, reads: CorrectionReads): Promise<Document> {
    const { chain, quarantine, committed, historyOf } = this.#dependencies;
    const stored = await documentAtFolds(folds, user, reads, () => committed.head);
    const document = committed.failures.size > 0 ? null : readDocument({ chain, quarantine }, user, stored);
    return document ?? folds.documentBefore(historyOf(user.account).current.version);
  }
}
