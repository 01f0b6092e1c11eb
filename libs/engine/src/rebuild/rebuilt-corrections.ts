import {
  EffectList,
  type BoardsArea,
  type BoardsLayer,
  type MissingRuns,
  type Rows,
  type Subject,
} from '@laurel/kernel';
import type { ReplayedLog } from '@laurel/event-store';
import { BeforeAfterFolds, type CorrectedUser } from '../folding/corrected-fold.ts';
import type { AnyUserArea, UserRef } from '../folding/document.ts';
import type { CorrectionRecord } from '../folding/event-changes.ts';
import { amendedEvents, concerns, recordedUserEventOf } from '../folding/user-events.ts';
import type { RebuildStore } from './rebuild-store.ts';
import type { RebuiltConfigurations } from './rebuilt-configurations.ts';
import type { RebuiltUsers } from './rebuilt-users.ts';

export interface RebuiltCorrectionsDependencies {
  readonly log: ReplayedLog;
  readonly store: RebuildStore;
  readonly chain: { readonly userAreas: readonly AnyUserArea[]; readonly boards: BoardsArea };
  readonly users: RebuiltUsers;
  readonly configurations: RebuiltConfigurations;
  /** Number of records read at a time. */
  readonly batchSize: number;
  readonly takeTurn: () => Promise<void>;
  /** Calls `turn` until the boards have the runs that it needs. */
  readonly applyBoards: <Made extends { readonly rows: Rows }>(
    record: CorrectionRecord,
    turn: () => Made | MissingRuns,
  ) => Promise<Made>;
}

/** Number of events of a corrected user in memory at a time. */
const READ_AT_A_TIME = 500;

/**
 * Folds the events of corrected users again, with and without a correction. The events are read again, because only their positions are kept
 * in memory.
 */
export class RebuiltCorrections {
  readonly #dependencies: RebuiltCorrectionsDependencies;
  /** The positions of the events applied so far, for each user with corrections. */
  readonly #eventsOf = new Map<Subject, number[]>();

  constructor(dependencies: RebuiltCorrectionsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Finds the users with corrections, whose positions are to be kept. */
  async begin(): Promise<void> {
    for (const subject of await this.#dependencies.log.correctedBehind(0)) this.#eventsOf.set(subject, []);
  }

  /** Keeps the position of an applied event if its user has corrections. */
  note(subject: Subject, position: number): void {
    this.#eventsOf.get(subject)?.push(position);
  }

  /** @returns the number of effects of the correction */
  async apply(record: CorrectionRecord, layer: BoardsLayer): Promise<number> {
    const { account, position, fact } = record;
    const { store, users, configurations } = this.#dependencies;
    const user = { account, subject: fact.subject };
    const folds = await this.#beforeAndAfter(record, user);
    const configuration = configurations.historyOf(account).at(record.configurationVersion);
    const corrected = folds.finish(record, users.statesOf(user, configuration));
    for (const { removed } of corrected.rows) store.remove(removed);
    for (const { added } of corrected.rows) store.add(added);
    users.replace(user, corrected.document, configuration);
    await this.#correctBoards(record, corrected, layer);
    this.note(fact.subject, position);
    return corrected.effects.length;
  }

  /** Two folds that have taken all events of the user before the correction. */
  async #beforeAndAfter(record: CorrectionRecord, user: UserRef): Promise<BeforeAfterFolds> {
    const { log, chain, configurations, takeTurn } = this.#dependencies;
    const { position, fact } = record;
    const { subject } = user;
    const positions = this.#eventsOf.get(subject) ?? (await this.#findEvents(user, position));
    const earlier = (await log.correctionsOf([subject])).filter((one) => one.position < position);
    const history = configurations.historyOf(user.account);
    const parts = { areas: chain.userAreas, configurations: history, boards: chain.boards };
    const amended = await amendedEvents(log, subject, [...earlier, record]);
    const folds = BeforeAfterFolds.begin(parts, fact, { earlier, amended });
    for (let first = 0; first < positions.length; first += READ_AT_A_TIME) {
      const read = await log.readAt(positions.slice(first, first + READ_AT_A_TIME));
      for (const one of read) folds.apply(recordedUserEventOf(one, subject));
      await takeTurn();
    }
    return folds;
  }

  async #correctBoards(record: CorrectionRecord, corrected: CorrectedUser, layer: BoardsLayer): Promise<void> {
    const { occasion, configuration, effects, before, after } = corrected;
    const correction = { occasion, before, after, changesFinalRuns: record.fact.finalRuns === 'change' };
    const emitter = new EffectList(occasion, configuration, null, effects);
    for (let next: number | null = 0; next !== null;) {
      const from: number = next;
      ({ next } = await this.#dependencies.applyBoards(record, () =>
        layer.correct(correction, configuration, emitter, from),
      ));
    }
  }

  /** Reads the log again for a user who was first corrected during the rebuild. */
  async #findEvents({ account, subject }: UserRef, upTo: number): Promise<readonly number[]> {
    const positions: number[] = [];
    for (let after = 0; after < upTo - 1;) {
      const records = await this.#dependencies.log.read(after, this.#dependencies.batchSize);
      for (const record of records)
        if (record.position < upTo && record.account === account && concerns(record, subject))
          positions.push(record.position);
      after = records.at(-1)?.position ?? upTo;
    }
    this.#eventsOf.set(subject, positions);
    return positions;
  }
}
