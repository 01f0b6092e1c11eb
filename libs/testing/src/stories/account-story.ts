import { USER_AREAS } from '@laurel/all-areas';
import { localDate, type Instant } from '@laurel/calendar';
import {
  decide,
  Fold,
  type BoardsApplied,
  type Command,
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
  /** Hears why the rules decide as they do, unless sections are made. Default: nobody does. */
  readonly reasons?: ExplanationListener;
}

/**
 * An account in memory: all areas of its users and its boards, applied to events and sweeps one after the other. It does what the engine
 * does with them, without a log, a queue or a store, and leaves it to the teller who looks when.
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

  constructor({ history, areas = USER_AREAS, reasons }: Telling) {
    this.#history = history;
    this.#areas = areas;
    this.#reasons = reasons ?? null;
  }

  get configuration(): Configuration {
    return this.#history.at(this.#version);
  }

  /** The users with events, in the order of their first event. */
  get users(): readonly Subject[] {
    return [...this.#folds.keys()];
  }

  /** The runs in which somebody has a value. */
  get runs(): readonly RunKey[] {
    return [...this.#runs.values()];
  }

  get boards() {
    return this.#boards;
  }

  /** From the next record on, the next version is in force. */
  publish(): void {
    this.#version++;
  }

  effectsOf(user: Subject): readonly Effect[] {
    return this.#effects.get(user) ?? [];
  }

  /** The stored level by the number of the system, and the instant at which it was reached. */
  levelsOf(user: Subject): ReadonlyMap<unknown, unknown> {
    return this.#levels.get(user) ?? new Map();
  }

  /** The stored state of an area. */
  stored(user: Subject, area: AnyUserArea['name']): unknown {
    const place = this.#areas.findIndex(({ name }) => name === area);
    return this.#areas[place]?.encode(this.#statesOf(user)[place]);
  }

  /** Records a command that is received at the instant. An event that brings an instant of its own is reported late. */
  async happens({ at, command }: StoryEvent, { wantsAnswer = false } = {}): Promise<void> {
    const { occurredAt, event } = eventOf(command, at);
    await this.#apply({ ...this.#stamp(++this.#position, at), occurredAt, fact: event }, wantsAnswer);
  }

  /** Settles those who are due, as a sweep of the engine does. */
  async sweep(at: Instant): Promise<void> {
    await this.settle(
      this.users.filter((user) => (this.dueAt(user) ?? Infinity) <= at),
      at,
    );
  }

  /** Settles these users in one record, whether or not they are due. */
  async settle(users: readonly Subject[], at: Instant): Promise<void> {
    if (users.length === 0) return;
    const stamp = this.#stamp(++this.#position, at);
    for (const [place, subject] of users.entries())
      await this.#apply(sweepOf({ ...stamp, occurredAt: at }, subject, place), false);
  }

  /** Settles a user with at most one award, or those of one instant, at a time, as the engine does before an event of the user. */
  async settleInChunks(user: Subject, upTo: Instant): Promise<void> {
    for (let bound = this.#settleBound(user, upTo); bound < upTo; bound = this.#settleBound(user, upTo))
      await this.settle([user], bound);
  }

  /** When something falls due next for any user; null if never. */
  get nextDueAt(): Instant | null {
    const due = this.users.flatMap((user) => this.dueAt(user) ?? []);
    return due.length === 0 ? null : Math.min(...due);
  }

  /** The answer of a replayed request, with all areas and boards. */
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

  /** The number of time awards that a user is owed. */
  owed(user: Subject, upTo: Instant): number {
    const states = this.#statesOf(user);
    const owed = this.#areas.map((area, place) => area.owed?.(states[place], this.configuration, upTo));
    return owed.reduce<number>((sum, awards) => sum + (awards ?? 0), 0);
  }

  /** When something falls due next for the user; null if never. */
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

  #stamp(position: number, recordedAt: Instant) {
    const eventId = `event ${position}`;
    return { account: ACCOUNT, configurationVersion: this.#version, eventId, position, recordedAt };
  }

  async #apply(record: RecordedUserEvent, wantsAnswer: boolean): Promise<void> {
    const { configuration } = this;
    const { subject } = record.fact;
    const fold = this.#folds.get(subject) ?? Fold.ofNobody(this.#areas, configuration);
    this.#folds.set(subject, fold);
    const reasons = wantsAnswer ? null : this.#reasons;
    const { occasion, emitter, rows } = fold.apply(record, configuration, { sections: wantsAnswer, reasons });
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
      // Nobody is listed as being below all levels.
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

/** The record of a command that is received at an instant and not refused. */
function eventOf(command: Command, now: Instant): NewEvent<UserEvent> {
  const user = { isCreated: true, isErased: false, attributes: new Map() };
  const state = { now, original: null, user, isRecorded: true, owed: 0, openImport: null, areaStopped: false };
  const decision = decide(command, state);
  if (decision.kind !== 'events') throw new Error(`${command.type} is not recorded: ${JSON.stringify(decision)}`);
  return decision.events.at(-1) as NewEvent<UserEvent>;
}
