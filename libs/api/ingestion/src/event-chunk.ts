import type { CommandResult, RecordMetricEvent, Refused, Subject } from '@laurel/kernel';
import { interrupts, type SubmitOptions } from '@laurel/ports';
import { type BatchResult, sentenceOf } from '@laurel/schemas';
import { refusedId, refusedIds } from './assign-subjects.ts';
import type { ReadItem } from './batch.ts';
import { recordMetricEvent } from './commands.ts';
import { withHashes } from './hashed-attributes.ts';
import type { IngestionPorts } from './ports.ts';
import { refusalProblem } from './refusals.ts';

type ValidItem = Extract<ReadItem, { type: 'valid' }>;

/** An event that is being submitted. */
interface Submitted {
  readonly item: ValidItem;
  readonly command: RecordMetricEvent;
  outcome: CommandResult | null;
  /** Ids under which the event may have been recorded, because the answers were lost. */
  readonly tried: string[];
}

/**
 * Events that were read together, from a batch or a stream. They are submitted together, and each has its own result.
 */
export class EventChunk {
  readonly #ports: IngestionPorts;
  readonly #items: readonly ReadItem[];
  readonly #options: SubmitOptions;
  readonly #submitted: readonly Submitted[];

  private constructor(
    ports: IngestionPorts,
    items: readonly ReadItem[],
    options: SubmitOptions,
    submitted: readonly Submitted[],
  ) {
    this.#ports = ports;
    this.#items = items;
    this.#options = options;
    this.#submitted = submitted;
  }

  /** Finds the subjects of all users in one request. @throws StoreUnavailableError */
  static async of(ports: IngestionPorts, items: readonly ReadItem[], options: SubmitOptions): Promise<EventChunk> {
    const accepted = await withoutRefusedIds(ports, items);
    const valid = accepted.filter((item) => item.type === 'valid');
    const account = valid[0]?.origin.account;
    const users = [...new Set(valid.map(({ event }) => event.user.id))];
    const subjects = account === undefined ? null : await ports.directory.assignAll(account, users);
    const submitted: Submitted[] = [];
    for (const item of valid) {
      const command = recordMetricEvent(item.event, item.origin, subjects?.get(item.event.user.id) as Subject);
      const hashed = withHashes(ports.directory, command);
      submitted.push({ item, command: hashed instanceof Promise ? await hashed : hashed, outcome: null, tried: [] });
    }
    return new EventChunk(ports, accepted, options, submitted);
  }

  /** Number of events that {@link submit} may still record. */
  get open(): number {
    return this.#submitted.filter(isOpen).length;
  }

  /** Submits new events, and those that were turned away. Chunks reach the intake in the order of the calls. */
  async submit(): Promise<void> {
    const open = this.#submitted.filter(isOpen);
    if (open.length === 0) return;
    const commands = open.map(({ command }) => command);
    const outcomes = await this.#ports.intake.submit(commands, this.#options);
    open.forEach((one, place) => take(one, outcomes[place]));
  }

  /** Users whose event was refused because their stored state is damaged. */
  get damagedUsers(): readonly string[] {
    return this.#submitted.flatMap(({ item, outcome }) =>
      outcome?.kind === 'refused' && outcome.reason === 'damaged' ? [item.event.user.id] : [],
    );
  }

  /** The user of the first submitted event; empty if none was submitted. */
  get firstUser(): string {
    return this.#submitted[0]?.item.event.user.id ?? '';
  }

  get outcomes(): readonly CommandResult[] {
    return this.#submitted.map(({ outcome }) => settled(outcome));
  }

  /** Number of newly recorded events; replays do not count. */
  get recorded(): number {
    return this.outcomes.filter(({ kind }) => kind === 'recorded').length;
  }

  /** Adds the results to the counts of the process. Call once. */
  count(): void {
    const { counts } = this.#ports;
    for (const item of this.#items) if (item.type === 'invalid') counts.refuse(item.code);
    for (const outcome of this.outcomes) counts.count(outcome);
  }

  /** The results, in the order of the items. */
  results(): BatchResult[] {
    const submitted = this.#submitted.values();
    return this.#items.map((item) =>
      item.type === 'invalid' ? invalidResult(item) : this.#result(submitted.next().value as Submitted),
    );
  }

  #result({ item: { index, metric, event, origin }, outcome, tried }: Submitted): BatchResult {
    const known = settled(outcome);
    if (known.kind === 'refused') return { index, ...refusedResult(known, event.user.id) };
    const { eventId } = known;
    const isRecorded = known.kind === 'recorded' || tried.includes(eventId);
    const { idempotencyKey } = origin;
    const body = this.#options.receiptOnly
      ? {}
      : { body: this.#ports.composeEventAnswer(known, { metric, idempotencyKey }) };
    const late = known.kind === 'recorded' && known.late === true;
    return { index, status: isRecorded ? 201 : 202, eventId, ...(late && { late }), ...body };
  }
}

async function withoutRefusedIds(ports: IngestionPorts, items: readonly ReadItem[]): Promise<readonly ReadItem[]> {
  const valid = items.filter((item) => item.type === 'valid');
  const [first] = valid;
  if (first === undefined) return items;
  const ids = valid.map(({ event }) => event.user.id);
  const refused = await refusedIds(ports, first.origin.account, ids);
  if (refused.size === 0) return items;
  const error = sentenceOf([refusedId('user.id')]);
  return items.map((item) =>
    item.type === 'valid' && refused.has(item.event.user.id)
      ? { type: 'invalid', index: item.index, status: 422, code: 'invalid_request', error }
      : item,
  );
}

/** Whether submitting again is safe: nothing was recorded, or a key prevents recording twice. */
function isOpen({ item, outcome }: Submitted): boolean {
  if (outcome === null) return true;
  if (!interrupts(outcome)) return false;
  return item.origin.idempotencyKey !== null || (outcome as Refused).reason !== 'unknown';
}

/** Takes an outcome. If it is unknown whether the event was recorded, the event stays open until the intake knows. */
function take(submitted: Submitted, outcome: CommandResult | undefined): void {
  if (outcome === undefined) throw new Error('the intake answered with fewer outcomes than commands');
  const isUnknown = outcome.kind === 'refused' && outcome.reason === 'unknown';
  if (isUnknown && outcome.eventId !== null) submitted.tried.push(outcome.eventId);
  if (submitted.tried.length === 0 || isUnknown || !interrupts(outcome)) submitted.outcome = outcome;
}

function settled(outcome: CommandResult | null): CommandResult {
  if (outcome === null) throw new Error('an event was not submitted');
  return outcome;
}

function invalidResult({ index, status, error, code }: Extract<ReadItem, { type: 'invalid' }>): BatchResult {
  return { index, status, error, code };
}

/** Other events of the chunk are recorded, so a rejected one must not turn the whole answer into an error. */
function refusedResult(refused: Refused, userId: string): Omit<BatchResult, 'index'> {
  if (refused.reason === 'rejected')
    return { status: 500, error: 'Something went wrong on our side.', code: 'internal' };
  const { status, error, code } = refusalProblem(refused, userId);
  return {
    status,
    error,
    code,
    ...(refused.eventId !== null && refused.reason === 'unknown' && { eventId: refused.eventId }),
  };
}
