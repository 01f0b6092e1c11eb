import { USER_AREAS } from '@laurel/all-areas';
import { localDate, type Instant } from '@laurel/calendar';
import {
  decide,
  Fold,
  type BoardsApplied,
  type UserCommand,
  type Configuration,
  type ConfigurationHistory,
  type Effect,
  type NewEvent,
  type ExplanationListener,
  type Rows,
  type RunKey,
  type Subject,
  type UserEvent,
  type RecordedUserEvent,
  type ViewRequest,
  sweepOf,
} from '@laurel/kernel';
import type { AnyUserArea } from '@laurel/engine';
import { ACCOUNT } from '../histories/account.ts';
import { applyBoards, loaded } from '../histories/apply-boards.ts';
import { emptyBoards } from '../histories/live.ts';
import type { StoryEvent } from './lives.ts';

/** The options of an {@link AccountStory}. */
export interface Telling {
  readonly history: ConfigurationHistory;
  /** Default: the areas of the product. */
  readonly areas?: readonly AnyUserArea[];
  /** Receives the reasons of the rules, unless answer parts are made. Default: reasons are not reported. */
  readonly reasons?: ExplanationListener;
}

/**
 * An account in memory: all areas of its users and its boards, applied to events and sweeps one after the other. Does
 * the engine's work without a log, a queue or a store. The caller decides when sweeps and reads happen.
 */
export class AccountStory {
  readonly #history: ConfigurationHistory;
  readonly #areas: readonly AnyUserArea[];
  readonly #reasons: ExplanationListener | null;
  readonly #boards = emptyBoards();
  readonly #folds = new Map<Subject, Fold>();
  readonly #effects = new Map<Subject, Effect[]>();
  readonly #levels = new Map<Subject, ReadonlyMap<unknown, unknown>>();
  readonly #runs = new Map<string, RunKey>();
  #version = 1;
  #position = 0;
  /** The events that were recorded, sweeps aside: their ids must not depend on sweeps. */
  #happened = 0;

  constructor({ history, areas = USER_AREAS, reasons }: Telling) {
    this.#history = history;
    this.#areas = areas;
    this.#reasons = reasons ?? null;
  }

  get configuration(): Configuration {
    return this.#history.at(this.#version);
  }

  /** Users with events, in the order of their first event. */
  get users(): readonly Subject[] {
    return [...this.#folds.keys()];
  }

  /** The runs in which any user has a value. */
  get runs(): readonly RunKey[] {
    return [...this.#runs.values()];
  }

  get boards() {
    return this.#boards;
  }

  /** The next version is in force from the next record on. */
  publish(): void {
    this.#version++;
  }

  effectsOf(user: Subject): readonly Effect[] {
    return this.#effects.get(user) ?? [];
  }

  /** The stored levels by the number of the system, with the instants at which they were reached. */
  levelsOf(user: Subject): ReadonlyMap<unknown, unknown> {
    return this.#levels.get(user) ?? new Map();
  }

  /** The stored state of an area. */
  stored(user: Subject, area: AnyUserArea['name']): unknown {
    const place = this.#areas.findIndex(({ name }) => name === area);
    return this.#areas[place]?.encode(this.#statesOf(user)[place]);
  }

  /** Records a command that is received at the instant. An event with its own instant counts as reported late. */
  async happens({ at, command }: StoryEvent, { wantsAnswer = false } = {}): Promise<void> {
    const { occurredAt, event } = eventOf(command, at);
    await this.#apply({ ...this.#stamp(`event ${++this.#happened}`, at), occurredAt, fact: event }, wantsAnswer);
  }

  /** Settles due users, like a sweep of the engine. */
  async sweep(at: Instant): Promise<void> {
    await this.settle(
      this.users.filter((user) => (this.dueAt(user) ?? Infinity) <= at),
      at,
    );
  }

  /** Settles these users in one record, whether or not they are due. */
  async settle(users: readonly Subject[], at: Instant): Promise<void> {
    if (users.length === 0) return;
    const stamp = this.#stamp(`sweep at ${at}`, at);
    for (const [place, subject] of users.entries())
      await this.#apply(sweepOf({ ...stamp, occurredAt: at }, subject, place), false);
  }

  /**
   * Settles a user in steps of one award, or of awards at the same instant, as the engine does before an event of the
   * user.
   */
  async settleInChunks(user: Subject, upTo: Instant): Promise<void> {
    for (let bound = this.#settleBound(user, upTo); bound < upTo; bound = this.#settleBound(user, upTo))
      await this.settle([user], bound);
  }

  /** When something next falls due for any user, or null for never. */
  get nextDueAt(): Instant | null {
    const due = this.users.flatMap((user) => this.dueAt(user) ?? []);
    return due.length === 0 ? null : Math.min(...due);
  }

  /** The answer to a replayed request, with all areas and boards. */
  async read(subject: Subject, at: Instant): Promise<ReadonlyMap<string, unknown>> {
    const asked = { account: ACCOUNT, subject, at, metric: 'lessons', pointsSystem: 'energy' };
    const request: ViewRequest = { ...asked, originalDate: localDate(at, 'UTC') };
    const { configuration } = this;
    const states = this.#statesOf(subject);
    const layer = this.#boards.openLayer(null);
    const boards = await loaded(this.#boards, () => layer.view(request, configuration));
    layer.discard();
    const shown = this.#areas.map(
      (area, place) => [area.name, area.view(states[place], request, configuration)] as const,
    );
    return new Map<string, unknown>([...shown, [this.#boards.name, boards]]);
  }

  /** Number of time awards owed to a user. */
  owed(user: Subject, upTo: Instant): number {
    const states = this.#statesOf(user);
    const owed = this.#areas.map((area, place) => area.owed?.(states[place], this.configuration, upTo));
    return owed.reduce<number>((sum, awards) => sum + (awards ?? 0), 0);
  }

  /** When something next falls due for the user, or null for never. */
  dueAt(user: Subject): Instant | null {
    const states = this.#statesOf(user);
    const due = this.#areas.flatMap((area, place) => area.dueAt?.(states[place], this.configuration) ?? []);
    return due.length === 0 ? null : Math.min(...due);
  }

  #statesOf(user: Subject): readonly unknown[] {
    return this.#folds.get(user)?.states ?? this.#areas.map((area) => area.initial());
  }

  #settleBound(user: Subject, upTo: Instant): Instant {
    const states = this.#statesOf(user);
    const bounds = this.#areas.map((area, place) => area.settleBound?.(states[place], this.configuration, upTo, 1));
    return Math.min(upTo, ...bounds.filter((bound) => bound !== undefined));
  }

  #stamp(eventId: string, recordedAt: Instant) {
    const position = ++this.#position;
    return { account: ACCOUNT, configurationVersion: this.#version, eventId, position, recordedAt };
  }

  async #apply(record: RecordedUserEvent, wantsAnswer: boolean): Promise<void> {
    const { configuration } = this;
    const { subject } = record.fact;
    const fold = this.#folds.get(subject) ?? Fold.ofNobody(this.#areas, configuration);
    this.#folds.set(subject, fold);
    const reasons = wantsAnswer ? null : this.#reasons;
    const { occasion, emitter, rows } = fold.apply(record, configuration, { wantsAnswer, reasons });
    const layer = this.#boards.openLayer(null);
    this.#noteRuns(await applyBoards(this.#boards, layer, occasion, configuration, emitter, wantsAnswer));
    layer.publish();
    this.#noteLevels(subject, rows);
    const effects = this.#effects.get(subject) ?? [];
    effects.push(...emitter.effects);
    this.#effects.set(subject, effects);
  }

  #noteLevels(subject: Subject, rows: readonly Rows[]): void {
    const levels = new Map(this.levelsOf(subject));
    for (const { system, level, reached_at } of rows.flatMap((own) => own.get('points_levels') ?? []))
      // A user below all levels has no entry.
      if (level === null) levels.delete(system);
      else levels.set(system, [level, reached_at]);
    this.#levels.set(subject, levels);
  }

  #noteRuns({ rows }: BoardsApplied): void {
    for (const row of rows.get('board_standings') ?? []) {
      const { board: boardNumber, run_start: start } = row as { readonly board: number; readonly run_start: string };
      const board = this.configuration.names.boards.nameOf(boardNumber);
      this.#runs.set(`${board} ${start}`, { account: ACCOUNT, board, boardNumber, start });
    }
  }
}

/** The event recorded for a command that is received at an instant and not refused. */
function eventOf(command: UserCommand, now: Instant): NewEvent<UserEvent> {
  const user = { isCreated: true, isErased: false, attributes: new Map() };
  const state = { now, original: null, user, isRecorded: true, owed: 0, openImport: null, areaStopped: false };
  const decision = decide(command, state);
  if (decision.kind !== 'events') throw new Error(`${command.type} is not recorded: ${JSON.stringify(decision)}`);
  return decision.events.at(-1) as NewEvent<UserEvent>;
}
