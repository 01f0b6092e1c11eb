import type {
  Attribution,
  Command,
  Configuration,
  ImportOptions,
  Intake,
  OpenedImport,
  Outcome,
  RecordMetricEvent,
  Refused,
} from '@laurel/contracts';

/** An intake that keeps totals and keys in memory, and refuses when it is told to. For tests of the doors in front of it. */
export class MemoryIntake implements Intake {
  readonly submitted: Command[] = [];
  importOpen = false;
  unboundedAwards = false;
  /** Of each import that was opened or finished by call. */
  readonly attributions: Attribution[] = [];
  #refuse: (command: Command) => Refused | null = () => null;
  readonly #totals = new Map<string, bigint>();
  readonly #eventIds = new Map<string, string>();
  readonly #configuration: Configuration;

  constructor(configuration: Configuration) {
    this.#configuration = configuration;
  }

  /** From now on a command for which this answers a refusal is refused. */
  refuse(decide: (command: Command) => Refused | null): void {
    this.#refuse = decide;
  }

  async submit(commands: readonly Command[]): Promise<readonly Outcome[]> {
    return commands.map((command) => this.#refuse(command) ?? this.#apply(command));
  }

  async openImport(_account: string, options: ImportOptions, attribution: Attribution): Promise<OpenedImport> {
    this.attributions.push(attribution);
    const opened = !this.importOpen || this.unboundedAwards !== options.unboundedAwards;
    this.importOpen = true;
    this.unboundedAwards = options.unboundedAwards;
    return { opened, ...options };
  }

  async finishImport(_account: string, attribution: Attribution): Promise<{ readonly closed: boolean }> {
    this.attributions.push(attribution);
    const closed = this.importOpen;
    this.importOpen = false;
    return { closed };
  }

  #apply(command: Command): Outcome {
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

  #totalOf({ account, metric, subject, keyHash }: RecordMetricEvent) {
    const key = JSON.stringify([account, metric, subject]);
    const eventId = keyHash === null ? undefined : this.#eventIds.get(keyHash);
    return { key, total: this.#totals.get(key) ?? 0n, eventId };
  }

  #outcome(kind: 'recorded' | 'replayed', eventId: string, total: bigint): Outcome {
    const users = { created: false, createdAt: 0, zone: 'UTC', previousZone: 'UTC', date: '2026-01-01', total };
    const common = { eventId, configuration: this.#configuration, sections: { users }, pending: [] };
    return kind === 'replayed' ? { kind, ...common } : { kind, ...common, position: 1, occurredAt: 0 };
  }
}
