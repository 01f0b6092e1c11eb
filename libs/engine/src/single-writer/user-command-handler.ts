import type { Instant } from '@laurel/calendar';
import {
  decide,
  isImported,
  isPointsRequest,
  metricEventRecorded,
  viewedBy,
  type UserCommand,
  type ImportedEvent,
  type KeyedCommand,
  type NewEvent,
  type CommandResult,
  type Replayed,
  type UserState,
} from '@laurel/kernel';
import type { Clock } from '@laurel/ports';
import { decideRequest } from '../folding/decide-request.ts';
import { owedByNewcomer } from '../folding/owed-by-newcomer.ts';
import { isBlank, userKey, type Document, type UserRef } from '../folding/document.ts';
import type { Batch, OriginalEvent } from './batch.ts';
import type { Chain } from './chain.ts';
import type { EventAppender, Receipt } from './event-appender.ts';
import type { EngineTask } from './internal-command.ts';
import type { KeyLookup } from './key-lookup.ts';
import { knownUserBy } from './known-user.ts';
import { refusedBy } from './refused.ts';
import { viewOfReplay } from './view-of-replay.ts';

export interface UserCommandDependencies {
  readonly chain: Chain;
  readonly appender: EventAppender;
  readonly keys: KeyLookup;
  readonly clock: Clock;
  readonly onErased?: (user: UserRef) => void;
}

/** Handles commands about one user: reads the exact state, decides, appends the events to the batch, and answers. */
export class UserCommandHandler {
  readonly #dependencies: UserCommandDependencies;
  readonly #knownUser: ReturnType<typeof knownUserBy>;

  constructor(dependencies: UserCommandDependencies) {
    this.#dependencies = dependencies;
    this.#knownUser = knownUserBy(dependencies.chain.userAreas);
  }

  handle(batch: Batch, task: EngineTask, command: UserCommand): CommandResult {
    const original = this.#dependencies.keys.originalOf(batch, command);
    const owed = isImported(command) ? this.#owedBy(batch, task, command) : 0;
    const state = this.stateOf(batch, command, task.receivedAt, original);
    const decision = decide(command, { ...state, owed, boostsHeld: this.#boostsHeld(batch, command, state.now) });
    switch (decision.kind) {
      case 'replay':
        return this.#replayed(batch, task, command as KeyedCommand, original as OriginalEvent);
      case 'refusal':
        if (decision.reason === 'erased') this.#dependencies.onErased?.(command);
        return refusedBy(decision);
      case 'events': {
        const { appender } = this.#dependencies;
        const { account } = command;
        const receipt = { ...task, wantsAnswer: !task.receiptOnly };
        const events =
          command.type === 'RequestPoints' ? this.#decided(batch, task, command, decision.events) : decision.events;
        return appender.appendAll(batch, account, events, receipt);
      }
    }
  }

  /** The user's boosts in the system of a granted one; 0 for other commands. */
  #boostsHeld(batch: Batch, command: UserCommand, at: Instant): number {
    if (command.type !== 'GiveGrant' || command.grant.kind !== 'boost') return 0;
    const { chain, appender } = this.#dependencies;
    const configuration = appender.configurationOf(batch, command.account);
    const document = batch.documentOf(userKey(command)) as Document;
    const { system } = command.grant;
    return chain.userAreas.reduce(
      (held, area, index) => held + (area.boostsHeld?.(document[index], configuration, system, at) ?? 0),
      0,
    );
  }

  /** The request with its verdict. While an area has stopped, nothing can be decided: the verdict follows as an event of its own. */
  #decided(batch: Batch, receipt: Receipt, user: UserRef, events: readonly NewEvent[]): readonly NewEvent[] {
    const { chain, appender } = this.#dependencies;
    const [asked] = events;
    if (asked === undefined || !isPointsRequest(asked.event)) return events;
    const request = { occurredAt: asked.occurredAt, event: asked.event };
    const record = appender.recordOf(batch, user.account, receipt, request);
    const configuration = appender.configurationOf(batch, user.account);
    const document = batch.documentOf(userKey(user)) as Document;
    const isStopped = chain.userAreas.some(({ name }) => batch.failures.has(name));
    const verdict = isStopped ? null : decideRequest(chain.userAreas, document, record, configuration);
    return verdict === null ? events : [{ ...request, event: { ...request.event, verdict } }];
  }

  /** The state that an event of the user would be applied to. */
  stateOf(batch: Batch, user: UserRef, now: Instant, original: OriginalEvent | undefined): Omit<UserState, 'owed'> {
    const document = batch.documentOf(userKey(user)) as Document;
    return {
      now,
      original: original ?? null,
      user: this.#knownUser(document),
      isRecorded: !isBlank(document),
      openImport: this.#dependencies.appender.accountOf(batch, user.account).openImport?.options ?? null,
      areaStopped: batch.failures.size > 0,
    };
  }

  /** The answer to a replayed key of a damaged user. All answer parts that need the user's state are pending. */
  replayWithoutState(batch: Batch, { command, receiptOnly }: EngineTask): CommandResult | null {
    const original = this.#dependencies.keys.originalOf(batch, command);
    if (original === undefined) return null;
    const pending = receiptOnly ? [] : this.#dependencies.chain.areaNames;
    return { ...this.#replayOf(batch, command, original), pending };
  }

  #replayed(batch: Batch, { receiptOnly }: EngineTask, command: KeyedCommand, original: OriginalEvent): CommandResult {
    const replayed = this.#replayOf(batch, command, original);
    if (receiptOnly) return replayed;
    const { account, subject } = command;
    const at = this.#dependencies.clock.now();
    const request = { account, subject, ...viewedBy(command), at, originalDate: original.date };
    const { sections, pending } = viewOfReplay(this.#dependencies.chain, batch, request, replayed.configuration);
    return { ...replayed, sections, pending };
  }

  #replayOf(batch: Batch, { account }: { readonly account: string }, original: OriginalEvent): Replayed {
    return {
      kind: 'replayed',
      eventId: original.eventId,
      configuration: this.#dependencies.appender.configurationOf(batch, account),
      sections: {},
      pending: [],
      ...(original.retracted === true && { retracted: true }),
    };
  }

  /**
   * Time awards that an imported event owes a user whom it creates in the past. 0 while an area has stopped, because it
   * cannot be computed then.
   */
  #owedBy(batch: Batch, { receivedAt, eventId }: Receipt, command: ImportedEvent): number {
    const { chain, appender } = this.#dependencies;
    const { isCreated } = this.#knownUser(batch.documentOf(userKey(command)) as Document);
    if (isCreated || batch.failures.size > 0) return 0;
    const configuration = appender.configurationOf(batch, command.account);
    const event = { occurredAt: command.occurredAt, event: metricEventRecorded(command) };
    const record = appender.recordOf(batch, command.account, { eventId, receivedAt }, event);
    return owedByNewcomer(chain.userAreas, record, configuration, receivedAt);
  }
}
