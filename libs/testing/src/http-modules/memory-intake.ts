import {
  openImport,
  WITHOUT_OPTIONS,
  type Attribution,
  type UserCommand,
  type Configuration,
  type ImportOptions,
  type KeyHash,
  type CommandResult,
  type RecordMetricEvent,
  type Refused,
} from '@laurel/kernel';
import { interrupts, type ImportProgress, type Intake, type OpenedImport, type SubmitOptions } from '@laurel/ports';
import { keyHashesOf, originalAmong } from '@laurel/event-store';

const UNAVAILABLE: Refused = { kind: 'refused', reason: 'unavailable', eventId: null, retryAfterMs: 1_000 };

/** An intake for tests of HTTP modules. It keeps totals and keys in memory, and refuses commands on demand. */
export class MemoryIntake implements Intake {
  readonly submitted: UserCommand[] = [];
  importOpen = false;
  options: ImportOptions = WITHOUT_OPTIONS;
  /** The attribution of each import that was opened or finished by a call. */
  readonly attributions: Attribution[] = [];
  /** Unanswered commands: present number, and maximum. */
  underWay = 0;
  mostUnderWay = 0;
  #held: Promise<void> = Promise.resolve();
  #refuse: (command: UserCommand) => Refused | null = () => null;
  readonly #totals = new Map<string, bigint>();
  readonly #eventIds = new Map<KeyHash, string>();
  readonly #configuration: Configuration;

  constructor(configuration: Configuration) {
    this.#configuration = configuration;
  }

  /** From now on, refuses commands for which this function returns a refusal. */
  refuse(decide: (command: UserCommand) => Refused | null): void {
    this.#refuse = decide;
  }

  /** From now on, answers no call until the returned function is called. */
  hold(): () => void {
    let release: () => void = () => undefined;
    this.#held = new Promise((resolve) => (release = resolve));
    return release;
  }

  async submit(commands: readonly UserCommand[], { stream }: SubmitOptions = {}): Promise<readonly CommandResult[]> {
    if (stream?.interrupted) return commands.map(() => UNAVAILABLE);
    this.underWay += commands.length;
    this.mostUnderWay = Math.max(this.mostUnderWay, this.underWay);
    const outcomes = commands.map((command) => this.#refuse(command) ?? this.#apply(command));
    if (stream && outcomes.some(interrupts)) stream.interrupted = true;
    await this.#held;
    this.underWay -= commands.length;
    return outcomes;
  }

  async openImport(account: string, options: ImportOptions, attribution: Attribution): Promise<OpenedImport> {
    this.attributions.push(attribution);
    const inForce = this.importOpen ? this.options : null;
    const { events } = openImport(
      { type: 'OpenImport', account, options, attribution },
      { now: 0, openImport: inForce },
    );
    this.importOpen = true;
    this.options = options;
    return { opened: events.length > 0, ...options };
  }

  async finishImport(_account: string, attribution: Attribution): Promise<{ readonly closed: boolean }> {
    this.attributions.push(attribution);
    const closed = this.importOpen;
    this.importOpen = false;
    return { closed };
  }

  async importProgress(): Promise<ImportProgress | null> {
    if (!this.importOpen) return null;
    const attribution = this.attributions.at(-1) ?? {};
    return { openedAt: 0, attribution, ...this.options, events: 0, lastReceivedAt: 0 };
  }

  #apply(command: UserCommand): CommandResult {
    this.submitted.push(command);
    if (command.type !== 'RecordMetricEvent') throw new Error(`no ${command.type} here`);
    if (command.occurredAt !== null) this.importOpen = true;
    const { key, total, eventId } = this.#totalOf(command);
    if (eventId !== undefined) return this.#outcome('replayed', eventId, total);
    const recordedId = `event-${this.submitted.length}`;
    this.#totals.set(key, total + command.value);
    if (command.keyHash !== null) this.#eventIds.set(command.keyHash, recordedId);
    return this.#outcome('recorded', recordedId, total + command.value);
  }

  #totalOf(command: RecordMetricEvent) {
    const { account, metric, subject } = command;
    const key = JSON.stringify([account, metric, subject]);
    const eventId = originalAmong(keyHashesOf(command), this.#eventIds);
    return { key, total: this.#totals.get(key) ?? 0n, eventId };
  }

  #outcome(kind: 'recorded' | 'replayed', eventId: string, total: bigint): CommandResult {
    const users = { created: false, createdAt: 0, zone: 'UTC', previousZone: 'UTC', date: '2026-01-01', total };
    const common = { eventId, configuration: this.#configuration, sections: { users }, pending: [] };
    return kind === 'replayed' ? { kind, ...common } : { kind, ...common, position: 1, occurredAt: 0 };
  }
}
