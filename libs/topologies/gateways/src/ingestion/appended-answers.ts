import {
  AREAS,
  StoreUnavailableError,
  type Configuration,
  type KeyedCommand,
  type RecordedEvent,
  type NewRecord,
  type CommandResult,
  type Subject,
  type RecordedUserEvent,
} from '@laurel/kernel';
import { FencedError, type AppendOutcome, type UsedKey } from '@laurel/event-store';
import { refused, refusedBy, userKey } from '@laurel/engine';
import type { GatewayConfigurations } from '@laurel/processes';
import { sectionsOf, type AnswerClient, type Gathered, type Viewed } from '../answers/index.ts';
import type { DecidedCommand } from './decide-commands.ts';

export interface AppendedAnswersDependencies {
  readonly configurations: GatewayConfigurations;
  readonly answers: Pick<AnswerClient, 'gather'>;
  /** Reads from the tables the results of recorded events for which no query gateway answered in time, by event id. Never rejects. */
  readonly appliedOutcomes: (
    records: readonly RecordedUserEvent[],
    limitMs: number,
  ) => Promise<ReadonlyMap<string, Gathered>>;
  /** The answer to a request whose key an earlier event used. @throws StoreUnavailableError */
  readonly viewReplay: (command: KeyedCommand, original: UsedKey, configuration: Configuration) => Promise<Viewed>;
  /** How long an answer waits for the results of an event. */
  readonly answerLimitMs: number;
  /** The log has an open import that the table of imports may lack. */
  readonly importInLog: (account: string) => Promise<void>;
  /** An event of the account is in the log. */
  readonly onRecorded: (account: string) => void;
  /** A standalone has taken the log over: this process cannot append any more. */
  readonly onFenced: () => void;
}

/** A command with the outcome of its append; null if the command records nothing. */
export interface Appended extends DecidedCommand {
  readonly record: NewRecord | null;
  readonly appended: AppendOutcome | null;
}

/** The query gateways' share of the wait limit; the rest is for reading the tables. */
const GATHER_SHARE = 0.95;

/** The answer part of an event for which only the receipt is wanted. */
const RECEIPT = { sections: {}, pending: [] };

/** Answers commands after the append. A recorded event is always answered, if need be with everything still pending. */
export class AppendedAnswers {
  readonly #dependencies: AppendedAnswersDependencies;

  constructor(dependencies: AppendedAnswersDependencies) {
    this.#dependencies = dependencies;
  }

  /** One outcome for each command, in the same order. */
  async answer(appended: readonly Appended[], receiptOnly: boolean): Promise<readonly CommandResult[]> {
    const gathered = receiptOnly ? null : await this.#gather(appended);
    return Promise.all(appended.map((one) => this.#answer(one, gathered, receiptOnly)));
  }

  async #answer(
    { command, decision, original, record, appended }: Appended,
    gathered: ReadonlyMap<string, Gathered> | null,
    receiptOnly: boolean,
  ): Promise<CommandResult> {
    if (decision.kind === 'refusal') return refusedBy(decision);
    if (appended === null) return this.#replayIfReachable(command as KeyedCommand, original as UsedKey, receiptOnly);
    switch (appended.kind) {
      case 'recorded':
        return this.#recorded(appended.record, gathered ? gathered.get(appended.record.eventId) : RECEIPT);
      case 'used':
        return this.#replayIfReachable(command as KeyedCommand, appended.original, receiptOnly);
      case 'erased':
        return refused('erased', null);
      case 'import_open':
        await this.#dependencies.importInLog(command.account);
        return refused('import_open', null);
      case 'rejected':
        return refused('rejected', null);
      case 'failed':
        if (appended.error instanceof FencedError) this.#dependencies.onFenced();
        return appended.recorded === 'unknown'
          ? refused('unknown', (record as NewRecord).eventId)
          : refused('unavailable', null);
    }
  }

  /** The results of the recorded events, by event id. */
  async #gather(submitted: readonly Appended[]): Promise<ReadonlyMap<string, Gathered>> {
    const byUser = new Map<string, { account: string; subject: Subject; eventIds: string[] }>();
    for (const { command, appended } of submitted) {
      if (appended?.kind !== 'recorded') continue;
      const { account, subject } = command;
      const user = byUser.get(userKey({ account, subject })) ?? { account, subject, eventIds: [] };
      user.eventIds.push(appended.record.eventId);
      byUser.set(userKey({ account, subject }), user);
    }
    if (byUser.size === 0) return new Map();
    const { answers, answerLimitMs, appliedOutcomes } = this.#dependencies;
    const gathered = await answers.gather([...byUser.values()], answerLimitMs * GATHER_SHARE);
    const unanswered = submitted.flatMap(({ appended }) =>
      appended?.kind === 'recorded' && isUnanswered(gathered.get(appended.record.eventId))
        ? [appended.record as RecordedUserEvent]
        : [],
    );
    if (unanswered.length === 0) return gathered;
    return new Map([...gathered, ...(await appliedOutcomes(unanswered, answerLimitMs * (1 - GATHER_SHARE)))]);
  }

  #recorded(record: RecordedEvent, known: Pick<Gathered, 'sections' | 'pending'> | undefined): CommandResult {
    const { eventId, position, occurredAt, account, configurationVersion } = record;
    const { configurations, onRecorded } = this.#dependencies;
    onRecorded(account);
    const configuration = configurations.historyOf(account).at(configurationVersion);
    const pending = known?.pending ?? AREAS;
    const sections = known ? sectionsOf(known, configuration) : {};
    const late = sections.streaks?.late;
    const recorded = { kind: 'recorded', eventId, position, occurredAt, configuration, sections, pending } as const;
    return late ? { ...recorded, late } : recorded;
  }

  /** A replay that cannot be read does not fail the other commands of the call. */
  async #replayIfReachable(command: KeyedCommand, original: UsedKey, receiptOnly: boolean): Promise<CommandResult> {
    try {
      return await this.#replay(command, original, receiptOnly);
    } catch (error) {
      if (error instanceof StoreUnavailableError) return refused('unavailable', null);
      throw error;
    }
  }

  async #replay(command: KeyedCommand, original: UsedKey, receiptOnly: boolean): Promise<CommandResult> {
    const { eventId } = original;
    const configuration = this.#dependencies.configurations.historyOf(command.account).current;
    const { sections, pending } = receiptOnly
      ? RECEIPT
      : await this.#dependencies.viewReplay(command, original, configuration);
    return { kind: 'replayed', eventId, configuration, sections: sectionsOf({ sections }, configuration), pending };
  }
}

const isUnanswered = (gathered: Gathered | undefined): boolean => (gathered?.pending ?? AREAS).length === AREAS.length;
